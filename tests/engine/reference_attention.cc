// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The error of an output, as a root mean square. Every rounding to BF16 is
// taken for an independent error of mean 0 and variance ulp^2 / 12, where half
// an ulp is 2^-8 of a number just above a power of two and 2^-9 of one just
// below the next. Everything is linear in the errors, and they are spread
// evenly over the d dims of a head, as the random orthonormal projections
// spread them. (Higham and Mary 2019, doi:10.1137/18M1226312, on what such
// assumptions are worth; a bound for the worst case is hundreds of times larger
// and hides a key that stands one position off.) |e| is the root mean square of
// a 2-norm:
//
//   q, k   before the norm are off by |e| of the hidden state. The norm makes
//          sqrt(d) rms(w) |e| / |x| of it, and the rotation keeps that, times
//          m.
//   k, v   in the cache are off by sqrt(roundings sum ulp^2 / 12) more: a
//          rotation in between is an isometry.
//   s_j    = q . k_j: |ds_j|^2 = (|dq|^2 |k_j|^2 + |q|^2 |dk_j|^2) / d.
//   p_j    = exp(s_j) / sum exp(s_i): dp_j = p_j (ds_j - sum p_i ds_i).
//   o      = sum p_j v_j: do = sum p_j ds_j (v_j - o) + sum p_j dv_j, hence
//          |do|^2 = sum p_j^2 (|ds_j|^2 |v_j - o|^2 + |dv_j|^2).
//   h + W o, W = kOutputGain / sqrt(heads) times orthonormal columns a head:
//          |dh|^2 = |e|^2 + kOutputGain^2 / heads * sum of |do|^2.
//
// What is computed in float32 adds kFloat32Error of what it makes.
#include "engine/reference_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ropewalk::test {
namespace {

// A vector, and the mean square of a decoder's distance from it.
struct Uncertain {
  std::vector<double> x;
  double variance = 0;
};

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double Square(const std::vector<double>& x) { return Dot(x, x); }

double SquareOfDistance(const std::vector<double>& a,
                        const std::vector<double>& b) {
  double square = 0;
  for (size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return square;
}

// Of values computed in float32.
double Float32Variance(const std::vector<double>& x) {
  return kFloat32Error * kFloat32Error * Square(x);
}

// Of a vector rounded to BF16, whose fraction has 7 bits.
double RoundingVariance(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) {
    if (value != 0) sum += std::ldexp(1.0, 2 * (std::ilogb(value) - 7)) / 12;
  }
  return sum;
}

// y = W x for `rows` rows of weights.
std::vector<double> Multiply(const float* weights, size_t rows,
                             const std::vector<double>& x) {
  std::vector<double> y(rows, 0);
  for (double& sum : y) {
    for (const double value : x) sum += static_cast<double>(*weights++) * value;
  }
  return y;
}

// One head of the fused projection, off by what the hidden state is.
Uncertain ProjectHead(const Model& model, const LayerWeights& weights, int head,
                      const Uncertain& hidden) {
  const auto dims = static_cast<size_t>(model.shape.head_dim);
  const float* rows =
      weights.qkv.data() + static_cast<size_t>(head) * dims * hidden.x.size();
  return {Multiply(rows, dims, hidden.x), hidden.variance};
}

void ApplyNorm(const std::vector<float>& weight, double epsilon, Uncertain* y) {
  const auto dims = static_cast<double>(y->x.size());
  const double factor = 1 / std::sqrt(Square(y->x) / dims + epsilon);
  double weight_square = 0;
  for (size_t i = 0; i < weight.size(); ++i) {
    const auto w = static_cast<double>(weight[i]);
    y->x[i] *= factor * w;
    weight_square += w * w;
  }
  y->variance *= factor * factor * weight_square / dims;
}

// Norm and rotation of a query or key.
void Turn(const ReferenceRope& rope, int64_t position,
          const std::vector<float>& weight, double epsilon, Uncertain* y) {
  ApplyNorm(weight, epsilon, y);
  std::vector<reference::CosSin> angles;
  for (const double inv_freq : rope.inv_freq) {
    angles.push_back(
        reference::ExactAngle(static_cast<double>(position), inv_freq));
  }
  const double m = rope.attention_factor;
  reference::RotateHead(rope.window, angles.data(), m,
                        reference::Turn::kForward, y->x.data());
  y->variance *= std::max(m * m, 1.0);
  y->variance += Float32Variance(y->x);
}

void Round(int times, Uncertain* y) {
  y->variance += times * RoundingVariance(y->x);
}

// One layer's keys and values, [tokens][kv_heads].
struct KeysAndValues {
  std::vector<std::vector<Uncertain>> keys;
  std::vector<std::vector<Uncertain>> values;
};

// Attention of one query to the tokens up to and with `last`.
Uncertain AttendTo(const Uncertain& q, const KeysAndValues& cached, size_t head,
                   size_t last) {
  std::vector<double> p;
  for (size_t j = 0; j <= last; ++j) {
    p.push_back(Dot(q.x, cached.keys[j][head].x));
  }
  const double most = *std::max_element(p.begin(), p.end());
  double sum = 0;
  for (double& score : p) sum += score = std::exp(score - most);
  Uncertain o = {std::vector<double>(q.x.size(), 0)};
  for (size_t j = 0; j <= last; ++j) {
    p[j] /= sum;
    const std::vector<double>& v = cached.values[j][head].x;
    for (size_t i = 0; i < v.size(); ++i) o.x[i] += p[j] * v[i];
  }
  const double q_square = Square(q.x);
  for (size_t j = 0; j <= last; ++j) {
    const Uncertain& k = cached.keys[j][head];
    const Uncertain& v = cached.values[j][head];
    const double score_variance =
        (q.variance * Square(k.x) + q_square * k.variance) /
        static_cast<double>(q.x.size());
    o.variance += p[j] * p[j] *
                  (score_variance * SquareOfDistance(v.x, o.x) + v.variance);
  }
  return o;
}

KeysAndValues MakeKeysAndValues(const Model& model, const LayerWeights& weights,
                                const ReferenceRope& rope,
                                const std::vector<int64_t>& positions,
                                const CacheRoundings& roundings,
                                const std::vector<Uncertain>& hidden) {
  const ModelShape& shape = model.shape;
  KeysAndValues result;
  for (size_t t = 0; t < hidden.size(); ++t) {
    result.keys.emplace_back();
    result.values.emplace_back();
    for (int head = 0; head < shape.kv_heads; ++head) {
      Uncertain k =
          ProjectHead(model, weights, shape.query_heads + head, hidden[t]);
      Turn(rope, positions[t], weights.k_norm,
           static_cast<double>(model.norm_epsilon), &k);
      Round(roundings.key, &k);
      result.keys.back().push_back(k);
      Uncertain v = ProjectHead(
          model, weights, shape.query_heads + shape.kv_heads + head, hidden[t]);
      Round(roundings.value, &v);
      result.values.back().push_back(v);
    }
  }
  return result;
}

// What the heads of token t attend to, side by side.
Uncertain AttendAllHeads(const Model& model, const LayerWeights& weights,
                         const ReferenceRope& rope, int64_t position,
                         const KeysAndValues& cached, size_t t,
                         const Uncertain& hidden) {
  const ModelShape& shape = model.shape;
  const double scale = 1 / std::sqrt(shape.head_dim);
  Uncertain all;
  for (int head = 0; head < shape.query_heads; ++head) {
    Uncertain q = ProjectHead(model, weights, head, hidden);
    Turn(rope, position, weights.q_norm,
         static_cast<double>(model.norm_epsilon), &q);
    for (double& x : q.x) x *= scale;
    q.variance *= scale * scale;
    const Uncertain o =
        AttendTo(q, cached, static_cast<size_t>(shape.KvHeadOf(head)), t);
    all.x.insert(all.x.end(), o.x.begin(), o.x.end());
    all.variance += o.variance;
  }
  return all;
}

std::vector<Uncertain> Embed(const Model& model, const std::vector<int>& ids) {
  std::vector<Uncertain> hidden;
  for (const int id : ids) {
    const float* embedding = model.Embedding(id);
    hidden.push_back({{embedding, embedding + model.shape.hidden}});
  }
  return hidden;
}

}  // namespace

ReferenceOutput ReferenceForward(const Model& model, const ReferenceRope& rope,
                                 const ReferenceTokens& tokens,
                                 const CacheRoundings& roundings) {
  std::vector<Uncertain> hidden = Embed(model, tokens.ids);
  for (const LayerWeights& weights : model.layers) {
    const KeysAndValues cached = MakeKeysAndValues(
        model, weights, rope, tokens.positions, roundings, hidden);
    for (size_t t = 0; t < hidden.size(); ++t) {
      Uncertain& h = hidden[t];
      const Uncertain all = AttendAllHeads(model, weights, rope,
                                           tokens.positions[t], cached, t, h);
      const std::vector<double> added =
          Multiply(weights.output.data(), h.x.size(), all.x);
      for (size_t i = 0; i < added.size(); ++i) h.x[i] += added[i];
      h.variance +=
          kOutputGain * kOutputGain / model.shape.query_heads * all.variance +
          Float32Variance(h.x);
    }
  }
  ReferenceOutput output;
  for (const Uncertain& h : hidden) {
    output.hidden.push_back(h.x);
    output.bound.push_back(kErrorLimit * std::sqrt(h.variance));
  }
  return output;
}

std::vector<std::vector<double>> ReferenceKeys(const Model& model,
                                               const ReferenceRope& rope,
                                               const ReferenceTokens& tokens) {
  const KeysAndValues cached =
      MakeKeysAndValues(model, model.layers.front(), rope, tokens.positions,
                        CacheRoundings{}, Embed(model, tokens.ids));
  std::vector<std::vector<double>> keys;
  for (const std::vector<Uncertain>& heads : cached.keys) {
    keys.emplace_back();
    for (const Uncertain& k : heads) {
      keys.back().insert(keys.back().end(), k.x.begin(), k.x.end());
    }
  }
  return keys;
}

}  // namespace ropewalk::test
