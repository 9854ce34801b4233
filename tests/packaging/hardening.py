# SPDX-License-Identifier: Apache-2.0
"""The program in the packages is hardened: what its ELF headers and symbols show of the flags."""
import pathlib
import re
import unittest

import built
from bill_of_materials import unpacked


ENDBR64 = b"\xf3\x0f\x1e\xfa"
LANDING_PADS_MIN = 1000  # without the flag only startup files of the compiler have some


def undefined_symbols(program):
    lines = built.run("readelf", "--dyn-syms", "--wide", program).splitlines()
    return {re.split(r"@| \(", line.split(" UND ")[1].strip())[0] for line in lines if " UND " in line}


class Hardening(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = unpacked(built.debian, built.folder / "hardening")
        cls.headers = built.run("readelf", "--wide", "--file-header", "--program-headers", "--dynamic", cls.program)
        cls.symbols = undefined_symbols(cls.program)

    def test_it_is_loaded_at_a_random_address(self):
        self.assertRegex(self.headers, r"Type: +DYN")
        self.assertRegex(self.headers, r"\(FLAGS_1\) .*\bPIE\b")

    def test_addresses_of_functions_are_read_only(self):
        self.assertIn("GNU_RELRO", self.headers)
        self.assertRegex(self.headers, r"\(FLAGS_1\) .*\bNOW\b")

    def test_no_segment_is_writable_and_executable(self):
        flags = re.findall(r"^ +(?:LOAD|GNU_STACK) .* ([R ][W ][E ]) +0x", self.headers, re.MULTILINE)
        self.assertGreaterEqual(len(flags), 4)
        self.assertFalse([one for one in flags if "W" in one and "E" in one])

    def test_the_stack_is_protected(self):
        self.assertIn("__stack_chk_fail", self.symbols)

    def test_calls_of_the_c_library_are_bounded(self):
        self.assertTrue({name for name in self.symbols if re.fullmatch(r"__\w+_chk", name)}, self.symbols)

    def test_functions_begin_with_a_landing_pad(self):
        """The property note (IBT, SHSTK) is not in the program: Debian's crt1.o and crti.o have none."""
        if "X86-64" not in self.headers:
            self.skipTest("landing pads: -fcf-protection is for x86-64")
        self.assertGreater(pathlib.Path(self.program).read_bytes().count(ENDBR64), LANDING_PADS_MIN)

    def test_containers_of_the_standard_library_check_their_arguments(self):
        self.assertIn("_ZSt21__glibcxx_assert_failPKciS0_S0_", self.symbols)
