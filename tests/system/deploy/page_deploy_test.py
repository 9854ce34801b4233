#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The chart's values for the live page, on a real kube-apiserver: page_deploy_test.py PROGRAM.

The server accepts what they make, and a controller with the flags and the rights that they give
serves the page, writes only where it may, and is never refused. Exits with 77 and the reason when a
program is not to be had.
"""
import collections
import http.client
import json
import re
import sys
import unittest

import yaml

from deploy_test import CHART, ROOT, OnRealServer, eventually, run, servers

PROGRAM = ""  # set by main
SKIPPED = 77
TOKEN = "a-token-of-the-secret-0123"
ON = ("controller.web.enabled=true", "controller.web.tokenSecret.name=page")
CHANGES = (*ON, "controller.web.allowChanges=true")
SERVICE = "proxima-controller-web"


def render(*values):
    return run(servers.peer("helm"), "template", "proxima", CHART, "--namespace", "kube-system",
               "--kube-version", "1.36.0",
               *(word for value in values for word in ("--set", value)))


def only(things, kind, name=None):
    (found,) = (thing for thing in things if thing["kind"] == kind
                and name in (None, thing["metadata"]["name"]))
    return found


class PageDeploy(OnRealServer):
    def chart(self, *values):
        done = render(*values)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [thing for thing in yaml.safe_load_all(done.stdout) if thing]

    def pod(self, *values):
        return only(self.chart(*values), "Deployment")["spec"]["template"]

    def arguments(self, *values):
        (container,) = self.pod(*values)["spec"]["containers"]
        return container["args"]

    def test_there_is_no_page_unless_it_is_asked_for(self):
        things = self.chart()
        self.assertNotIn("web", json.dumps([thing["metadata"]["name"] for thing in things]))
        self.assertNotIn("--web", " ".join(self.arguments()))

    def test_the_server_accepts_what_the_values_make(self):
        for values in (ON, CHANGES, (*ON, "controller.web.service.enabled=false"),
                       (*ON, "controller.web.service.type=NodePort", "controller.web.port=9000"),
                       (*ON, "controller.dryRun=true", "controller.web.address=::"),
                       (*ON, "controller.web.hostNames={a.example,b.example}",
                        "networkPolicy.webFrom[0].podSelector.matchLabels.app=door")):
            with self.subTest(values=values):
                done = render(*values)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.kubectl("apply", "--dry-run=server", "-f", "-", given=done.stdout)

    def test_values_that_cannot_work_are_refused(self):
        for values, said in ((ON[:1], "controller.web.tokenSecret.name must name a Secret"),
                             ((*ON, "controller.web.port=0"), "port"),
                             ((*ON, "controller.web.readOnly=true"), "readOnly"),
                             ((*ON, "controller.web.service.type=Magic"), "type")):
            with self.subTest(values=values):
                done = render(*values)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)

    def test_it_only_shows_unless_changes_are_allowed(self):
        self.assertNotIn("--web-allow-changes", self.arguments(*ON))
        self.assertIn("--web-allow-changes", self.arguments(*CHANGES))

    def test_node_proxies_may_be_asked_only_with_the_page(self):
        def ports(*values):
            policy = only(self.chart(*values), "NetworkPolicy")
            return [port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]]

        self.assertEqual(ports(), [443, 6443])
        self.assertEqual(ports(*ON), [443, 6443, 10249])
        self.assertEqual(ports(*ON, "controller.web.proxyPort=0"), [443, 6443])
        self.assertIn("--web-proxy-port=10249", self.arguments(*ON))
        self.assertIn("--web-proxy-port=0", self.arguments(*ON, "controller.web.proxyPort=0"))

    def test_node_proxies_see_a_token_that_is_for_them_alone(self):
        spec = self.pod(*ON)["spec"]
        (volume,) = (one for one in spec["volumes"] if one["name"] == "proxy-token")
        (source,) = volume["projected"]["sources"]
        self.assertEqual(source["serviceAccountToken"]["audience"], "proxima-proxy")
        (container,) = spec["containers"]
        (mount,) = (one for one in container["volumeMounts"] if one["name"] == "proxy-token")
        self.assertIn(f"--web-proxy-token-file={mount['mountPath']}/token", container["args"])
        alone = self.pod(*ON, "controller.web.proxyPort=0")["spec"]
        self.assertNotIn("proxy-token", [one["name"] for one in alone["volumes"]])
        self.assertNotIn("proxy-token-file", " ".join(alone["containers"][0]["args"]))

    def test_its_rights_are_those_of_the_manifest(self):
        manifest = list(yaml.safe_load_all((ROOT / "deploy/kubernetes/web-rbac.yaml").read_text()))
        shows = only(manifest, "ClusterRole", SERVICE)["rules"]
        writes = only(manifest, "ClusterRole", SERVICE + "-changes")["rules"]
        self.assertEqual(only(self.chart(*ON), "ClusterRole", SERVICE)["rules"], shows)
        self.assertEqual(only(self.chart(*CHANGES), "ClusterRole", SERVICE)["rules"],
                         shows + writes)

    def test_the_service_leads_to_the_page(self):
        service = only(self.chart(*ON), "Service")["spec"]
        pod = self.pod(*ON)
        self.assertEqual(service["selector"], {name: pod["metadata"]["labels"].get(name)
                                               for name in service["selector"]})
        (container,) = pod["spec"]["containers"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        self.assertIn(f"--web=[0.0.0.0]:{ports[service['ports'][0]['targetPort']]}",
                      container["args"])

    def test_the_token_is_the_secrets_and_the_user_may_read_it(self):
        spec = self.pod(*ON, "controller.web.tokenSecret.key=mine")["spec"]
        (volume,) = (one for one in spec["volumes"] if one["name"] == "web-token")
        self.assertEqual(volume["secret"]["secretName"], "page")
        self.assertEqual(volume["secret"]["items"], [{"key": "mine", "path": "token"}])
        (container,) = spec["containers"]
        (folder,) = (one["mountPath"] for one in container["volumeMounts"]
                     if one["name"] == "web-token")
        self.assertIn(f"--web-token-file={folder}/token", container["args"])
        self.assertEqual(volume["secret"]["defaultMode"], 0o440)
        self.assertEqual(spec["securityContext"]["fsGroup"], spec["securityContext"]["runAsGroup"])

    def started(self, *values):
        """The words of a controller as the chart starts it, at free ports and with our token; its log."""
        things = self.chart(*values)
        for thing in things:
            if thing["kind"] in ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role",
                                 "RoleBinding"):
                self.kubectl("apply", "-f", "-", given=json.dumps(thing))
        folder = self.endpoint.kubeconfig.parent
        (folder / "token").write_text(TOKEN)
        bearer = self.kubectl("create", "token", "proxima-controller", "-n", "kube-system").strip()
        servers.write_kubeconfig(folder / "page-kubeconfig", self.endpoint.url, bearer)
        (container,) = only(things, "Deployment")["spec"]["template"]["spec"]["containers"]
        text = "\n".join(container["args"])
        text = re.sub(r"(bind-address|--web)=\[[^]]*\]:\d+", r"\1=127.0.0.1:0", text)
        text = text.replace("/etc/proxima/web/token", str(folder / "token"))
        return [PROGRAM, *text.split("\n"), "--kubeconfig", folder / "page-kubeconfig"]

    def ask(self, port, path, host="localhost", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET" if body is None else "POST", path,
                           None if body is None else json.dumps(body),
                           {"Authorization": "Bearer " + TOKEN, "X-Proxima": "1", "Host": host})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def serve(self, name, values, look):
        """Runs it, and `look`s at the port of its page; nobody may have been refused."""
        log = self.endpoint.kubeconfig.parent / (name + ".log")
        before = self.api.refusals()
        with servers.running(self.started(*values), log):
            found = eventually(lambda: re.search(r"page at http://127\.0\.0\.1:(\d+)/",
                                                 log.read_text()), "the page's address")
            eventually(lambda: json.loads(self.ask(int(found.group(1)), "/api/state")[1])
                       ["waitingFor"] is None, "every kind listed")
            look(int(found.group(1)))
        said = log.read_text()
        self.assertEqual(self.api.refusals() - before, collections.Counter(), said[-2000:])
        self.assertNotIn(TOKEN, said)

    def test_a_controller_that_is_started_so_shows_the_cluster_and_changes_nothing(self):
        def look(port):
            for host, code in (("localhost", 200), (SERVICE, 200), (SERVICE + ".kube-system", 200),
                               (SERVICE + ".kube-system.svc:80", 200), ("page.example", 200),
                               ("evil.example", 403)):
                self.assertEqual(self.ask(port, "/", host)[0], code, host)
            wish = {"policy": "balanced"}
            self.assertEqual(self.ask(port, "/api/services/default/kubernetes/policy", body=wish)[0],
                             403)

        self.serve("shows", (*ON, "controller.web.hostNames={page.example}"), look)

    def test_a_controller_that_may_change_writes_a_policy(self):
        self.api.create("/api/v1/namespaces/default/services", metadata={"name": "shown"},
                        spec={"selector": {"app": "web"}, "ports": [{"port": 80}]})

        def look(port):
            eventually(lambda: self.ask(port, "/api/services/default/shown/policy",
                                        body={"policy": "balanced"})[0] == 200, "the change")

        self.serve("changes", CHANGES, look)
        made = json.loads(self.kubectl("get", "service", "shown", "-o", "json"))
        self.assertEqual(made["metadata"]["annotations"]["proxima.io/policy"], "balanced")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    try:
        for program in ("kubectl", "kube-apiserver", "etcd", "helm"):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    unittest.main()
