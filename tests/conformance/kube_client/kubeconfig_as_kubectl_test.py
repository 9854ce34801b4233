#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kubeconfigs as kubectl reads them: the same files, flags and variables to both. Exits with 77
where there is no real kubectl.

    kubeconfig_as_kubectl_test.py build/release/bin/kubeconfig_view
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PEERS = pathlib.Path(os.environ.get("PROXIMA_PEERS", ROOT / "build" / "peers"))

# kubectl shows the content of certificates, and so which file it took them from.
CERTIFICATES = ("pki/ca.crt", "deep/pki/ca.crt", "ann.crt", "ann.key", "deep/ann.crt", "deep/ann.key")

FILES = {
    "one": """
apiVersion: v1
kind: Config
current-context: first
clusters:
- name: alpha
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
    disable-compression: true
- name: beta
  cluster: {server: "https://beta", certificate-authority-data: Q0VSVA==}
users:
- name: ann
  user: {client-certificate: ./pki/../ann.crt, client-key: ann.key}
- name: bob
  user: {client-certificate-data: Q0VSVA==, client-key-data: S0VZ}
contexts:
- name: first
  context: {cluster: alpha, user: ann, namespace: shop}
- name: second
  context: {cluster: beta, user: bob}
""",
    "deep/two": """
current-context: third
clusters:
- {name: alpha, cluster: {server: "https://other", tls-server-name: other}}
- {name: gamma, cluster: {server: "https://gamma", insecure-skip-tls-verify: true}}
users:
- {name: cy, user: {token: t, as: jane, as-groups: [a, b], as-uid: "5", as-user-extra: {k: [v, w]}}}
- {name: dan, user: {tokenFile: tokens/dan}}
- name: eve
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: ../bin/login
      args: [--cluster, x]
      env: [{name: A, value: "1"}]
      installHint: get it
- name: fay
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, interactiveMode: Never,
           provideClusterInfo: true}
- {name: gus, user: {username: gus, password: secret}}
contexts:
- {name: third, context: {cluster: gamma, user: cy, namespace: third-namespace}}
- {name: fourth, context: {cluster: alpha, user: dan}}
- {name: fifth, context: {cluster: gamma, user: eve}}
- {name: sixth, context: {cluster: gamma, user: fay}}
- {name: seventh, context: {cluster: gamma, user: gus}}
""",
    "json": json.dumps({"current-context": "j",
                        "clusters": [{"name": "c", "cluster": {"server": "https://j"}}],
                        "users": [{"name": "u", "user": {"token": "t"}}],
                        "contexts": [{"name": "j", "context": {"cluster": "c", "user": "u"}}]}),
    "yaml11": """
current-context: "on"
clusters: [{name: c, cluster: {server: &s "https://anchored"}}]
users: [{name: &n "123", user: {token: "0x10"}}]
contexts: [{name: "on", context: {cluster: c, user: *n, namespace: "null"}}]
""",
    "empty": "",
    "dangling": "current-context: gone\nclusters: [{name: c, cluster: {server: 'https://x'}}]\n",
    "no-such-user": ("current-context: x\nclusters: [{name: c, cluster: {server: 'https://x'}}]\n"
                     "contexts: [{name: x, context: {cluster: c, user: ghost}}]\n"),
    "twice": ("users: [{name: a, user: {}}, {name: a, user: {}}]\n"),
    "bad-type": "current-context: [x]\n",
    "bad-bool": ("clusters: [{name: c, cluster: {server: 'https://x', "
                 "insecure-skip-tls-verify: 'yes'}}]\n"),
    "bad-base64": "users: [{name: a, user: {client-key-data: '***'}}]\n",
    "bad-yaml": "users: [{name: a\n",
    "bad-kind": "kind: Pod\napiVersion: v1\n",
}

# What the row is about, --kubeconfig, KUBECONFIG, --context, whether both refuse.
ROWS = [
    ("one file", "one", "", "", False),
    ("one file, another context", "one", "", "second", False),
    ("an explicit file wins over the variable", "one", "deep/two", "", False),
    ("one file by the variable", "", "deep/two", "", False),
    ("two files", "", "one:deep/two", "", False),
    ("two files the other way round", "", "deep/two:one", "", False),
    ("an entry of the second file in a context of the first", "", "deep/two:one", "first", False),
    ("the first file's cluster counts as a whole", "", "one:deep/two", "fourth", False),
    ("missing files are skipped", "", "nowhere:one:nowhere2:deep/two", "fifth", False),
    ("empty names are skipped", "", "::one:", "", False),
    ("a file twice", "", "one:one", "", False),
    ("an empty file first", "", "empty:one", "", False),
    ("exec of the old version", "", "deep/two", "fifth", False),
    ("exec of the new version", "", "deep/two", "sixth", False),
    ("user and password", "", "deep/two", "seventh", False),
    ("a token file", "", "deep/two:one", "fourth", False),
    ("JSON", "json", "", "", False),
    ("YAML's odd words", "yaml11", "", "", False),
    ("a context that is not there", "one", "", "nothing", True),
    ("a file that is not there", "nowhere", "", "", True),
    ("a name twice", "twice", "", "", True),
    ("a list for a text", "bad-type", "", "", True),
    ("a text for a yes or no", "bad-bool", "", "", True),
    ("what is not base64", "bad-base64", "", "", True),
    ("what is not YAML", "bad-yaml", "", "", True),
    ("another kind", "bad-kind", "", "", True),
    ("a broken file among good ones", "", "one:bad-yaml", "", True),
    ("a current context that is not there", "dangling", "", "", True),
    ("a user that is not there", "no-such-user", "", "", True),
]


def environment(folder, listed):
    files = ":".join(str(folder / name) if name else "" for name in listed.split(":"))
    return {"HOME": str(folder / "home"), **({"KUBECONFIG": files} if listed else {})}


def flags(folder, explicit, context):
    return (["--kubeconfig", str(folder / explicit)] if explicit else []) + \
        (["--context", context] if context else [])


def of_kubectl(folder, explicit, listed, context):
    """What kubectl would connect to; None when it refuses."""
    words = [PEERS / "kubectl", "config", "view", "--minify", "--raw", "--flatten", "-o", "json"]
    result = subprocess.run(words + flags(folder, explicit, context), capture_output=True, text=True,
                            env=environment(folder, listed), cwd=folder, timeout=60)
    if result.returncode != 0:
        return None
    config = json.loads(result.stdout)
    if not config.get("clusters") or not config.get("users"):
        return None
    chosen = config["contexts"][0]["context"]
    user = config["users"][0]["user"]
    if user.get("exec", {}).get("installHint") == "":
        del user["exec"]["installHint"]
    return absolute(folder, {"cluster": config["clusters"][0]["cluster"], "user": user,
                             "namespace": chosen.get("namespace", "default")})


def absolute(folder, config):
    """kubectl shows these as they are written: relative to the file, which is the second one."""
    user = config["user"]
    base = folder / "deep"
    if "tokenFile" in user:
        user["tokenFile"] = os.path.normpath(base / user["tokenFile"])
    if "/" in user.get("exec", {}).get("command", ""):
        user["exec"]["command"] = os.path.normpath(base / user["exec"]["command"])
    return config


def flat(config):
    """Certificates as their content."""
    for entry, name in (("cluster", "certificate-authority"), ("user", "client-certificate"),
                        ("user", "client-key")):
        path = config[entry].pop(name, None)
        if path:
            config[entry][name + "-data"] = base64.b64encode(
                pathlib.Path(path).read_bytes()).decode()
    return config


def of_ours(program, folder, explicit, listed, context):
    result = subprocess.run([program] + flags(folder, explicit, context), capture_output=True,
                            text=True, env=environment(folder, listed), cwd=folder, timeout=60)
    return (flat(json.loads(result.stdout)) if result.returncode == 0 else None), result.stderr.strip()


def main():
    if not (PEERS / "kubectl").exists():
        print(f"skipped: kubectl is not in {PEERS}; make peers builds it")
        sys.exit(77)
    program = pathlib.Path(sys.argv[1]).resolve()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve()
        for name, text in {**FILES, **{name: "of " + name for name in CERTIFICATES}}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        for about, explicit, listed, context, refused in ROWS:
            theirs = of_kubectl(folder, explicit, listed, context)
            ours, message = of_ours(program, folder, explicit, listed, context)
            good = ours == theirs and (ours is None) == refused
            print(f"{'ok' if good else 'FAILED'}: {about}" + (f" ({message})" if message else ""))
            if not good:
                print(f"  kubectl: {theirs}\n  ours:    {ours}")
                failures += 1
    sys.exit(1 if failures else 0)


main()
