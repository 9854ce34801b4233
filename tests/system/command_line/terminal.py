# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a pseudo-terminal and gives back what it drew there."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def run_on_terminal(words, columns, environment=None, **options):
    """Standard output on a terminal that is `columns` wide; (exit code, text with line feeds)."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen(words, stdout=follower, stderr=follower, stdin=subprocess.DEVNULL,
                             env=environment, **options)
    os.close(follower)
    text = bytearray()
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # how Linux tells that the other side is closed
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    return child.wait(), text.decode("utf-8").replace("\r\n", "\n")


def without_colours(text):
    return ESCAPE.sub("", text)


def columns_of(line):
    """Columns that a line takes on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in without_colours(line))
