#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""live_api against a real kube-apiserver: once with a token, and its first requests with every
other way to say who one is. Exits with 77 where the real programs are missing.

    live_api_test.py build/release/bin/live_api
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PLUGIN = """#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",'
printf '"status":{"token":"%s"}}' "$TOKEN"
"""


def variants(folder, kubeconfig):
    """Name, text of a kubeconfig, whether it gets in."""
    text = kubeconfig.read_text()
    token = "token: admin-token"
    (folder / "token").write_text("admin-token\n")
    (folder / "plugin").write_text(PLUGIN)
    (folder / "plugin").chmod(0o700)
    (folder / "other.crt").write_text((folder / "other-ca.pem").read_text())
    run = ("exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, "
           "interactiveMode: Never, env: [{name: TOKEN, value: %s}]}")
    yield "a token file", text.replace(token, "tokenFile: token"), True
    yield "a plugin", text.replace(token, run % "admin-token"), True
    yield "a plugin with a wrong token", text.replace(token, run % "wrong"), False
    yield "a wrong token", text.replace(token, "token: wrong"), False
    yield "impersonation of nobody in particular", text.replace(token, token + ", as: jane"), False
    yield "impersonation of a master", text.replace(
        token, token + ", as: jane, as-groups: ['system:masters']"), True
    yield "no verification", text.replace("certificate-authority: ca.crt",
                                          "insecure-skip-tls-verify: true"), True
    yield "an authority that did not sign", text.replace("ca.crt", "other.crt"), False


def passes(program, kubeconfig, selection):
    environment = {"PATH": os.environ["PATH"], "KUBECONFIG": str(kubeconfig)}
    result = subprocess.run([program, f"--gtest_filter={selection}"], env=environment,
                            capture_output=True, text=True, timeout=120)
    return result.returncode == 0, result.stdout + result.stderr


def run(program, folder, kubeconfig):
    good, output = passes(program, kubeconfig, "*")
    print(output)
    if not good:
        return 1
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=other",
                    "-keyout", folder / "other.key", "-out", folder / "other-ca.pem"],
                   check=True, capture_output=True)
    failures = 0
    for name, text, expected in variants(folder, kubeconfig):
        (folder / "variant").write_text(text)
        good, output = passes(program, folder / "variant", "*TheServerKnowsTheTimeLimit")
        print(f"{'ok' if good == expected else 'FAILED'}: {name} "
              f"{'gets in' if expected else 'stays out'}")
        if good != expected:
            print(output)
            failures += 1
        if "admin-token" in output:
            print(f"FAILED: {name}: the token is in the output")
            failures += 1
    return 1 if failures else 0


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        server = subprocess.Popen([sys.executable, "-m", "peers.real_apiserver", folder],
                                  stdout=subprocess.PIPE, text=True)
        try:
            kubeconfig = server.stdout.readline().strip()
            if not kubeconfig:
                sys.exit(server.wait(30))
            status = run(sys.argv[1], folder, pathlib.Path(kubeconfig))
        finally:
            server.terminate()
            server.wait(30)
    sys.exit(status)


main()
