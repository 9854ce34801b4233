# SPDX-License-Identifier: Apache-2.0
"""The systemd units: systemd understands them, and they leave little to attack."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import built

# systemd's own figure, 0 (nothing exposed) to 10; a service without any of it has 9.6. The node
# proxy writes settings of the kernel, so it cannot have all of it.
EXPOSURE_MAX = {"controller": 1.5, "apiserver": 1.5, "proxy": 2.5}


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = built.folder / "units"
        built.run("dpkg-deb", "--extract", built.debian, cls.root)
        # verify also looks whether the targets that a unit names exist.
        shutil.copytree("/lib/systemd/system", cls.root / "lib/systemd/system", dirs_exist_ok=True,
                        symlinks=True) if Path("/lib/systemd/system").is_dir() else None

    def analyze(self, *words):
        return subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True,
                              timeout=60)

    def unit(self, name):
        return self.root / f"lib/systemd/system/proxima-{name}.service"

    def test_systemd_understands_them(self):
        if not shutil.which("systemd-analyze"):
            print("not shown: that systemd understands the units; systemd-analyze is not here")
            return
        for name in EXPOSURE_MAX:
            done = self.analyze("verify", "--man=no", f"--root={self.root}",
                                f"proxima-{name}.service")
            told = [line for line in done.stderr.splitlines() if "proxima" in line]
            self.assertEqual((done.returncode, told), (0, []), done.stderr)

    def test_they_leave_little_to_attack(self):
        if not shutil.which("systemd-analyze"):
            print("not shown: how exposed the units are; systemd-analyze is not here")
            return
        for name, most in EXPOSURE_MAX.items():
            done = self.analyze("security", "--offline=true", "--no-pager",
                                f"--threshold={int(most * 10)}", self.unit(name))
            figure = float(re.search(r"exposure level for \S+: ([\d.]+)", done.stdout).group(1))
            print(f"proxima-{name}.service: exposure {figure} of 10")
            self.assertLessEqual(figure, most, done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_their_flags_are_flags_of_the_program(self):
        for name in EXPOSURE_MAX:
            line = re.search(r"^ExecStart=proxima (.*)$", self.unit(name).read_text(),
                             re.MULTILINE).group(1)
            command, *words = line.split()
            flags = [word for word in words if word.startswith("--")]
            usage = built.run(self.root / "usr/bin/proxima", "help", command)
            for flag in flags:
                self.assertRegex(usage, rf"(?m)^\s*(-\w, )?{flag}\b")
            defaults = (self.root / f"etc/default/proxima-{name}").read_text()
            variable = re.search(r"\$(PROXIMA_\w+)", line).group(1)
            self.assertRegex(defaults, rf"(?m)^{variable}=")

    def test_they_are_hardened_alike(self):
        for name in EXPOSURE_MAX:
            text = self.unit(name).read_text()
            for setting in ("NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=",
                            "SystemCallFilter=@system-service", "RestrictNamespaces=yes",
                            "MemoryDenyWriteExecute=yes", "Restart=on-failure"):
                self.assertIn(setting, text, name)
        self.assertIn("CapabilityBoundingSet=CAP_NET_ADMIN\n", self.unit("proxy").read_text())
