// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine_case.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

// The hidden state of one token in flat outputs, less another one.
double DistanceAt(const float* a, const double* b, size_t size) {
  double square = 0;
  for (size_t i = 0; i < size; ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    square += difference * difference;
  }
  return std::sqrt(square);
}

// NaN must not pass for less than anything.
double Larger(double a, double b) { return b <= a ? a : b; }

}  // namespace

RopeCase MakeRope(const std::string& name, int rotary_dim, Pairing pairing,
                  double attention_factor,
                  const std::vector<double>& divisors) {
  RopeCase rope;
  rope.name = name;
  rope.pairing = pairing;
  rope.reference.inv_freq = reference::PlainInvFreq(rotary_dim, 10000);
  for (size_t i = 0; i < divisors.size(); ++i) {
    rope.reference.inv_freq[i] /= divisors[i];
  }
  rope.reference.attention_factor = attention_factor;
  rope.parameters.rotary_dim = rotary_dim;
  rope.parameters.scaling =
      ExplicitFrequencies{rope.reference.inv_freq, attention_factor};
  RotaryLayout layout;
  layout.rotary_dim = rotary_dim;
  layout.pairing = pairing;
  rope.reference.window = WindowOf(layout);
  return rope;
}

std::vector<RopeCase> RopeCases() {
  return {MakeRope("half", 64, Pairing::kHalf),
          MakeRope("interleaved", 64, Pairing::kInterleaved),
          MakeRope("40 of 64 dims", 40, Pairing::kHalf),
          MakeRope("attention factor 1.2", 64, Pairing::kHalf, 1.2)};
}

DecoderOptions OptionsOf(const RopeCase& rope) {
  DecoderOptions options;
  options.rope = rope.parameters;
  options.pairing = rope.pairing;
  return options;
}

ModelShape ShapeOf(int layers) {
  ModelShape shape;
  shape.layers = layers;
  return shape;
}

std::vector<int> MakeTokens(const ModelShape& shape, int count, uint64_t seed) {
  Random random(seed);
  std::vector<int> tokens(static_cast<size_t>(count));
  for (int& token : tokens) {
    token = static_cast<int>(random.Below(shape.vocabulary));
  }
  return tokens;
}

std::vector<int> Part(const std::vector<int>& tokens, size_t first,
                      size_t count) {
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

std::vector<int> Joined(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

std::vector<float> TakeStep(Decoder* decoder, Sequence* sequence,
                            const std::vector<int>& tokens) {
  std::vector<float> outputs;
  const Status status = decoder->Forward({{sequence, tokens}}, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

std::vector<uint16_t> CachedBits(Decoder* decoder, const Sequence& sequence) {
  const ModelShape& shape = decoder->model().shape;
  std::vector<uint16_t> bits;
  for (int layer = 0; layer < shape.layers; ++layer) {
    for (const int64_t slot : sequence.slots) {
      for (int head = 0; head < shape.kv_heads; ++head) {
        const uint16_t* k = decoder->cache().Key(layer, slot, head);
        const uint16_t* v = decoder->cache().Value(layer, slot, head);
        bits.insert(bits.end(), k, k + shape.head_dim);
        bits.insert(bits.end(), v, v + shape.head_dim);
      }
    }
  }
  return bits;
}

std::vector<uint16_t> CachedValueBits(Decoder* decoder,
                                      const Sequence& sequence, int layer) {
  const ModelShape& shape = decoder->model().shape;
  std::vector<uint16_t> bits;
  for (const int64_t slot : sequence.slots) {
    for (int head = 0; head < shape.kv_heads; ++head) {
      const uint16_t* v = decoder->cache().Value(layer, slot, head);
      bits.insert(bits.end(), v, v + shape.head_dim);
    }
  }
  return bits;
}

std::vector<std::vector<double>> CachedKeys(Decoder* decoder,
                                            const Sequence& sequence,
                                            int layer) {
  const ModelShape& shape = decoder->model().shape;
  std::vector<std::vector<double>> keys;
  for (const int64_t slot : sequence.slots) {
    keys.emplace_back();
    for (int head = 0; head < shape.kv_heads; ++head) {
      const uint16_t* k = decoder->cache().Key(layer, slot, head);
      for (int i = 0; i < shape.head_dim; ++i) {
        keys.back().push_back(reference::FromBF16(k[i]));
      }
    }
  }
  return keys;
}

double UsedOfBound(const std::vector<float>& outputs,
                   const ReferenceOutput& reference) {
  const size_t hidden = reference.hidden.front().size();
  const size_t tokens = outputs.size() / hidden;
  const size_t first = reference.hidden.size() - tokens;
  double used = 0;
  for (size_t t = 0; t < tokens; ++t) {
    const double error = DistanceAt(outputs.data() + t * hidden,
                                    reference.hidden[first + t].data(), hidden);
    used = Larger(used, error / reference.bound[first + t]);
  }
  return used;
}

double UsedByDifference(const std::vector<float>& a,
                        const std::vector<float>& b,
                        const ReferenceOutput& bound_of_a,
                        const ReferenceOutput& bound_of_b) {
  EXPECT_EQ(a.size(), b.size());
  const size_t hidden = bound_of_a.hidden.front().size();
  const size_t tokens = a.size() / hidden;
  const std::vector<double> twin(b.begin(), b.end());
  double used = 0;
  for (size_t t = 0; t < tokens; ++t) {
    const double bound =
        bound_of_a.bound[bound_of_a.bound.size() - tokens + t] +
        bound_of_b.bound[bound_of_b.bound.size() - tokens + t];
    used = Larger(used, DistanceAt(a.data() + t * hidden,
                                   twin.data() + t * hidden, hidden) /
                            bound);
  }
  return used;
}

double Report(const std::string& name, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  std::printf("[   REPORT ] %s: %s\n", name.c_str(), text);
  std::string key = name;
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  testing::Test::RecordProperty(key, text);
  return value;
}

testing::AssertionResult KeysAgreeButForARounding(
    const RotaryLayout& layout, const std::vector<std::vector<double>>& turned,
    const std::vector<std::vector<double>>& fresh) {
  if (turned.size() != fresh.size()) {
    return testing::AssertionFailure() << "other numbers of tokens";
  }
  const reference::Window window = WindowOf(layout);
  const auto dims = static_cast<size_t>(layout.head_dim);
  for (size_t t = 0; t < fresh.size(); ++t) {
    // The second order, and float32 in between, are worth 4 u^2 at most.
    constexpr double kU = kBF16Roundoff + 4 * kBF16Roundoff * kBF16Roundoff;
    std::vector<double> allowed(fresh[t].size(), 0);
    for (size_t head = 0; head < fresh[t].size(); head += dims) {
      for (int i = 0; i < window.pairs; ++i) {
        const size_t a = head + static_cast<size_t>(Member0(window, i));
        const size_t b = head + static_cast<size_t>(Member1(window, i));
        const double r = std::hypot(fresh[t][a], fresh[t][b]);
        for (const size_t d : {a, b}) {
          allowed[d] =
              kU * (r + std::fabs(fresh[t][d]) + std::fabs(turned[t][d]));
        }
      }
    }
    for (size_t d = 0; d < allowed.size(); ++d) {
      if (std::fabs(turned[t][d] - fresh[t][d]) <= allowed[d]) continue;
      return testing::AssertionFailure()
             << "token " << t << " element " << d << ": " << turned[t][d]
             << ", recomputed " << fresh[t][d] << ", allowed " << allowed[d];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
