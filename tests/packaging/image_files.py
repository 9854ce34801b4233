# SPDX-License-Identifier: Apache-2.0
"""The image without building it: its root is assembled and run. build_image.py builds it."""
import os
import re
import subprocess
import unittest

import yaml

import built

DOCKERFILE = (built.PROJECT / "packaging/Dockerfile").read_text()
LARGEST_BYTES = 64 << 20


def instructions():
    """The Dockerfile as (instruction, rest) without comments, continued lines joined."""
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", DOCKERFILE))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


class Root(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = built.folder / "image"
        built.run(built.PROJECT / "packaging/image-root", built.debian, cls.root)

    def inside(self, *words, user=None):
        """Runs a program of the root in it, as `user` where this machine lets us."""
        if os.geteuid() == 0:
            as_user = ["--userspec", f"{user}:{user}"] if user else []
            command = ["chroot", *as_user, self.root, *words]
        else:
            command = ["unshare", "--user", "--map-root-user", "chroot", self.root, *words]
        return built.run(*command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})

    def test_the_program_runs_with_nothing_else_around_it(self):
        program = "/usr/bin/proxima"
        for user in (None, "65532"):
            try:
                told = self.inside(program, "version", user=user)
            except built.Failed as error:
                if "unshare" in str(error) and "not permitted" in str(error):
                    print("not shown: that the image runs; no root and no user namespaces here")
                    return
                raise
            self.assertEqual(told, f"proxima {built.version()}\n")
        self.assertIn("--leader-elect", self.inside(program, "controller", "--help", user="65532"))
        self.assertIn("proxima proxy", self.inside(program, "proxy", "--help"))

    def test_there_is_no_shell_and_no_package_manager(self):
        names = {path.name for path in self.root.rglob("*") if path.is_file()}
        self.assertEqual(names & {"sh", "bash", "dash", "busybox", "apt-get", "dpkg", "perl"}, set())
        programs = [path.name for path in (self.root / "usr/bin").iterdir()]
        self.assertEqual(programs, ["proxima"])

    def test_it_has_certificates_and_the_user_of_the_manifests(self):
        self.assertIn("BEGIN CERTIFICATE",
                      (self.root / "etc/ssl/certs/ca-certificates.crt").read_text())
        user = yaml.safe_load((built.PROJECT / "deploy/kubernetes/deployment.yaml").read_text())
        number = user["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
        self.assertIn(f":x:{number}:{number}:", (self.root / "etc/passwd").read_text())

    def test_every_library_has_its_licence_and_its_record(self):
        records = sorted(path.name for path in (self.root / "var/lib/dpkg/status.d").iterdir())
        self.assertIn("libc6", records)
        self.assertIn("proxima", records)
        for package in records:
            self.assertTrue((self.root / f"usr/share/doc/{package}/copyright").is_file(), package)

    def test_it_is_small(self):
        size = sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file())
        print(f"the image has {size / 1e6:.1f} MB")
        self.assertLess(size, LARGEST_BYTES)

    def test_a_folder_that_exists_is_refused(self):
        done = subprocess.run([built.PROJECT / "packaging/image-root", built.debian, self.root],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"image-root: {self.root} exists\n"))


class Definition(unittest.TestCase):
    def test_it_makes_the_same_root(self):
        steps = instructions()
        last = [rest for name, rest in steps if name == "FROM"]
        self.assertEqual(last, ["${BASE} AS build", "scratch"])
        self.assertIn(("ARG", "BASE=debian:12"), steps)
        self.assertIn(("COPY", "--from=build /image/ /"), steps)
        build = " ".join(rest for name, rest in steps if name == "RUN")
        self.assertIn("make package && packaging/image-root build/release/packages/", build)

    def test_it_runs_the_program_as_nobody(self):
        steps = dict(instructions())
        self.assertEqual(steps["USER"], "65532:65532")
        self.assertEqual(steps["ENTRYPOINT"], '["/usr/bin/proxima"]')

    def test_deploy_names_the_image_of_this_version(self):
        images = set()
        for manifest in (built.PROJECT / "deploy").rglob("*.yaml"):
            images |= set(re.findall(r"(?m)^\s*image: (proxima:\S+)$", manifest.read_text()))
        self.assertEqual(images, {f"proxima:{built.version()}"})
        self.assertIn(f"-t proxima:{built.version()} .", DOCKERFILE)
        self.assertIn(f'image.version="{built.version()}"', DOCKERFILE)
        chart = yaml.safe_load((built.PROJECT / "deploy/helm/proxima/Chart.yaml").read_text())
        self.assertEqual(chart["appVersion"], built.version())
