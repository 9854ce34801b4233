#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of rights in docs/security.md, and the rights that `proxima check` asks for, are what the
manifests grant, and only the container that runs has the token with them: rights_page_test.py PROGRAM."""
import functools
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (ROOT / "deploy" / "kubernetes", ROOT / "deploy" / "proxy")
ROLES, BINDINGS = ("ClusterRole", "Role"), ("ClusterRoleBinding", "RoleBinding")
NOBODY = "nobody"
PROGRAM = ""  # set by main
# These give whoever holds them more than the table could say.
NEVER = {"*", "impersonate", "bind", "escalate"}


@functools.cache
def manifests():
    return [one for folder in FOLDERS for file in sorted(folder.glob("*.yaml"))
            for one in yaml.safe_load_all(file.read_text(encoding="utf-8"))]


def objects(*kinds):
    return [one for one in manifests() if one["kind"] in kinds]


def scope_of(role):
    return role["metadata"].get("namespace", "all namespaces")


def holders_of(role):
    """The service accounts that the manifests bind the role to."""
    wanted = (role["kind"], role["metadata"]["name"], scope_of(role))
    return " ".join(sorted(
        subject["name"] for binding in objects(*BINDINGS) for subject in binding["subjects"]
        if (binding["roleRef"]["kind"], binding["roleRef"]["name"], scope_of(binding)) == wanted)) or NOBODY


def granted():
    """(holder, role, namespace, verbs, resources, names) of every rule in the manifests."""
    return sorted(
        (holders_of(role), role["metadata"]["name"], scope_of(role), " ".join(sorted(rule["verbs"])),
         " ".join(sorted(rule.get("resources", []) + rule.get("nonResourceURLs", []))),
         " ".join(sorted(rule.get("resourceNames", ["any"]))))
        for role in objects(*ROLES) for rule in role["rules"])


def told():
    """The same of the rows of the table."""
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    table = re.search(r"<!-- rights -->\n(.*?)<!-- end of rights -->", page, re.DOTALL).group(1)
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in table.strip().splitlines()[2:]]
    return sorted(tuple(" ".join(sorted(cell.replace("`", "").split(" "))) if column >= 3
                        else cell.replace("`", "") for column, cell in enumerate(row))
                  for row in rows)


def needed():
    """(component, namespaced, verbs, group, resources, names) of what the parts cannot do without: not
    of mirroring and of the live page, which are roles of their own."""
    found = set()
    for role in objects(*ROLES):
        component = role["metadata"]["labels"]["app.kubernetes.io/component"]
        if role["metadata"]["name"] != "proxima-" + component:
            continue
        for rule in role["rules"]:
            for group in rule.get("apiGroups", [""]):
                found.add((component, role["kind"] == "Role", " ".join(sorted(rule["verbs"])), group,
                           " ".join(sorted(rule.get("resources", []) + rule.get("nonResourceURLs", []))),
                           " ".join(rule.get("resourceNames", []))))
    return found


def asked():
    """The same of what the program asks the API server about."""
    printed = subprocess.run([PROGRAM, "check", "--list", "-o", "json"], check=True,
                             capture_output=True, text=True, timeout=60).stdout
    return {(rule["component"], rule["namespaced"], " ".join(sorted(rule["verbs"].split())), rule["group"],
             " ".join(sorted(rule["resources"].split() + rule["paths"].split())), rule["name"])
            for rule in json.loads(printed)["rights"]}


class Rights(unittest.TestCase):
    maxDiff = None

    def test_proxima_check_asks_for_the_rights_that_the_parts_need(self):
        self.assertGreater(len(needed()), 15)
        self.assertEqual(asked(), needed())

    def test_every_rule_is_a_row_and_every_row_a_rule(self):
        self.assertEqual(told(), granted())

    def test_nobody_gets_rights_that_open_all_others(self):
        for role in objects(*ROLES):
            for rule in role["rules"]:
                words = {*rule["verbs"], *rule.get("resources", []), *rule.get("apiGroups", []),
                         *rule.get("nonResourceURLs", [])}
                self.assertEqual(words & NEVER, set(), role["metadata"]["name"])

    def test_nobody_reads_secrets_and_nobody_changes_pods_or_nodes(self):
        for holder, role, _, verbs, resources, _ in granted():
            self.assertNotIn("secrets", resources.split(), role)
            if {"pods", "nodes"} & set(resources.split()):
                self.assertLessEqual(set(verbs.split()), {"get", "list", "watch"}, (holder, role))


class Tokens(unittest.TestCase):
    # proxy_deploy_test compares the chart with these.
    def test_only_the_container_that_runs_has_a_token(self):
        (daemon_set,) = objects("DaemonSet")
        pod = daemon_set["spec"]["template"]["spec"]
        self.assertIs(pod["automountServiceAccountToken"], False)
        secret = {volume["name"] for volume in pod["volumes"]
                  if any("serviceAccountToken" in source
                         for source in volume.get("projected", {}).get("sources", []))}
        self.assertIn("api-access", secret)
        self.assertTrue(pod["initContainers"])
        for container in pod["initContainers"]:
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            self.assertEqual(mounted & secret, set(), container["name"])
        (proxy,) = pod["containers"]
        mounted = {mount["name"]: mount["mountPath"] for mount in proxy["volumeMounts"]}
        self.assertEqual(mounted["api-access"], "/var/run/secrets/kubernetes.io/serviceaccount")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
