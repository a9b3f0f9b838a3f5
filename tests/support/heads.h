// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Host-side tensors of heads in guarded memory, with elements that are read and
// written through the oracle's conversions.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/types.h"
#include "support/guarded_buffer.h"
#include "support/random.h"

namespace ropewalk::test {

inline constexpr DataType kAllTypes[] = {DataType::kF32, DataType::kBF16,
                                         DataType::kF16};

const char* NameOf(DataType type);
int64_t SizeOf(DataType type);
double LoadElement(DataType type, const void* from);
void StoreElement(DataType type, double value, void* to);
// Rounds a value once to the type.
double Rounded(DataType type, double value);

// What a tensor looks like. The memory order of the dims, outermost first.
enum class DimOrder { kTokensHeads, kHeadsTokens };

struct HeadsSpec {
  DataType type = DataType::kF32;
  int64_t batch = 1;
  int64_t tokens = 1;
  int64_t heads = 1;
  int head_dim = 0;
  DimOrder order = DimOrder::kTokensHeads;
  int64_t head_gap = 0;   // elements between two heads
  int64_t outer_gap = 0;  // elements more between two of the outer dim
  GuardSide side = GuardSide::kEnd;
  int64_t shift = 0;  // elements between the guard page and the tensor
};

class Heads {
 public:
  explicit Heads(const HeadsSpec& spec);
  Heads(const HeadsSpec& spec, Random* random) : Heads(spec) { Fill(random); }

  // The same bytes in other memory.
  Heads Copy() const;

  const HeadsSpec& spec() const { return spec_; }
  const HeadsView& view() const { return view_; }
  GuardedBuffer& buffer() { return buffer_; }

  // Gaussian elements, random bytes in the gaps.
  void Fill(Random* random);

  uint8_t* Element(int64_t batch, int64_t token, int64_t head, int dim);
  const uint8_t* Element(int64_t batch, int64_t token, int64_t head,
                         int dim) const;
  double Get(int64_t batch, int64_t token, int64_t head, int dim) const;
  void Set(int64_t batch, int64_t token, int64_t head, int dim, double value);
  uint32_t Bits(int64_t batch, int64_t token, int64_t head, int dim) const;
  void SetBits(int64_t batch, int64_t token, int64_t head, int dim,
               uint32_t bits);

  // Everything in the buffer, gaps included.
  std::vector<uint8_t> Bytes() const;
  // Everything in the buffer but the elements, which read as zero.
  std::vector<uint8_t> GapBytes() const;

 private:
  HeadsSpec spec_;
  GuardedBuffer buffer_;
  HeadsView view_;
};

// The heads which a view describes, in memory of their own.
Heads CopyOf(const HeadsView& view, int head_dim);

// Heads first to first + heads - 1 of a view.
HeadsView Slice(const HeadsView& view, int64_t first, int64_t heads);

}  // namespace ropewalk::test
