# SPDX-License-Identifier: Apache-2.0
"""The tarball: unpacked anywhere, it runs from there."""
import tarfile
import tempfile
import unittest
from pathlib import Path

import built


class Tarball(unittest.TestCase):
    def test_runs_from_where_it_is_unpacked(self):
        target = Path(tempfile.mkdtemp(dir=built.folder))
        built.run("tar", "--extract", "--file", built.tarball, "--directory", target)
        self.assertEqual([path.name for path in target.iterdir()],
                         [built.tarball.name.removesuffix(".tar.gz")])
        top = next(target.iterdir())
        self.assertEqual(built.run(top / "bin/proxima", "version"), f"proxima {built.version()}\n")
        self.assertIn("kubectl proxima", built.run(top / "bin/kubectl-proxima", "help"))
        for path in ("share/man/man1/proxima.1", "share/doc/proxima/LICENSE",
                     "share/bash-completion/completions/proxima",
                     "lib/systemd/system/proxima-proxy.service", "etc/default/proxima-proxy"):
            self.assertTrue((top / path).is_file(), path)

    def test_a_second_tarball_is_the_same_to_the_byte(self):
        again = built.pack("TGZ", built.folder / "again")
        self.assertEqual(again.read_bytes(), built.tarball.read_bytes())

    def test_names_are_in_order_and_belong_to_root(self):
        with tarfile.open(built.tarball) as archive:
            names = [member.name for member in archive]
            owners = {(member.uid, member.gid) for member in archive}
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(owners, {(0, 0)})
