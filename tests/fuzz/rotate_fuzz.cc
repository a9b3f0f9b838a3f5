// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ropewalk_rotate and ropewalk_rotate_to with tensors of any shape and place:
// a call fails and changes nothing, or turns exactly the heads it was given.
#include <algorithm>
#include <vector>

#include "fuzz/c_call.h"
#include "fuzz/draw_heads.h"
#include "fuzz/reference_head.h"
#include "fuzz/require.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

// What both calls share.
struct Step {
  explicit Step(Draw* draw)
      : layout(DrawLayout(draw)),
        sizes(DrawSizes(draw)),
        rows(draw, sizes),
        transform(draw, rows.count(), layout.head_dim),
        parallel(draw) {
    options.direction = draw->Value(draw->Int(0, 2));
    options.parallel = parallel.get();
    options.transform = transform.get();
    verdict.MustIf(rows.get() == nullptr, ROPEWALK_INVALID_ARGUMENT);
    c_layout = Sized<ropewalk_rotary_layout>(draw, layout, &verdict);
    Verdict of_options;
    c_options =
        Sized<ropewalk_rotate_options>(draw, options, &of_options, true);
    if (c_options.get() != nullptr) {
      of_options.MustIf(options.direction < 0 || options.direction > 2,
                        ROPEWALK_INVALID_ARGUMENT);
      of_options.Add(parallel.verdict());
      of_options.Add(transform.verdict());
      verdict.Add(of_options);
    }
    verdict.Add(JudgeLayout(layout));
  }

  bool transforms() const {
    return c_options.get() != nullptr && transform.shadow().active();
  }

  // Of a tensor that has heads.
  void JudgeRows(const Tensor& tensor, Verdict* out) const {
    constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
    if (rows.get() == nullptr) return;
    const auto full = static_cast<__int128>(tensor.batch) * tensor.tokens;
    out->MustIf(rows.count() != tensor.tokens && rows.count() != full,
                kInvalid);
    out->MustIf(
        int64_t{layout.first_pair} + layout.rotary_dim / 2 > rows.pairs(),
        kInvalid);
    out->MustIf(layout.rotary_dim != 0 && tensor.heads % rows.heads() != 0,
                kInvalid);
  }

  // Without options there are no shares.
  ropewalk_status MakeCalls(Draw* draw, const Verdict& all, const CCall& call) {
    return c_options.get() != nullptr ? parallel.MakeCalls(draw, all, call)
                                      : MakeCall(draw, all, call);
  }

  HeadTask Task(const Tensor& tensor, int64_t head) const {
    HeadTask task{};
    task.layout = &layout;
    task.transform = c_options.get() != nullptr ? &transform.shadow() : nullptr;
    task.direction =
        c_options.get() != nullptr ? options.direction : ROPEWALK_FORWARD;
    task.rows = rows.get();
    const int64_t token = head / tensor.heads;
    task.row = rows.count() == tensor.tokens ? token % tensor.tokens : token;
    task.row_head =
        static_cast<int32_t>(head % tensor.heads /
                             std::max(tensor.heads / rows.heads(), int64_t{1}));
    return task;
  }

  ropewalk_rotary_layout layout;
  Sizes sizes;
  DrawnRows rows;
  DrawnTransform transform;
  DrawnParallel parallel;
  ropewalk_rotate_options options = ROPEWALK_ROTATE_OPTIONS_INIT;
  Sized<ropewalk_rotary_layout> c_layout;
  Sized<ropewalk_rotate_options> c_options;
  Verdict verdict;
};

void RequireRotated(const Step& step, const Tensor& tensor,
                    const std::vector<uint8_t*>& heads, const Arena& arena) {
  for (size_t i = 0; i < heads.size(); ++i) {
    HeadTask task = step.Task(tensor, static_cast<int64_t>(i));
    task.in = arena.Before(heads[i]);
    task.out = heads[i];
    task.in_type = task.out_type = tensor.type;
    RequireHead(task);
  }
}

// An array of so many structs of one size, which each of them says, mostly.
std::unique_ptr<uint8_t, Free> ArrayOf(Draw* draw,
                                       const std::vector<Tensor>& tensors,
                                       Verdict* verdict) {
  Verdict of_size;
  const DrawnSize<ropewalk_heads> size(draw, &of_size);
  const size_t count = tensors.size();
  auto* const bytes = static_cast<uint8_t*>(
      std::calloc(std::max<size_t>(count * size.bytes, 1), 1));
  for (size_t i = 0; i < count; ++i) {
    ropewalk_heads init = ROPEWALK_HEADS_INIT;
    init.struct_size = size.value;
    if (i > 0 && draw->Rarely()) {
      init.struct_size += 8;
      verdict->Must(ROPEWALK_INVALID_ARGUMENT);
    }
    const ropewalk_heads heads = ToC(tensors[i], init);
    std::memcpy(bytes + i * size.bytes, &heads,
                std::min<size_t>(size.bytes, sizeof(heads)));
  }
  if (size.has_unknown && count > 0) bytes[size.bytes - 1] = 1;
  if (count > 0) verdict->Add(of_size);
  return std::unique_ptr<uint8_t, Free>(bytes);
}

void RotateInPlace(Draw* draw, Arena* arena) {
  Step step(draw);
  const int count = draw->Flag() ? draw->Int(0, 3) : draw->Int(0, 10);
  Verdict verdict = step.verdict;
  std::vector<Tensor> tensors;
  std::vector<Shadow> shadows;
  bool leaves = false;
  for (int i = 0; i < count; ++i) {
    Sizes sizes = step.sizes;
    if (draw->Flag()) sizes.heads = draw->In(0, 6) * step.rows.heads();
    const Part part = DrawPart(draw, arena, i, count);
    tensors.push_back(
        DrawTensor(draw, sizes, step.layout.head_dim, DrawType(draw), part));
    const Tensor& tensor = tensors.back();
    verdict.Add(JudgeBatch(tensor));
    Shadow shadow = Inspect(tensor, step.layout.head_dim, *arena);
    shadow.RequireDistinct(tensor);
    if (!shadow.empty) step.JudgeRows(tensor, &verdict);
    for (const Shadow& other : shadows) {
      JudgeDisjoint(other, shadow, &verdict);
    }
    leaves = leaves || shadow.leaves;
    verdict.Add(shadow.verdict);
    shadows.push_back(std::move(shadow));
  }
  const auto array = ArrayOf(draw, tensors, &verdict);
  int32_t c_count = count;
  if (draw->Rarely()) {
    c_count = draw->Pick<int32_t>({-1, INT32_MIN});
    verdict.Must(ROPEWALK_INVALID_ARGUMENT);
  }
  if (leaves && !verdict.MustFail()) return;
  arena->Remember();
  const ropewalk_status code =
      step.MakeCalls(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_rotate(step.rows.get(), step.c_layout.get(),
                               reinterpret_cast<ropewalk_heads*>(array.get()),
                               c_count, step.c_options.get(), error);
      });
  if (code == ROPEWALK_OK) {
    const bool all = step.transforms();
    for (size_t i = 0; i < tensors.size(); ++i) {
      for (uint8_t* const head : shadows[i].heads) {
        AllowHead(step.layout, all, tensors[i].type, head, arena);
      }
    }
  }
  arena->RequireNothingElseChanged();
  if (code != ROPEWALK_OK) return;
  for (size_t i = 0; i < tensors.size(); ++i) {
    RequireRotated(step, tensors[i], shadows[i].heads, *arena);
  }
}

// Strides of a single step are no part of what a view is.
bool SameView(const Tensor& a, const Tensor& b) {
  return a.data == b.data && a.type == b.type && a.batch == b.batch &&
         a.tokens == b.tokens && a.heads == b.heads &&
         (a.batch == 1 || a.batch_stride == b.batch_stride) &&
         (a.tokens == 1 || a.token_stride == b.token_stride) &&
         (a.heads == 1 || a.head_stride == b.head_stride);
}

void RequireMapped(const Step& step, const Tensor& in, const Shadow& from,
                   const Tensor& out, const Shadow& to, const Arena& arena) {
  for (size_t i = 0; i < to.heads.size(); ++i) {
    HeadTask task = step.Task(out, static_cast<int64_t>(i));
    task.in = arena.Before(from.heads[i]);
    task.in_type = in.type;
    task.out = to.heads[i];
    task.out_type = out.type;
    RequireHead(task);
  }
}

void RotateTo(Draw* draw, Arena* arena) {
  constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
  Step step(draw);
  Verdict verdict = step.verdict;
  const int dims = step.layout.head_dim;
  const Tensor out = DrawTensor(draw, step.sizes, dims, DrawType(draw),
                                DrawPart(draw, arena, 0, 2));
  const Sizes sizes = {out.batch, out.tokens, out.heads};
  const bool small = sizes.batch > 0 && sizes.batch < 99 && sizes.tokens < 99 &&
                     sizes.heads < 99;
  const Tensor in =
      draw->In(0, 7) == 7
          ? out
          : DrawTensor(draw, small ? sizes : step.sizes, dims, DrawType(draw),
                       DrawPart(draw, arena, 1, 2), draw->Flag());
  verdict.Add(JudgeBatch(in));
  verdict.Add(JudgeBatch(out));
  const Shadow from = Inspect(in, dims, *arena);
  Shadow to = Inspect(out, dims, *arena);
  to.RequireDistinct(out);
  verdict.Add(from.verdict);
  verdict.Add(to.verdict);
  verdict.MustIf(
      in.batch != out.batch || in.tokens != out.tokens || in.heads != out.heads,
      kInvalid);
  if (!to.empty) step.JudgeRows(out, &verdict);
  const bool same = SameView(in, out);
  if (!same) JudgeDisjoint(from, to, &verdict);
  const Sized<ropewalk_const_heads> c_in(
      draw, ToC(in, ropewalk_const_heads ROPEWALK_CONST_HEADS_INIT), &verdict);
  const Sized<ropewalk_heads> c_out(
      draw, ToC(out, ropewalk_heads ROPEWALK_HEADS_INIT), &verdict);
  if ((from.leaves || to.leaves) && !verdict.MustFail()) return;
  arena->Remember();
  const ropewalk_status code =
      step.MakeCalls(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_rotate_to(step.rows.get(), step.c_layout.get(),
                                  c_in.get(), c_out.get(), step.c_options.get(),
                                  error);
      });
  if (code == ROPEWALK_OK) {
    for (uint8_t* const head : to.heads) {
      AllowHead(step.layout, true, out.type, head, arena);
    }
  }
  arena->RequireNothingElseChanged();
  if (code == ROPEWALK_OK) RequireMapped(step, in, from, out, to, *arena);
}

void Fuzz(const uint8_t* data, size_t size) {
  static Arena arena;
  test::refused_from = size_t{64} << 20;
  Draw draw(data, size);
  DrawTarget(&draw);
  arena.Fill(draw.Seed(), draw.In(0, 7) == 7);
  if (draw.Flag()) {
    RotateInPlace(&draw, &arena);
  } else {
    RotateTo(&draw, &arena);
  }
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
