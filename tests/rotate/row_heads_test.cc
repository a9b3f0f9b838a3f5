// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows with heads: each head of a tensor turns, bit for bit, as a call with the
// rows of its own row head alone would turn it.
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "rotate/host_table.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using RowHeadsTest = AllTargets;

constexpr int kRowHeads = 4;
constexpr int kPairs = 32;
constexpr Direction kDirections[] = {Direction::kForward, Direction::kInverse,
                                     Direction::kTranspose};

HostTable TableOf(int64_t rows, Random* random, int heads = kRowHeads) {
  return HostTable({TableLayout::kCosSin, DataType::kF32, rows, kPairs, heads},
                   random);
}

AngleRows RowsOf(const HostTable& table, const std::vector<int64_t>& ids) {
  AngleRows rows;
  const Status status = rows.Gather(
      table.view(), Positions(ids.data(), static_cast<int64_t>(ids.size())));
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

// A partial window in heads of 80 dims.
RotaryLayout DrawLayout(Random* random) {
  RotaryLayout layout =
      FullLayout(80, random->Below(2) ? Pairing::kHalf : Pairing::kInterleaved);
  layout.rotary_dim = 48;
  layout.rotary_offset = static_cast<int>(random->Below(33));
  layout.first_pair = static_cast<int>(random->Below(9));
  return layout;
}

std::vector<int64_t> DrawRows(int64_t count, int64_t bound, Random* random) {
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(random->Below(bound));
  return ids;
}

void ExpectRotated(const AngleRows& rows, const RotaryLayout& layout,
                   const std::vector<HeadsView>& views,
                   const RotateOptions& options) {
  const Status status = Rotate(rows, layout, views.data(),
                               static_cast<int>(views.size()), options);
  EXPECT_TRUE(status.ok()) << status.message();
}

// Q and K, whole and in shares.
TEST_P(RowHeadsTest, EveryWayOfSplittingIsHeadByHead) {
  Random random = Random::ForTest();
  const HostTable table = TableOf(50, &random);
  for (const DataType type : kAllTypes) {
    for (const DimOrder order :
         {DimOrder::kTokensHeads, DimOrder::kHeadsTokens}) {
      for (const int64_t tokens : {1, 3, 37}) {
        const RotaryLayout layout = DrawLayout(&random);
        const auto ids =
            DrawRows(random.Below(2) ? tokens : 2 * tokens, 50, &random);
        const AngleRows rows = RowsOf(table, ids);
        const Heads q({type, 2, tokens, 12, 80, order, 1}, &random);
        const Heads k({type, 2, tokens, 4, 80, order}, &random);
        RotateOptions options;
        options.direction = kDirections[random.Below(3)];
        const Heads q_want = q.Copy(), k_want = k.Copy();
        table.RotateHeadByHead(ids, layout, options, q_want.view());
        table.RotateHeadByHead(ids, layout, options, k_want.view());
        for (const int count : {0, 1, 2, 3, 5, 8, 64}) {
          const Heads q_got = q.Copy(), k_got = k.Copy();
          if (count == 0) options.parallel = Parallel::Tbb();
          for (int i = count - 1; i >= 0; --i) {
            options.parallel = Parallel::Share(i, count);
            ExpectRotated(rows, layout, {q_got.view(), k_got.view()}, options);
          }
          if (count == 0) {
            ExpectRotated(rows, layout, {q_got.view(), k_got.view()}, options);
          }
          options.parallel = Parallel::Serial();
          EXPECT_EQ(q_got.Bytes(), q_want.Bytes()) << count << " shares";
          EXPECT_EQ(k_got.Bytes(), k_want.Bytes()) << count << " shares";
        }
      }
    }
  }
}

// FoPE: tables of 8 KV heads, 64 query heads; and more tensors than a job.
TEST_P(RowHeadsTest, ManyTensorsShareTheRows) {
  Random random = Random::ForTest();
  const HostTable table = TableOf(9, &random, 8);
  const std::vector<int64_t> ids = {8, 1, 0};
  const AngleRows rows = RowsOf(table, ids);
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  std::vector<Heads> got, want;
  std::vector<HeadsView> views;
  for (const int64_t heads : {64, 8, 8, 16, 8, 24, 8, 8, 8, 40}) {
    got.emplace_back(Heads({DataType::kBF16, 1, 3, heads, 64}, &random));
    want.push_back(got.back().Copy());
    table.RotateHeadByHead(ids, layout, RotateOptions{}, want.back().view());
  }
  for (const Heads& heads : got) views.push_back(heads.view());
  ExpectRotated(rows, layout, views, RotateOptions{});
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].Bytes(), want[i].Bytes()) << "tensor " << i;
  }
}

TEST_P(RowHeadsTest, TransformsGoAlong) {
  Random random = Random::ForTest();
  const HostTable table = TableOf(50, &random);
  TransformSpec spec;
  spec.size = 80;
  spec.has_weight = spec.has_token_scale = true;
  spec.scale = 0.5f;
  for (const DataType type : kAllTypes) {
    const RotaryLayout layout = DrawLayout(&random);
    const auto ids = DrawRows(5, 50, &random);
    const TransformCase transform(spec, 5, &random);
    RotateOptions options;
    options.transform = transform.transform();
    const Heads got({type, 1, 5, 8, 80}, &random);
    const Heads want = got.Copy();
    table.RotateHeadByHead(ids, layout, options, want.view());
    ExpectRotated(RowsOf(table, ids), layout, {got.view()}, options);
    EXPECT_EQ(got.Bytes(), want.Bytes()) << NameOf(type);
  }
}

TEST_P(RowHeadsTest, OutOfPlaceConverts) {
  Random random = Random::ForTest();
  const HostTable table = TableOf(50, &random);
  for (const DataType to : kAllTypes) {
    const RotaryLayout layout = DrawLayout(&random);
    const auto ids = DrawRows(5, 50, &random);
    const Heads x({DataType::kF32, 1, 5, 8, 80}, &random);
    Heads got({to, 1, 5, 8, 80, DimOrder::kHeadsTokens}, &random);
    const Heads want = got.Copy();
    for (int h = 0; h < 8; ++h) {
      const Step step = table.StepOf(h / 2, ids);
      ASSERT_TRUE(Rotate(step.rows, layout, Slice(x.view(), h, 1),
                         Slice(want.view(), h, 1), RotateOptions{})
                      .ok());
    }
    ASSERT_TRUE(Rotate(RowsOf(table, ids), layout, x.view(), got.view(),
                       RotateOptions{})
                    .ok());
    EXPECT_EQ(got.Bytes(), want.Bytes()) << NameOf(to);
    EXPECT_TRUE(got.buffer().CanariesIntact());
  }
}

// A row that turns nothing for one head turns the others.
TEST_P(RowHeadsTest, IdentityIsOfARowAndAHead) {
  Random random = Random::ForTest();
  HostTable table = TableOf(3, &random);
  table.MakeIdentity(1, 2);
  const AngleRows rows = RowsOf(table, {0, 1, 2});
  const Heads x({DataType::kF32, 1, 3, 2 * kRowHeads, 64}, &random);
  Heads got = x.Copy();
  for (const int64_t head : {4, 5}) {
    got.SetBits(0, 1, head, 3, 0x7f800abc);  // a signalling NaN
    got.SetBits(0, 1, head, 5, 0x80000000);
  }
  const Heads before = got.Copy();
  ExpectRotated(rows, FullLayout(64, Pairing::kHalf), {got.view()},
                RotateOptions{});
  for (int64_t t = 0; t < 3; ++t) {
    for (int h = 0; h < 2 * kRowHeads; ++h) {
      const bool stays = t == 1 && h / 2 == 2;
      EXPECT_EQ(rows.identity(t, h / 2), stays);
      const bool same =
          std::memcmp(got.Element(0, t, h, 0), before.Element(0, t, h, 0),
                      64 * sizeof(float)) == 0;
      EXPECT_EQ(same, stays) << "token " << t << " head " << h;
    }
  }
}

// kInverse is the transpose over m^2, whether or not that undoes the rows.
TEST_P(RowHeadsTest, TheInverseIsTheTransposeOverTheSquare) {
  Random random = Random::ForTest();
  const HostTable table = TableOf(3, &random);
  ConstCosSinView view = table.view();
  view.attention_factor = 2;  // so that 1 / m^2 rounds nothing
  Result<AngleRows> rows = AngleRows::Wrap(view);
  ASSERT_TRUE(rows.ok());
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Heads inverse({DataType::kF32, 1, 3, kRowHeads, 64}, &random);
  const Heads transpose = inverse.Copy();
  RotateOptions options;
  options.direction = Direction::kInverse;
  ExpectRotated(rows.value(), layout, {inverse.view()}, options);
  options.direction = Direction::kTranspose;
  ExpectRotated(rows.value(), layout, {transpose.view()}, options);
  for (int64_t t = 0; t < 3; ++t) {
    for (int h = 0; h < kRowHeads; ++h) {
      for (int d = 0; d < 64; ++d) {
        ASSERT_EQ(4 * inverse.Get(0, t, h, d), transpose.Get(0, t, h, d));
      }
    }
  }
}

TEST(RowHeadsErrorsTest, HeadsThatAreNoMultiple) {
  Random random = Random::ForTest();
  const AngleRows rows = RowsOf(TableOf(3, &random), {0, 1, 2});
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  const Heads q({DataType::kF32, 1, 3, 8, 64}, &random);
  const Heads k({DataType::kF32, 1, 3, 6, 64}, &random);
  const Heads out({DataType::kF32, 1, 3, 6, 64}, &random);
  const auto q_before = q.Bytes(), out_before = out.Bytes();
  const Status in_place =
      Rotate(rows, layout, {q.view(), k.view()}, RotateOptions{});
  EXPECT_EQ(in_place.code(), StatusCode::kInvalidArgument);
  EXPECT_STREQ(in_place.message(),
               "in_place[1].heads = 6: must be a multiple of the rows' heads, "
               "4");
  EXPECT_EQ(Rotate(rows, layout, k.view(), out.view(), RotateOptions{}).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(q.Bytes(), q_before);
  EXPECT_EQ(out.Bytes(), out_before);
}

// Nothing turns, no row is looked at, and values have heads of any number.
TEST_P(RowHeadsTest, WithoutRotaryDimsHeadsAreCopied) {
  Random random = Random::ForTest();
  const AngleRows rows = RowsOf(TableOf(3, &random), {0, 1, 2});
  RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  layout.rotary_dim = 0;
  const Heads x({DataType::kF32, 1, 3, 7, 64}, &random);
  const Heads y({DataType::kF32, 1, 3, 7, 64}, &random);
  ASSERT_TRUE(Rotate(rows, layout, x.view(), y.view(), RotateOptions{}).ok());
  EXPECT_EQ(x.Bytes(), y.Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(RowHeadsTest);

}  // namespace
}  // namespace ropewalk::test
