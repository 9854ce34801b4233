# SPDX-License-Identifier: Apache-2.0
"""The packages of a build, made once for all tests, in a folder that goes away with them."""
import os
import pathlib
import shutil
import subprocess
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 240
# Any time will do, as long as it is the same: 2024-01-01.
EPOCH = "1704067200"

build = None  # the build folder, set by run.py
folder = None  # where everything below is
debian = None  # the .deb
tarball = None  # the .tar.gz


class Failed(Exception):
    """A program ended with an error; its words are in it."""


def run(*words, given=None, **options):
    done = subprocess.run([str(word) for word in words], input=given, capture_output=True,
                          text=True, timeout=SECONDS_MAX, **options)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}"
                     f"{done.stderr}")
    return done.stdout


def pack(generator, target):
    """What CPack makes in the folder `target` of the program as it is built now."""
    run("cpack", "--config", build / "CPackConfig.cmake", "-G", generator, "-B", target, cwd=build,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH})
    return next(file for file in sorted(target.iterdir()) if file.suffix in (".deb", ".gz"))


def make(build_folder):
    global build, folder, debian, tarball
    build = pathlib.Path(build_folder).resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="proxima-packages."))
    debian = pack("DEB", folder / "deb")
    tarball = pack("TGZ", folder / "tgz")


def remove():
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def version():
    """The version of the project, as its CMakeLists.txt says."""
    text = (PROJECT / "CMakeLists.txt").read_text()
    return text.split("project(proxima VERSION ", 1)[1].split()[0]
