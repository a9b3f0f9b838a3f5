#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""Calls the shared library as Python's ctypes does: no compiler reads a header.

Usage: ctypes_test.py libropewalk_c.so
"""
import ctypes
import json
import math
import random
import sys
import unittest
from ctypes import (POINTER, byref, c_char, c_char_p, c_double, c_float,
                    c_int32, c_int64, c_size_t, c_uint32, c_void_p, sizeof)

OK, INVALID_ARGUMENT, UNSUPPORTED, PARSE_ERROR = 0, 1, 3, 5
LLAMA3 = 11
F32, HALF = 1, 1
HEAD_DIM = 128
PAIRS = HEAD_DIM // 2


class Sized(ctypes.Structure):
    """A struct that begins with its size; fields that are not given are 0."""

    def __init__(self, **fields):
        super().__init__(struct_size=sizeof(type(self)), **fields)


class Error(Sized):
    _fields_ = [("struct_size", c_uint32), ("code", c_int32),
                ("message", c_char * 240)]


class Llama3(Sized):
    _fields_ = [("struct_size", c_uint32), ("factor", c_double),
                ("low_freq_factor", c_double), ("high_freq_factor", c_double),
                ("original_positions", c_int64)]


class RopeParameters(Sized):
    _fields_ = [("struct_size", c_uint32), ("rotary_dim", c_int32),
                ("base", c_double), ("scheme", c_int32),
                ("scaling", c_void_p), ("axis", c_void_p),
                ("axis_count", c_int64)]


class Positions(Sized):
    _fields_ = [("struct_size", c_uint32), ("kind", c_int32),
                ("ids", c_void_p), ("count", c_int64), ("components", c_int32),
                ("component_stride", c_int64), ("token_stride", c_int64),
                ("first", c_int64), ("count_each", c_int64)]


class Slots(Sized):
    _fields_ = [("struct_size", c_uint32), ("kind", c_int32),
                ("slots", c_void_p), ("count", c_int64), ("first", c_int64)]


class Layout(Sized):
    _fields_ = [("struct_size", c_uint32), ("head_dim", c_int32),
                ("rotary_dim", c_int32), ("pairing", c_int32),
                ("rotary_offset", c_int32), ("pair_distance", c_int32),
                ("first_pair", c_int32), ("output_pairing", c_int32)]


class Heads(Sized):  # and ropewalk_const_heads, which has the same fields
    _fields_ = [("struct_size", c_uint32), ("type", c_int32),
                ("data", c_void_p), ("batch", c_int64), ("tokens", c_int64),
                ("heads", c_int64), ("batch_stride", c_int64),
                ("token_stride", c_int64), ("head_stride", c_int64)]


class KvCache(Sized):
    _fields_ = [("struct_size", c_uint32), ("type", c_int32),
                ("data", c_void_p), ("blocks", c_int64),
                ("block_size", c_int64), ("heads", c_int64),
                ("block_stride", c_int64), ("slot_stride", c_int64),
                ("head_stride", c_int64), ("head_dim", c_int32),
                ("reserved", c_int32)]


class CacheWrite(Sized):
    _fields_ = [("struct_size", c_uint32), ("q", c_void_p),
                ("q_layout", c_void_p), ("q_transform", c_void_p),
                ("k", c_void_p), ("k_layout", c_void_p),
                ("k_transform", c_void_p), ("k_cache", c_void_p),
                ("v", c_void_p), ("v_cache", c_void_p)]


class Scores(Sized):
    _fields_ = [("struct_size", c_uint32), ("type", c_int32),
                ("data", c_void_p), ("heads", c_int64), ("queries", c_int64),
                ("keys", c_int64), ("head_stride", c_int64),
                ("query_stride", c_int64), ("first_query", c_int64),
                ("first_key", c_int64)]


class LayerRope(Sized):
    """As large as no version will be: a result is written as far as it goes."""
    _fields_ = [("struct_size", c_uint32), ("uses_rope", c_int32),
                ("layer_type", c_char_p), ("parameters", c_void_p),
                ("rest", c_char * 992)]


INT64, CONSECUTIVE, CONSTANT, SLOTS_INT64 = 2, 4, 6, 2
CAUSAL_SCORES = 2
LIBRARY = None


def address(value):
    return ctypes.addressof(value)


class RopewalkError(Exception):

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def call(name, *arguments):
    """Calls ropewalk_<name>, which must say the same in its error."""
    function = getattr(LIBRARY, "ropewalk_" + name)
    function.restype = c_int32
    error = Error()
    code = function(*arguments, byref(error))
    assert error.code == code, (name, code, error.code)
    if code != OK:
        raise RopewalkError(code, error.message.decode("ascii"))
    assert error.message == b"", name


def value(name, kind, *arguments):
    function = getattr(LIBRARY, "ropewalk_" + name)
    function.restype = kind
    return function(*arguments)


def llama3_inv_freq():
    """The formula of Llama-3.1's configuration: factor 8, bounds 1 and 4."""
    out = []
    for i in range(PAIRS):
        plain = 500000.0 ** (-2.0 * i / HEAD_DIM)
        wavelength = 2 * math.pi / plain
        smooth = (8192 / wavelength - 1) / (4 - 1)
        smooth = min(1.0, max(0.0, smooth))
        out.append((1 - smooth) * plain / 8 + smooth * plain)
    return out


def turned(head, angles):
    """head, rotated with half pairing, in double."""
    out = list(head)
    for i, angle in enumerate(angles):
        x0, x1 = head[i], head[i + PAIRS]
        out[i] = x0 * math.cos(angle) - x1 * math.sin(angle)
        out[i + PAIRS] = x0 * math.sin(angle) + x1 * math.cos(angle)
    return out


class CtypesTest(unittest.TestCase):

    def setUp(self):
        self.random = random.Random(7)
        self.llama3 = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4,
                             original_positions=8192)
        self.parameters = RopeParameters(
            rotary_dim=HEAD_DIM, base=500000, scheme=LLAMA3,
            scaling=address(self.llama3))
        frequencies = c_void_p()
        call("compute_frequencies", byref(self.parameters), c_int64(0),
             byref(frequencies))
        self.addCleanup(LIBRARY.ropewalk_frequencies_destroy, frequencies)
        self.inv_freq = value("frequencies_inv_freq", POINTER(c_double),
                              frequencies)[:PAIRS]
        self.table = c_void_p()
        call("angle_table_build", frequencies, None, None, byref(self.table))
        self.addCleanup(LIBRARY.ropewalk_angle_table_destroy, self.table)
        self.rows = c_void_p()
        call("angle_rows_create", byref(self.rows))
        self.addCleanup(LIBRARY.ropewalk_angle_rows_destroy, self.rows)
        self.layout = Layout(head_dim=HEAD_DIM, rotary_dim=HEAD_DIM,
                             pairing=HALF)

    def fill(self, ids, rotation=False):
        array = (c_int64 * len(ids))(*ids)
        positions = Positions(kind=INT64, ids=address(array), count=len(ids),
                              components=1, token_stride=1)
        name = "angle_table_fill" + ("_rotation" if rotation else "")
        call(name, self.table, byref(positions), self.rows, c_int64(0))

    def gaussian(self, count):
        return (c_float * count)(*(self.random.gauss(0, 1)
                                   for _ in range(count)))

    def dense(self, data, tokens, heads):
        out = Heads(type=F32, data=address(data), batch=1, tokens=tokens,
                    heads=heads)
        call("dense_heads", byref(out), c_int32(HEAD_DIM))
        return out

    def cache_of(self, data, slots, heads):
        out = KvCache(type=F32, data=address(data), blocks=1,
                      block_size=slots, heads=heads, head_dim=HEAD_DIM)
        call("nhd_cache", byref(out))
        return out

    def assert_turned(self, before, after, angles, turns=1):
        """Each turn: 3 ulp, without FMA, of max(|x0|, |x1|) or what it grew
        to, sqrt(2) at most; an ulp is at most 2^-23 of a magnitude. The angles
        in double are off by position * inv_freq * 2^-53 and so the sine: less
        than 2^-33 of a magnitude below position 2^20."""
        want = turned(before, angles)
        for i in range(HEAD_DIM):
            pair = (before[i % PAIRS], before[i % PAIRS + PAIRS])
            bound = max(abs(pair[0]), abs(pair[1])) * math.sqrt(2) ** (
                turns - 1) * turns
            self.assertLessEqual(abs(after[i] - want[i]),
                                 bound * (3 * 2.0**-23 + 2.0**-33))

    def test_version_and_targets(self):
        self.assertGreaterEqual(value("version", c_uint32), 100)
        active = value("active_target", c_char_p)
        self.assertEqual(value("available_target", c_char_p, c_int32(0))
                         is not None, True)
        self.assertTrue(active)
        self.assertIsNone(value("available_target", c_char_p, c_int32(-1)))

    def test_frequencies_are_those_of_the_formula(self):
        for got, want in zip(self.inv_freq, llama3_inv_freq()):
            # 2^-48 of the formula, and as much for pow and sums here.
            self.assertLessEqual(abs(got - want), 2.0**-47 * want)

    def test_rows_are_cos_and_sin(self):
        ids = [0, 1, 131071, 999999]
        self.fill(ids)
        for row, position in enumerate(ids):
            cos = value("angle_rows_cos", POINTER(c_float), self.rows,
                        c_int64(row), c_int32(0))
            sin = value("angle_rows_sin", POINTER(c_float), self.rows,
                        c_int64(row), c_int32(0))
            for i in range(PAIRS):
                angle = position * self.inv_freq[i]
                # Half an ulp of a float32 below 1, 2^-40, and the rounding of
                # the angle in double.
                bound = 2.0**-25 + 2.0**-40 + angle * 2.0**-53
                self.assertLessEqual(abs(cos[i] - math.cos(angle)), bound)
                self.assertLessEqual(abs(sin[i] - math.sin(angle)), bound)

    def test_rotates_q_and_k_in_one_call(self):
        ids = [5, 100000, 70]
        self.fill(ids)
        counts = [4, 2]
        data = [self.gaussian(3 * n * HEAD_DIM) for n in counts]
        before = [list(d) for d in data]
        tensors = (Heads * 2)(*(self.dense(d, 3, n)
                                for d, n in zip(data, counts)))
        call("rotate", self.rows, byref(self.layout), tensors, c_int32(2),
             None)
        for d, b, n in zip(data, before, counts):
            for head in range(3 * n):
                at = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
                position = ids[head // n]
                self.assert_turned(b[at], d[at],
                                   [position * w for w in self.inv_freq])

    def test_writes_a_cache_and_shifts_it(self):
        ids, places, delta = [10, 11], [3, 1], -7
        self.fill(ids)
        k_data, v_data = self.gaussian(2 * HEAD_DIM), self.gaussian(
            2 * HEAD_DIM)
        k, v = self.dense(k_data, 2, 1), self.dense(v_data, 2, 1)
        k_memory = (c_float * (4 * HEAD_DIM))(*([9.0] * (4 * HEAD_DIM)))
        v_memory = (c_float * (4 * HEAD_DIM))()
        k_cache = self.cache_of(k_memory, 4, 1)
        v_cache = self.cache_of(v_memory, 4, 1)
        slot_ids = (c_int64 * 2)(*places)
        slots = Slots(kind=SLOTS_INT64, slots=address(slot_ids), count=2)
        write = CacheWrite(k=address(k), k_layout=address(self.layout),
                           k_cache=address(k_cache), v=address(v),
                           v_cache=address(v_cache))
        call("rotate_into_cache", self.rows, byref(write), byref(slots), None)
        self.fill([delta], rotation=True)
        call("shift_cache", self.rows, byref(self.layout), byref(k_cache),
             byref(slots), None)
        for token, slot in enumerate(places):
            at = slice(slot * HEAD_DIM, (slot + 1) * HEAD_DIM)
            of = slice(token * HEAD_DIM, (token + 1) * HEAD_DIM)
            self.assertEqual(v_memory[at], v_data[of])
            position = ids[token] + delta
            self.assert_turned(k_data[of], k_memory[at],
                               [position * w for w in self.inv_freq], turns=2)
        for slot in (0, 2):
            self.assertEqual(
                k_memory[slot * HEAD_DIM:(slot + 1) * HEAD_DIM],
                [9.0] * HEAD_DIM)

    def test_reads_a_config(self):
        text = json.dumps({
            "model_type": "llama", "hidden_size": 4096,
            "num_attention_heads": 32, "num_key_value_heads": 8,
            "head_dim": HEAD_DIM, "max_position_embeddings": 131072,
            "rope_theta": 500000.0,
            "rope_scaling": {
                "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192}}).encode()
        model = c_void_p()
        call("parse_huggingface_config", text, c_size_t(len(text)), None,
             byref(model))
        self.addCleanup(LIBRARY.ropewalk_model_destroy, model)
        layer = LayerRope()
        call("model_layer_type", model, c_int32(0), byref(layer))
        self.assertEqual(layer.uses_rope, 1)
        frequencies = c_void_p()
        call("compute_frequencies", c_void_p(layer.parameters), c_int64(0),
             byref(frequencies))
        self.addCleanup(LIBRARY.ropewalk_frequencies_destroy, frequencies)
        self.assertEqual(
            value("frequencies_inv_freq", POINTER(c_double),
                  frequencies)[:PAIRS], self.inv_freq)
        with self.assertRaises(RopewalkError) as caught:
            call("parse_huggingface_config", b"{", c_size_t(1), None,
                 byref(model))
        self.assertEqual(caught.exception.code, PARSE_ERROR)
        self.assertIsNone(model.value)

    def test_adds_alibi_to_scores(self):
        heads, queries, keys = 8, 2, 7
        slopes = (c_float * heads)()
        call("alibi_slopes", c_int32(heads), c_double(8), slopes)
        self.assertEqual(list(slopes), [2.0**-(h + 1) for h in range(heads)])
        data = (c_float * (heads * queries * keys))(*([3.0] * heads * queries *
                                                      keys))
        scores = Scores(type=F32, data=address(data), heads=heads,
                        queries=queries, keys=keys)
        call("dense_scores", byref(scores))
        call("add_alibi", slopes, byref(scores), c_int32(CAUSAL_SCORES), None)
        # Exact: a power of two times a small integer, from a small integer.
        for h in range(heads):
            for q in range(queries):
                query = keys - queries + q
                row = (h * queries + q) * keys
                self.assertEqual(data[row:row + keys],
                                 [3 - slopes[h] * max(query - key, 0)
                                  for key in range(keys)])
        with self.assertRaises(RopewalkError) as caught:
            call("add_alibi", slopes, byref(scores), c_int32(0), None)
        self.assertEqual(caught.exception.code, INVALID_ARGUMENT)

    def test_sizes_of_structs(self):

        class Newer(Sized):
            _fields_ = Layout._fields_ + [("more", c_int64)]

        self.fill([1])
        data = self.gaussian(HEAD_DIM)
        tensor = self.dense(data, 1, 1)
        before = list(data)

        def rotate(layout):
            call("rotate", self.rows, byref(layout), byref(tensor), c_int32(1),
                 None)

        for size in (0, 4, sizeof(Layout) - 4, 1 << 31):
            self.layout.struct_size = size
            with self.assertRaises(RopewalkError) as caught:
                rotate(self.layout)
            self.assertEqual(caught.exception.code, INVALID_ARGUMENT)
            self.assertIn("layout.struct_size = %d" % size,
                          str(caught.exception))
        newer = Newer(head_dim=HEAD_DIM, rotary_dim=HEAD_DIM, pairing=HALF,
                      more=1)
        with self.assertRaises(RopewalkError) as caught:
            rotate(newer)
        self.assertEqual(caught.exception.code, UNSUPPORTED)
        self.assertEqual(list(data), before)
        newer.more = 0
        rotate(newer)
        self.assert_turned(before, data, self.inv_freq)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    LIBRARY = ctypes.CDLL(sys.argv.pop(1))
    for destroyed in ("frequencies", "angle_table", "angle_rows", "model"):
        function = getattr(LIBRARY, "ropewalk_%s_destroy" % destroyed)
        function.argtypes, function.restype = [c_void_p], None
    unittest.main()
