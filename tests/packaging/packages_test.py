#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages, image, units and plug-in of a build: packages_test.py BUILD_FOLDER [unittest arguments].

Nothing is compiled. What this machine cannot show is printed as "not shown", with the reason.
"""
import sys
import unittest

import built
from debian_package import *  # noqa: F401,F403
from tarball import *  # noqa: F401,F403
from systemd_units import *  # noqa: F401,F403
from image_files import *  # noqa: F401,F403
from kubectl_plugin import *  # noqa: F401,F403
from bill_of_materials import *  # noqa: F401,F403
from hardening import *  # noqa: F401,F403

if __name__ == "__main__":
    built.make(sys.argv.pop(1))
    try:
        unittest.main()
    finally:
        built.remove()
