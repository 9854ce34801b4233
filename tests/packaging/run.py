#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages, image, units and plug-in of a build: run.py BUILD_FOLDER [unittest arguments].

Nothing is compiled. What this machine cannot show is printed as "not shown", with the reason.
"""
import sys
import unittest

sys.dont_write_bytecode = True
import built  # noqa: E402
from debian_test import *  # noqa: E402,F401,F403
from tarball_test import *  # noqa: E402,F401,F403
from units_test import *  # noqa: E402,F401,F403
from image_test import *  # noqa: E402,F401,F403
from plugin_test import *  # noqa: E402,F401,F403

if __name__ == "__main__":
    built.make(sys.argv.pop(1))
    try:
        unittest.main()
    finally:
        built.remove()
