#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every server with a certificate that can end serves a new one without a restart:
certificate_renewal_test.py PROGRAM.

Servers look for a new certificate once a minute, so this takes a minute; the three wait together.
"""
import contextlib
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import unittest

from peers import servers
from testbed.waiting import eventually

PROGRAM = ""  # set by main


def make_certificate(folder, name):
    """Writes the certificate that the controller is started with, or its successor."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-days", "30", "-subj", f"/CN={name}", "-keyout", folder / "tls.key",
                    "-out", folder / "tls.crt"], check=True, capture_output=True)
    return (folder / "tls.crt").read_text()


def served_at(url):
    """The certificate that a new connection sees."""
    host, port = re.search(r"https://([^:/]+):(\d+)", url).groups()
    return ssl.get_server_certificate((host, int(port)), timeout=10)


class Renewal(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.api = stack.enter_context(servers.embedded_server(PROGRAM, folder=self.folder))
        self.first = make_certificate(self.folder, "first")
        self.output = self.folder / "controller.out"
        with open(self.output, "wb") as sink:
            self.controller = stack.enter_context(subprocess.Popen(
                [PROGRAM, "controller", f"--kubeconfig={self.api.kubeconfig}", "--dry-run",
                 "--metrics-bind-address=127.0.0.1:0", "--web=127.0.0.1:0",
                 f"--tls-cert-file={self.folder / 'tls.crt'}",
                 f"--tls-private-key-file={self.folder / 'tls.key'}"],
                stdout=sink, stderr=subprocess.STDOUT))
        stack.callback(self.controller.kill)

    def address_of(self, what):
        found = eventually(lambda: re.search(what + r" at (https://\S+)", self.output.read_text()),
                           f"the line with the address of the {what}", seen=self.output.read_text)
        return found.group(1)

    def test_every_server_serves_the_new_certificate(self):
        status, page = self.address_of("status"), self.address_of("page")
        for url in (status, page):
            self.assertEqual(served_at(url).strip(), self.first.strip(), url)
        own = served_at(self.api.url)

        second = make_certificate(self.folder, "second")
        # The server of the API makes its certificate itself, as soon as it has none that lasts.
        (self.folder / "data" / "pki" / "apiserver.crt").unlink()

        for name, url in (("status", status), ("page", page)):
            eventually(lambda: served_at(url).strip() == second.strip(),
                       f"the new certificate on the {name} port", seen=lambda: served_at(url))
        eventually(lambda: served_at(self.api.url) != own, "a new certificate of the API server")
        self.assertIsNone(self.controller.poll(), "the controller has ended")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
