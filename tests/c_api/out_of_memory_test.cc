// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of every allocation that is refused. An executable of its own:
// it replaces operator new.
#include <cstdint>
#include <functional>
#include <vector>

#include "c_api/arguments.h"
#include "gtest/gtest.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

using Call = std::function<ropewalk_status(ropewalk_error* error)>;

// Makes what a call needs while nothing is refused; it counts for nothing.
template <class Make>
auto Prepared(const Make& make) {
  const int64_t at = refused_at;
  refused_at = INT64_MAX;
  const int64_t before = allocations;
  auto made = make();
  if (at != INT64_MAX) refused_at = at + (allocations - before);
  return made;
}

// Refuses the first, the second, ... allocation of a call until it makes fewer:
// each must be reported, and nothing be kept.
template <class T>
void ExpectOutOfMemory(
    const char* name,
    const std::function<ropewalk_status(T** made, ropewalk_error*)>& call,
    void (*destroy)(T*)) {
  SCOPED_TRACE(name);
  int failures = 0;
  for (int64_t number = 1;; ++number) {
    ropewalk_error error = UsedError();
    T* made = nullptr;
    const int64_t before = alive;
    refused_at = allocations + number;
    const ropewalk_status code = call(&made, &error);
    const bool refused = allocations >= refused_at;
    refused_at = INT64_MAX;
    if (!refused) {
      EXPECT_EQ(code, ROPEWALK_OK) << error.message;
      if (destroy != nullptr) destroy(made);
      EXPECT_EQ(alive, before) << number;
      break;
    }
    ++failures;
    EXPECT_TRUE(Fails(code, error, ROPEWALK_OUT_OF_MEMORY)) << number;
    EXPECT_EQ(made, nullptr) << number;
    EXPECT_EQ(alive, before) << number;
    ASSERT_LT(number, 1000);
  }
  EXPECT_GT(failures, 0);
}

// Of a call without a result.
void ExpectOutOfMemory(const char* name, const Call& call) {
  ExpectOutOfMemory<char>(
      name, [&](char**, ropewalk_error* error) { return call(error); },
      nullptr);
}

TEST(COutOfMemoryTest, OfFrequencies) {
  Arguments a;
  const auto destroy = ropewalk_frequencies_destroy;
  const auto compute = [&](auto** made, auto* e) {
    return ropewalk_compute_frequencies(&a.parameters, 0, made, e);
  };
  ExpectOutOfMemory<ropewalk_frequencies>("plain", compute, destroy);
  const double list[] = {1, 2, 3, 4};
  const float floats[] = {1, 2, 3, 4};
  const uint8_t axis[] = {0, 1, 0, 1};
  a.parameters.axis = axis;
  a.parameters.axis_count = 4;
  ropewalk_double_list values = ROPEWALK_DOUBLE_LIST_INIT;
  values.values = list;
  values.count = 4;
  a.parameters.scaling = &values;
  for (const ropewalk_scheme scheme :
       {ROPEWALK_FREQUENCY_FACTORS, ROPEWALK_EXPLICIT}) {
    a.parameters.scheme = scheme;
    ExpectOutOfMemory<ropewalk_frequencies>("list", compute, destroy);
  }
  ropewalk_longrope_scaling longrope = ROPEWALK_LONGROPE_SCALING_INIT;
  longrope.short_factor = longrope.long_factor = list;
  longrope.short_count = longrope.long_count = 4;
  longrope.original_positions = 4096;
  longrope.max_positions = 8192;
  a.parameters.scheme = ROPEWALK_LONGROPE;
  a.parameters.scaling = &longrope;
  ExpectOutOfMemory<ropewalk_frequencies>("longrope", compute, destroy);
  ropewalk_ggml_scaling ggml = ROPEWALK_GGML_SCALING_INIT;
  ggml.n_ctx_orig = 4096;
  ggml.ext_factor = 1;
  ggml.freq_factors = floats;
  ggml.freq_factor_count = 4;
  a.parameters.scheme = ROPEWALK_GGML;
  a.parameters.scaling = &ggml;
  ExpectOutOfMemory<ropewalk_frequencies>("ggml", compute, destroy);
  ExpectOutOfMemory("bands", [&](auto* e) {
    return ropewalk_compute_bands(&a.parameters, 0, 0, nullptr, nullptr, 0, e);
  });
  ExpectOutOfMemory<ropewalk_frequencies>(
      "table",
      [&](auto** made, auto* e) {
        return ropewalk_angle_table_frequencies(a.table.get(), made, e);
      },
      destroy);
}

TEST(COutOfMemoryTest, OfAxesAndEncoders) {
  const auto destroy = ropewalk_frequencies_destroy;
  const uint8_t components[] = {0, 1};
  const int32_t sections[] = {4, 4, 0, 0};
  ExpectOutOfMemory<ropewalk_frequencies>(
      "axial",
      [&](auto** made, auto* e) {
        return ropewalk_axial_frequencies(16, components, 2, 1e4, made, e);
      },
      destroy);
  ExpectOutOfMemory<ropewalk_frequencies>(
      "chatglm",
      [&](auto** made, auto* e) {
        return ropewalk_chatglm_frequencies(16, 1e4, made, e);
      },
      destroy);
  ExpectOutOfMemory<ropewalk_frequencies>(
      "pixtral",
      [&](auto** made, auto* e) {
        return ropewalk_pixtral_frequencies(16, 1e4, made, e);
      },
      destroy);
  ExpectOutOfMemory<ropewalk_frequencies>(
      "ggml",
      [&](auto** made, auto* e) {
        return ropewalk_ggml_vision_frequencies(8, sections, 4, 1e4, made, e);
      },
      destroy);
  ExpectOutOfMemory<ropewalk_frequencies>(
      "sinusoidal",
      [&](auto** made, auto* e) {
        return ropewalk_sinusoidal_frequencies(
            16, 1e4, ROPEWALK_LADDER_BY_WIDTH, made, e);
      },
      destroy);
  // Some rules take three sections, and time last.
  const int32_t three[] = {2, 2, 4};
  for (int32_t rule = 0; rule <= ROPEWALK_ERNIE_AXES; ++rule) {
    uint8_t axis[8];
    const bool takes_three = rule >= ROPEWALK_BALANCED_AXES;
    ExpectOutOfMemory("axes", [&](auto* e) {
      return ropewalk_write_axes(rule, takes_three ? three : sections,
                                 takes_three ? 3 : 4, axis, 8, e);
    });
  }
  ropewalk_rotary_layout layouts[2] = {ROPEWALK_ROTARY_LAYOUT_INIT,
                                       ROPEWALK_ROTARY_LAYOUT_INIT};
  ExpectOutOfMemory("layouts", [&](auto* e) {
    return ropewalk_axial_part_layouts(16, 2, layouts, e);
  });
}

TEST(COutOfMemoryTest, OfTables) {
  Arguments a;
  const auto destroy = ropewalk_angle_table_destroy;
  for (const int32_t kind :
       {ROPEWALK_FACTORED_TABLE, ROPEWALK_DENSE_TABLE, ROPEWALK_DIRECT_TABLE}) {
    a.angle_options.kind = kind;
    a.angle_options.dense_positions = 64;
    ExpectOutOfMemory<ropewalk_angle_table>(
        "build",
        [&](auto** made, auto* e) {
          return ropewalk_angle_table_build(a.frequencies.get(),
                                            &a.angle_options, nullptr, made, e);
        },
        destroy);
  }
  // A cache of their own: one that has the table allocates less.
  const auto with_cache = [&](const auto& get) {
    return [&](ropewalk_angle_table** made, ropewalk_error* e) {
      const CAngleCache cache = Prepared([] {
        ropewalk_angle_cache* empty = nullptr;
        EXPECT_EQ(ropewalk_angle_cache_create(1 << 20, &empty, nullptr),
                  ROPEWALK_OK);
        return CAngleCache(empty);
      });
      return get(cache.get(), made, e);
    };
  };
  const auto by_parameters = [&](auto* cache, auto** made, auto* e) {
    return ropewalk_angle_cache_get(cache, &a.parameters, 0, nullptr, made, e);
  };
  const auto by_frequencies = [&](auto* cache, auto** made, auto* e) {
    return ropewalk_angle_cache_get_frequencies(cache, a.frequencies.get(),
                                                nullptr, made, e);
  };
  ExpectOutOfMemory<ropewalk_angle_table>("get", with_cache(by_parameters),
                                          destroy);
  ExpectOutOfMemory<ropewalk_angle_table>("get", with_cache(by_frequencies),
                                          destroy);
}

// As C++ has it: a cache that got no memory says so at each get.
TEST(COutOfMemoryTest, OfAnAngleCache) {
  Arguments a;
  for (int64_t number = 1; number <= 3; ++number) {
    const int64_t before = alive;
    ropewalk_error error = UsedError();
    ropewalk_angle_cache* cache = nullptr;
    refused_at = allocations + number;
    const ropewalk_status code =
        ropewalk_angle_cache_create(1 << 20, &cache, &error);
    const bool refused = allocations >= refused_at;
    refused_at = INT64_MAX;
    if (code == ROPEWALK_OK) {
      ropewalk_angle_table* table = nullptr;
      const ropewalk_status got = ropewalk_angle_cache_get(
          cache, &a.parameters, 0, nullptr, &table, &error);
      EXPECT_EQ(got, refused ? ROPEWALK_OUT_OF_MEMORY : ROPEWALK_OK);
      EXPECT_EQ(table == nullptr, refused);
      ropewalk_angle_table_destroy(table);
    } else {
      EXPECT_TRUE(Fails(code, error, ROPEWALK_OUT_OF_MEMORY));
      EXPECT_EQ(cache, nullptr);
    }
    ropewalk_angle_cache_destroy(cache);
    EXPECT_EQ(alive, before);
  }
}

// Every refusal in the middle of a get, and the same cache right after it. No
// table fits its limit, so that each is freed when it is let go.
TEST(COutOfMemoryTest, ACacheGoesOnAfterEachRefusal) {
  Arguments a;
  ropewalk_angle_cache* made = nullptr;
  ASSERT_EQ(ropewalk_angle_cache_create(1, &made, nullptr), ROPEWALK_OK);
  const CAngleCache cache(made);
  int64_t number = 1;
  for (bool refused = true; refused; ++number) {
    ASSERT_LT(number, 1000);
    ropewalk_error error = UsedError();
    ropewalk_angle_table* table = nullptr;
    refused_at = allocations + number;
    const ropewalk_status code = ropewalk_angle_cache_get(
        cache.get(), &a.parameters, 0, nullptr, &table, &error);
    refused = allocations >= refused_at;
    refused_at = INT64_MAX;
    EXPECT_EQ(code, refused ? ROPEWALK_OUT_OF_MEMORY : ROPEWALK_OK) << number;
    EXPECT_EQ(table == nullptr, refused) << number;
    ropewalk_angle_table_destroy(table);
    ropewalk_angle_table* again = nullptr;
    EXPECT_EQ(ropewalk_angle_cache_get(cache.get(), &a.parameters, 0, nullptr,
                                       &again, &error),
              ROPEWALK_OK)
        << error.message;
    EXPECT_GT(ropewalk_angle_table_bytes(again), 1u);
    ropewalk_angle_table_destroy(again);
    ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
    EXPECT_EQ(ropewalk_angle_cache_get_stats(cache.get(), &stats, nullptr),
              ROPEWALK_OK);
    EXPECT_EQ(stats.bytes, 0u) << number;
  }
  EXPECT_GT(number, 2);
}

TEST(COutOfMemoryTest, OfRows) {
  Arguments a;
  ExpectOutOfMemory<ropewalk_angle_rows>("create", ropewalk_angle_rows_create,
                                         ropewalk_angle_rows_destroy);
  // Rows of their own, which are as they were after a failure.
  const auto with_rows = [&](const auto& call) {
    return [&](ropewalk_error* e) {
      const CRows rows = Prepared(MakeRows);
      const ropewalk_status code = call(rows.get(), e);
      EXPECT_EQ(ropewalk_angle_rows_count(rows.get()) == 0,
                code != ROPEWALK_OK);
      return code;
    };
  };
  const auto* const t = a.table.get();
  ExpectOutOfMemory("fill", with_rows([&](auto* rows, auto* e) {
                      return ropewalk_angle_table_fill(t, &a.positions, rows, 0,
                                                       e);
                    }));
  ExpectOutOfMemory("rotation", with_rows([&](auto* rows, auto* e) {
                      return ropewalk_angle_table_fill_rotation(t, &a.positions,
                                                                rows, 0, e);
                    }));
  ExpectOutOfMemory("rerotation", with_rows([&](auto* rows, auto* e) {
                      return ropewalk_angle_table_fill_rerotation(
                          t, t, &a.positions, rows, e);
                    }));
  a.host_table.type = ROPEWALK_BF16;
  ExpectOutOfMemory("wrap", with_rows([&](auto* rows, auto* e) {
                      return ropewalk_angle_rows_wrap(rows, &a.host_table, e);
                    }));
  a.positions.first = 0;
  ExpectOutOfMemory("gather", with_rows([&](auto* rows, auto* e) {
                      return ropewalk_angle_rows_gather(rows, &a.host_table,
                                                        &a.positions, e);
                    }));
  ExpectOutOfMemory("reserve", [&](auto* e) {
    const CRows rows = Prepared(MakeRows);
    return ropewalk_angle_rows_reserve(rows.get(), 9, 4, 1, e);
  });
}

TEST(COutOfMemoryTest, OfCallsThatWrite) {
  Arguments a;
  std::vector<ropewalk_heads> heads(9, a.heads[0]);
  for (ropewalk_heads& view : heads) view.heads = 0;
  heads[8].heads = 2;
  ExpectOutOfMemory("rotate", [&](auto* e) {
    return ropewalk_rotate(a.rows.get(), &a.layout, heads.data(), 9, nullptr,
                           e);
  });
  ExpectOutOfMemory("move", [&](auto* e) {
    return ropewalk_move_cache(a.rows.get(), &a.layout, &a.k_cache, &a.slots,
                               &a.other_slots, nullptr, e);
  });
  ExpectOutOfMemory("rerotate", [&](auto* e) {
    return ropewalk_rerotate_tables(a.table.get(), a.table.get(), &a.layout,
                                    &a.k_cache, &a.slots, &a.positions, nullptr,
                                    e);
  });
}

TEST(COutOfMemoryTest, OfPrompts) {
  Arguments a;
  const auto destroy = ropewalk_multimodal_positions_destroy;
  ExpectOutOfMemory<ropewalk_multimodal_positions>(
      "create",
      [&](auto** made, auto* e) {
        return ropewalk_multimodal_positions_create(&a.rules, made, e);
      },
      destroy);
  ExpectOutOfMemory<ropewalk_multimodal_positions>(
      "copy",
      [&](auto** made, auto* e) {
        return ropewalk_multimodal_positions_copy(a.multimodal.get(), made, e);
      },
      destroy);
}

}  // namespace
}  // namespace ropewalk::test
