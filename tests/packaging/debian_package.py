# SPDX-License-Identifier: Apache-2.0
"""The Debian package: what is in it, and a machine that installs and removes it."""
import gzip
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import built

PROGRAM_BYTES_MAX = 20 << 20  # stripped; symbols make it several times as large
CONFFILES = ["/etc/default/proxima-apiserver", "/etc/default/proxima-controller",
             "/etc/default/proxima-proxy"]


def contents(package):
    """Mode, owner and path of each file of the package."""
    rows = []
    for line in built.run("dpkg-deb", "--contents", package).splitlines():
        mode, owner, _, _, _, path = line.split(maxsplit=5)
        rows.append((mode, owner, path.split(" -> ")[0].removeprefix(".")))
    return rows


def control(field):
    return built.run("dpkg-deb", "--field", built.debian, field).strip()


class InThePackage(unittest.TestCase):
    def test_name_and_version_are_the_projects(self):
        self.assertEqual(control("Package"), "proxima")
        self.assertEqual(control("Version"), built.version())
        self.assertRegex(built.debian.name, rf"^proxima_{re.escape(built.version())}_\w+\.deb$")

    def test_dependencies_are_those_of_the_libraries(self):
        depends = control("Depends")
        for library in ("libc6", "libssl3", "libsqlite3-0", "libmnl0", "libyaml-0-2"):
            self.assertIn(library, depends)

    def test_files_are_where_debian_has_them(self):
        paths = {path for _, _, path in contents(built.debian)}
        for path in ("/usr/bin/proxima", "/usr/bin/kubectl-proxima",
                     "/usr/bin/kubectl_complete-proxima", "/usr/share/man/man1/proxima.1.gz",
                     "/usr/share/man/man1/kubectl-proxima.1.gz",
                     "/usr/share/bash-completion/completions/proxima",
                     "/usr/share/zsh/vendor-completions/_proxima",
                     "/usr/share/fish/vendor_completions.d/proxima.fish",
                     "/usr/share/doc/proxima/copyright", "/usr/share/doc/proxima/changelog.gz",
                     "/usr/share/doc/proxima/CHANGELOG.md.gz",
                     "/lib/systemd/system/proxima-controller.service",
                     "/lib/systemd/system/proxima-proxy.service",
                     "/lib/systemd/system/proxima-apiserver.service", *CONFFILES):
            self.assertIn(path, paths)
        self.assertFalse([path for path in paths if path.startswith(("/usr/local", "/usr/etc"))])

    def test_everything_belongs_to_root_and_nobody_else_may_write(self):
        for mode, owner, path in contents(built.debian):
            self.assertEqual(owner, "root/root", path)
            if not mode.startswith("l"):
                self.assertNotIn("w", mode[5] + mode[8], f"{path} {mode}")

    def test_what_administrators_change_is_kept(self):
        info = built.run("dpkg-deb", "--info", built.debian, "conffiles").split()
        self.assertEqual(sorted(info), CONFFILES)

    def test_a_second_package_is_the_same_to_the_byte(self):
        again = built.pack("DEB", built.folder / "again")
        self.assertEqual(again.read_bytes(), built.debian.read_bytes())

    def test_lintian_finds_no_error(self):
        if not shutil.which("lintian"):
            print("not shown: what lintian says; it is not installed here")
            return
        done = subprocess.run(["lintian", "--tag-display-limit", "0", "--fail-on", "none",
                               built.debian], capture_output=True, text=True, timeout=120)
        errors = [line for line in done.stdout.splitlines() if line.startswith(("E:", "W:"))]
        self.assertEqual(errors, [], done.stderr)


class TheProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(dir=built.folder))
        built.run("dpkg-deb", "--extract", built.debian, cls.folder)
        cls.program = cls.folder / "usr/bin/proxima"

    def test_is_stripped(self):
        sections = built.run("readelf", "--sections", "--wide", self.program)
        self.assertNotIn(".debug_info", sections)
        self.assertNotIn(".symtab", sections)
        self.assertLess(self.program.stat().st_size, PROGRAM_BYTES_MAX)
        print(f"the program has {self.program.stat().st_size / 1e6:.1f} MB, "
              f"the package {built.debian.stat().st_size / 1e6:.1f} MB")

    def test_holds_no_path_of_the_machine_that_built_it(self):
        text = self.program.read_bytes()
        for path in {str(built.PROJECT), str(built.build), os.path.expanduser("~")} - {"/"}:
            found = re.findall(re.escape(path.encode()) + rb"[\w./-]*", text)
            self.assertEqual(sorted(set(found)), [], path)

    def test_is_bound_at_its_start_and_read_only_afterwards(self):
        headers = built.run("readelf", "--wide", "--segments", "--dynamic", self.program)
        for mark in ("GNU_RELRO", "NOW", "PIE"):
            self.assertIn(mark, headers)


class OnAMachine(unittest.TestCase):
    """Installed by dpkg into a root of its own, and removed again."""

    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(dir=built.folder))
        for folder in ("var/lib/dpkg/updates", "var/lib/dpkg/info", "etc"):
            (cls.root / folder).mkdir(parents=True)
        (cls.root / "var/lib/dpkg/status").touch()

    def dpkg(self, *words):
        # Its dependencies are this machine's, and there is no shell to run scripts in that root.
        return built.run("dpkg", f"--root={self.root}", "--force-depends", "--force-not-root",
                         "--force-script-chrootless", "--log=/dev/null", *words)

    def test_installs_runs_and_goes_away(self):
        self.dpkg("--install", built.debian)
        status = built.run("dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "--show",
                           "--showformat=${db:Status-Abbrev} ${Version}", "proxima")
        self.assertEqual(status, f"ii  {built.version()}")
        self.looks_installed()
        kept = self.root / "etc/default/proxima-controller"
        kept.write_text('PROXIMA_CONTROLLER_FLAGS="--v=2"\n')
        self.dpkg("--install", "--force-confdef", built.debian)  # an upgrade
        self.assertIn("--v=2", kept.read_text())
        self.dpkg("--remove", "proxima")
        self.assertFalse((self.root / "usr/bin/proxima").exists())
        self.assertTrue(kept.exists(), "a removal keeps what was configured")
        self.dpkg("--purge", "proxima")
        left = [path for path in self.root.rglob("*proxima*")]
        self.assertEqual(left, [])

    def looks_installed(self):
        program = self.root / "usr/bin/proxima"
        self.assertEqual(built.run(program, "version"), f"proxima {built.version()}\n")
        usage = built.run(self.root / "usr/bin/kubectl-proxima", "help", "plan")
        self.assertIn("  kubectl proxima plan", usage)
        self.man_page_renders(self.root / "usr/share/man/man1/kubectl-proxima.1.gz")
        self.completions_load(self.root / "usr/share")

    def man_page_renders(self, page):
        with gzip.open(page, "rt") as source:
            text = built.run("groff", "-man", "-Tutf8", "-ww", given=source.read())
        self.assertIn("User Commands", text)
        self.assertIn("explain", text)

    def completions_load(self, share):
        bash = built.run("bash", "--norc", "-c",
                         f"source {share}/bash-completion/completions/proxima && "
                         "COMP_WORDS=(proxima pl) COMP_CWORD=1 && _proxima && echo $COMPREPLY")
        self.assertEqual(bash, "plan\n")
        for shell, file, words in (("zsh", "zsh/vendor-completions/_proxima", ["-n"]),
                                   ("fish", "fish/vendor_completions.d/proxima.fish", ["-n"])):
            if shutil.which(shell):
                built.run(shell, *words, share / file)
            else:
                print(f"not shown: that {shell} reads its completions; it is not installed here")
