// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotation and weights: C gives the bits, and the errors, of C++.
#include "ropewalk/rotate.h"

#include <cstdint>
#include <vector>

#include "c_api/c_call.h"
#include "gtest/gtest.h"
#include "ropewalk/weights.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

constexpr int64_t kTokens = 3;
constexpr int64_t kBatch = 2;

// Both rows of the same angles: `batch * tokens` of 16 pairs.
struct RowsPair {
  CRows c = MakeRows();
  AngleRows cc;
};

void FillRows(RowsPair* rows) {
  RopeParameters parameters;
  parameters.rotary_dim = 32;
  YarnScaling yarn;
  yarn.factor = 4;
  yarn.original_positions = 4096;
  parameters.scaling = yarn;
  const CFrequencies frequencies =
      FrequenciesOf(CParameters(parameters).value());
  const CTable table = TableOf(frequencies.get());
  const int64_t ids[] = {0, 131071, 5, 77, 1 << 30, 2};
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_INT64;
  positions.ids = ids;
  positions.count = 6;
  ASSERT_EQ(ropewalk_angle_table_fill(table.get(), &positions, rows->c.get(), 0,
                                      nullptr),
            ROPEWALK_OK);
  const auto cc_table =
      AngleTable::Build(ComputeFrequencies(parameters).value()).value();
  ASSERT_TRUE(cc_table->Fill(Positions(ids, 6), &rows->cc).ok());
}

template <class T, size_t N>
const T& Any(const T (&list)[N], Random* random) {
  return list[random->Below(int64_t{N})];
}

// Windows, pairings and their changes.
RotaryLayout RandomLayout(Random* random) {
  const Pairing pairings[] = {Pairing::kHalf, Pairing::kInterleaved};
  RotaryLayout layout;
  layout.head_dim = 40;
  layout.rotary_dim = static_cast<int>(2 * random->Between(0, 10));
  layout.pairing = Any(pairings, random);
  layout.rotary_offset = static_cast<int>(random->Between(0, 8));
  layout.first_pair = static_cast<int>(random->Between(0, 6));
  if (random->Below(2) == 0) {
    layout.output_pairing = Any(pairings, random);
  } else if (layout.pairing == Pairing::kHalf) {
    layout.pair_distance =
        layout.rotary_dim / 2 + static_cast<int>(random->Between(0, 4));
  }
  return layout;
}

// What a call in C takes for the options of one in C++.
struct COptions {
  explicit COptions(const RotateOptions& options)
      : parallel(ToC(options.parallel)),
        norm(ToC(options.transform.norm)),
        transform(ToC(options.transform, &norm)) {
    value.direction = static_cast<int32_t>(options.direction);
    value.parallel = &parallel;
    value.transform = &transform;
  }
  COptions(const COptions&) = delete;
  COptions& operator=(const COptions&) = delete;

  ropewalk_parallel parallel;
  ropewalk_head_norm norm;
  ropewalk_head_transform transform;
  ropewalk_rotate_options value = ROPEWALK_ROTATE_OPTIONS_INIT;
};

TransformSpec RandomTransform(Random* random) {
  TransformSpec spec;
  if (random->Below(3) == 0) return spec;
  spec.kind =
      random->Below(2) == 0 ? HeadNorm::Kind::kRms : HeadNorm::Kind::kLayer;
  spec.offset = static_cast<int>(random->Between(0, 8));
  spec.size = static_cast<int>(random->Between(0, 32));
  spec.weight_type = Any(kAllTypes, random);
  // C refuses weights of no dims.
  spec.has_weight = spec.size > 0 && random->Below(2) == 0;
  spec.has_bias = spec.size > 0 && spec.kind == HeadNorm::Kind::kLayer &&
                  random->Below(2) == 0;
  spec.one_plus_weight = spec.has_weight && random->Below(2) == 0;
  spec.epsilon = random->Below(2) == 0 ? 1e-6f : 0.5f;
  spec.scale = random->Below(2) == 0 ? 1.0f : 0.375f;
  spec.has_token_scale = random->Below(2) == 0;
  return spec;
}

RotateOptions RandomOptions(const TransformCase& transform, Random* random) {
  const Direction directions[] = {Direction::kForward, Direction::kInverse,
                                  Direction::kTranspose};
  const Parallel ways[] = {Parallel::Serial(), Parallel::Tbb(),
                           Parallel::Share(0, 2), Parallel::Share(2, 3)};
  return {Any(directions, random), Any(ways, random), transform.transform()};
}

HeadsSpec RandomSpec(DataType type, Random* random) {
  HeadsSpec spec;
  spec.type = type;
  spec.batch = kBatch;
  spec.tokens = kTokens;
  spec.heads = random->Between(0, 4);
  spec.head_dim = 40;
  spec.order =
      random->Below(2) == 0 ? DimOrder::kTokensHeads : DimOrder::kHeadsTokens;
  spec.head_gap = random->Below(3);
  spec.outer_gap = random->Below(3);
  return spec;
}

using CRotateTest = AllTargets;

TEST_P(CRotateTest, InPlaceGivesTheBitsOfCpp) {
  Random random = Random::ForTest();
  RowsPair rows;
  FillRows(&rows);
  for (const int count : {0, 1, 2, 3, 8, 9, 20}) {
    for (int round = 0; round < 40; ++round) {
      const RotaryLayout layout = RandomLayout(&random);
      const TransformCase transform(RandomTransform(&random), kBatch * kTokens,
                                    &random);
      const RotateOptions options = RandomOptions(transform, &random);
      std::vector<Heads> got;
      std::vector<Heads> want;
      std::vector<ropewalk_heads> c_views;
      std::vector<HeadsView> views;
      for (int i = 0; i < count; ++i) {
        got.emplace_back(RandomSpec(Any(kAllTypes, &random), &random), &random);
        want.push_back(got.back().Copy());
        c_views.push_back(ToC(got.back().view()));
        views.push_back(want.back().view());
      }
      const ropewalk_rotary_layout c_layout = ToC(layout);
      const COptions c_options(options);
      ropewalk_error error = UsedError();
      const ropewalk_status code =
          ropewalk_rotate(rows.c.get(), &c_layout, c_views.data(), count,
                          &c_options.value, &error);
      EXPECT_TRUE(Alike(code, error,
                        Rotate(rows.cc, layout, views.data(), count, options)));
      ASSERT_EQ(code, ROPEWALK_OK) << error.message;
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].Bytes(), want[i].Bytes());
        EXPECT_TRUE(got[i].buffer().CanariesIntact());
      }
    }
  }
}

TEST_P(CRotateTest, OutOfPlaceGivesTheBitsOfCpp) {
  Random random = Random::ForTest();
  RowsPair rows;
  FillRows(&rows);
  for (const DataType in_type : kAllTypes) {
    for (const DataType out_type : kAllTypes) {
      for (int round = 0; round < 20; ++round) {
        const RotaryLayout layout = RandomLayout(&random);
        const TransformCase transform(RandomTransform(&random),
                                      kBatch * kTokens, &random);
        const RotateOptions options = RandomOptions(transform, &random);
        const COptions c_options(options);
        const Heads x(RandomSpec(in_type, &random), &random);
        HeadsSpec spec = RandomSpec(out_type, &random);
        spec.heads = x.spec().heads;
        const Heads got(spec, &random);
        const Heads want = got.Copy();
        const ropewalk_rotary_layout c_layout = ToC(layout);
        const ropewalk_const_heads in = ToCConst(x.view());
        const ropewalk_heads out = ToC(got.view());
        ropewalk_error error = UsedError();
        const ropewalk_status code = ropewalk_rotate_to(
            rows.c.get(), &c_layout, &in, &out, &c_options.value, &error);
        EXPECT_TRUE(
            Alike(code, error,
                  Rotate(rows.cc, layout, x.view(), want.view(), options)));
        ASSERT_EQ(code, ROPEWALK_OK) << error.message;
        EXPECT_EQ(got.Bytes(), want.Bytes());
      }
    }
  }
}

TEST_P(CRotateTest, PermutedWeightsAreThoseOfCpp) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      HeadsSpec spec;
      spec.type = type;
      spec.heads = 24;  // rows: 2 heads of 12
      spec.head_dim = 5;
      spec.head_gap = 3;
      const Heads got(spec, &random);
      const Heads want = got.Copy();
      RotaryLayout layout;
      layout.head_dim = 12;
      layout.rotary_dim = 8;
      layout.rotary_offset = 2;
      layout.pairing =
          pairing == Pairing::kHalf ? Pairing::kInterleaved : Pairing::kHalf;
      const ropewalk_rotary_layout c_layout = ToC(layout);
      ropewalk_projection projection = ROPEWALK_PROJECTION_INIT;
      projection.type = TypeToC(type);
      projection.data = got.view().data;
      projection.heads = 2;
      projection.columns = 5;
      projection.row_stride = 8 * SizeOf(type);
      const ProjectionView view{want.view().data, type, 2, 5, 8 * SizeOf(type)};
      for (const Parallel& parallel :
           {Parallel::Share(1, 2), Parallel::Share(0, 2), Parallel::Share(2, 2),
            Parallel::Serial()}) {
        const ropewalk_parallel c_parallel = ToC(parallel);
        ropewalk_error error = UsedError();
        const ropewalk_status code = ropewalk_permute_pairing(
            &projection, &c_layout, PairingToC(pairing), &c_parallel, &error);
        EXPECT_TRUE(Alike(code, error,
                          PermutePairing(view, layout, pairing, parallel)));
        EXPECT_EQ(code == ROPEWALK_OK, parallel.index() < parallel.count());
        EXPECT_EQ(got.Bytes(), want.Bytes());
      }
    }
  }
}

// Each breaks one rule of one argument.
struct Broken {
  RotaryLayout layout;
  HeadsView view;
  RotateOptions options;
};

std::vector<Broken> BrokenCalls(const Broken& good) {
  std::vector<Broken> calls(20, good);
  calls[0].layout.rotary_dim = 7;
  calls[1].layout.head_dim = 0;
  calls[2].layout.rotary_offset = 39;
  calls[3].layout.pair_distance = 1;
  calls[4].layout.first_pair = 15;
  calls[5].layout.rotary_offset = -1;
  calls[6].view.tokens = -1;
  calls[7].view.data = nullptr;
  calls[8].view.tokens = 4;
  calls[9].view.heads = -1;
  calls[10].view.head_stride += 1;
  calls[11].view.head_stride = 4;
  calls[12].options.direction = static_cast<Direction>(3);
  calls[13].options.parallel = Parallel::Share(2, 2);
  calls[14].options.transform.norm.size = 41;
  calls[15].options.transform.norm.size = 4;
  calls[15].options.transform.norm.kind = static_cast<HeadNorm::Kind>(2);
  calls[16].options.transform.norm.size = 4;
  calls[16].options.transform.norm.offset = -1;
  calls[17].options.transform.norm.size = 4;
  calls[17].options.transform.norm.epsilon = -1;
  calls[18].layout.head_dim = 5000;
  calls[18].layout.rotary_dim = 0;
  calls[18].view.head_stride = calls[18].view.token_stride = 20000;
  calls[18].view.heads = calls[18].view.tokens = 1;
  calls[18].view.batch = 1;
  calls[18].options.transform.scale = 2;
  calls[19].view.batch_stride = INT64_MAX & ~int64_t{3};
  return calls;
}

TEST_P(CRotateTest, ErrorsComeThroughAndWriteNothing) {
  Random random = Random::ForTest();
  RowsPair rows;
  FillRows(&rows);
  HeadsSpec spec{DataType::kF32, kBatch, kTokens, 2, 40};
  const Heads x(spec, &random);
  const std::vector<uint8_t> before = x.Bytes();
  Broken good;
  good.layout.head_dim = 40;
  good.layout.rotary_dim = 20;
  good.view = x.view();
  int i = 0;
  for (const Broken& broken : BrokenCalls(good)) {
    SCOPED_TRACE(i++);
    const ropewalk_rotary_layout c_layout = ToC(broken.layout);
    const COptions c_options(broken.options);
    const ropewalk_heads two[] = {ToC(broken.view), ToC(broken.view)};
    ropewalk_error error = UsedError();
    ropewalk_status code = ropewalk_rotate(rows.c.get(), &c_layout, two, 1,
                                           &c_options.value, &error);
    const Status want =
        Rotate(rows.cc, broken.layout, {broken.view}, broken.options);
    EXPECT_FALSE(want.ok());
    EXPECT_TRUE(Alike(code, error, want));
    const ropewalk_const_heads in = ToCConst(broken.view);
    code = ropewalk_rotate_to(rows.c.get(), &c_layout, &in, &two[0],
                              &c_options.value, &error);
    EXPECT_TRUE(
        Alike(code, error,
              Rotate(rows.cc, broken.layout, ConstHeadsView(broken.view),
                     broken.view, broken.options)));
    EXPECT_EQ(x.Bytes(), before);
  }
  // The same memory twice, and counts.
  const ropewalk_rotary_layout c_layout = ToC(good.layout);
  const ropewalk_heads two[] = {ToC(good.view), ToC(good.view)};
  ropewalk_error error = UsedError();
  const ropewalk_status code =
      ropewalk_rotate(rows.c.get(), &c_layout, two, 2, nullptr, &error);
  EXPECT_TRUE(Alike(
      code, error,
      Rotate(rows.cc, good.layout, {good.view, good.view}, RotateOptions{})));
  EXPECT_NE(code, ROPEWALK_OK);
  for (const int count : {-1, INT32_MIN}) {
    EXPECT_TRUE(Fails(
        ropewalk_rotate(rows.c.get(), &c_layout, two, count, nullptr, &error),
        error, ROPEWALK_INVALID_ARGUMENT));
  }
  EXPECT_EQ(x.Bytes(), before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CRotateTest);

}  // namespace
}  // namespace ropewalk::test
