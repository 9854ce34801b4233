# SPDX-License-Identifier: Apache-2.0
"""What users of the Python client do, checked against the server of KUBECONFIG."""
import datetime
import threading
import unittest

from kubernetes import client, config, watch

NAMESPACE = "python-client"
LABELS = {"made-by": "python-client"}


def meta(name):
    return client.V1ObjectMeta(name=name, labels=LABELS)


def service(name, **spec):
    return client.V1Service(metadata=meta(name), spec=client.V1ServiceSpec(
        ports=[client.V1ServicePort(port=80)], selector={"app": name}, **spec))


def pod(name):
    return client.V1Pod(metadata=meta(name), spec=client.V1PodSpec(
        containers=[client.V1Container(name="c", image="registry.example/app:1")]))


def slice_of(name):
    return client.V1EndpointSlice(metadata=meta(name), address_type="IPv4",
                                  endpoints=[client.V1Endpoint(addresses=["10.1.2.3"])])


def lease(name):
    return client.V1Lease(metadata=meta(name), spec=client.V1LeaseSpec(holder_identity="me"))


def configmap(name, **data):
    return client.V1ConfigMap(metadata=meta(name), data=data)


class PythonClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        config.load_kube_config()
        cls.core = client.CoreV1Api()
        cls.discovery = client.DiscoveryV1Api()
        cls.coordination = client.CoordinationV1Api()
        cls.events = client.EventsV1Api()
        cls.core.create_namespace(client.V1Namespace(metadata=meta(NAMESPACE)))

    def refused(self, status, reason, call, *arguments, **options):
        with self.assertRaises(client.ApiException) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.status, status)
        self.assertIn(f'"reason":"{reason}"', caught.exception.body.replace('": "', '":"'))
        return caught.exception

    def test_every_kind_is_created_read_listed_patched_and_deleted(self):
        kinds = [
            (self.core, "config_map", configmap), (self.core, "service", service),
            (self.core, "pod", pod), (self.discovery, "endpoint_slice", slice_of),
            (self.coordination, "lease", lease),
        ]
        for api, kind, make in kinds:
            with self.subTest(kind):
                made = getattr(api, f"create_namespaced_{kind}")(NAMESPACE, make("all"))
                self.assertTrue(made.metadata.uid)
                read = getattr(api, f"read_namespaced_{kind}")("all", NAMESPACE)
                self.assertEqual(read.metadata.uid, made.metadata.uid)
                listed = getattr(api, f"list_namespaced_{kind}")(NAMESPACE)
                self.assertIn("all", [item.metadata.name for item in listed.items])
                patched = getattr(api, f"patch_namespaced_{kind}")(
                    "all", NAMESPACE, {"metadata": {"labels": {"patched": "yes"}}})
                self.assertEqual(patched.metadata.labels, {**LABELS, "patched": "yes"})
                getattr(api, f"delete_namespaced_{kind}")("all", NAMESPACE)
                self.refused(404, "NotFound", getattr(api, f"read_namespaced_{kind}"), "all",
                             NAMESPACE)

    def test_nodes_have_a_status_of_their_own(self):
        self.core.create_node(client.V1Node(metadata=meta("python-node")))
        ready = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        changed = self.core.patch_node_status("python-node", ready)
        self.assertEqual(changed.status.conditions[0].type, "Ready")
        self.core.delete_node("python-node")

    def test_events_of_both_groups_are_the_same_objects(self):
        self.events.create_namespaced_event(NAMESPACE, client.EventsV1Event(
            metadata=meta("seen"), reason="Seen", action="Seeing", note="seen", type="Normal",
            event_time=datetime.datetime(2001, 2, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc),
            reporting_controller="example.com/tests", reporting_instance="tests-1",
            regarding=client.V1ObjectReference(kind="Pod", name="a", namespace=NAMESPACE)))
        old = self.core.read_namespaced_event("seen", NAMESPACE)
        self.assertEqual((old.message, old.involved_object.name), ("seen", "a"))

    def test_a_service_is_completed(self):
        made = self.core.create_namespaced_service(NAMESPACE, service("np", type="NodePort"))
        self.assertEqual(made.spec.cluster_ips, [made.spec.cluster_ip])
        self.assertIn(made.spec.ports[0].node_port, range(30000, 32768))
        self.assertEqual(made.spec.internal_traffic_policy, "Cluster")

    def test_errors_have_the_status_of_the_server(self):
        self.core.create_namespaced_config_map(NAMESPACE, configmap("mine"))
        self.refused(409, "AlreadyExists", self.core.create_namespaced_config_map, NAMESPACE,
                     configmap("mine"))
        self.refused(422, "Invalid", self.core.create_namespaced_service, NAMESPACE,
                     service("bad", type="Odd"))
        self.refused(400, "BadRequest", self.core.list_namespaced_config_map, NAMESPACE,
                     label_selector="a b")
        self.refused(404, "NotFound", self.core.create_namespaced_config_map, "nowhere",
                     configmap("a"))

    def test_a_stale_replace_is_a_conflict(self):
        old = self.core.create_namespaced_config_map(NAMESPACE, configmap("stale", a="1"))
        self.core.patch_namespaced_config_map("stale", NAMESPACE, {"data": {"a": "2"}})
        self.refused(409, "Conflict", self.core.replace_namespaced_config_map, "stale", NAMESPACE,
                     old)

    def test_a_stranger_is_refused(self):
        settings = client.Configuration.get_default_copy()
        settings.api_key = {"BearerToken": "Bearer nobody-has-this"}
        settings.refresh_api_key_hook = None  # it would put the right token back
        stranger = client.CoreV1Api(client.ApiClient(settings))
        self.refused(401, "Unauthorized", stranger.list_namespace)

    def test_lists_come_in_pages(self):
        for name in "abcde":
            self.core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(
                metadata=client.V1ObjectMeta(name=f"page-{name}", labels={"page": "yes"})))
        names, token = [], None
        while token != "":
            page = self.core.list_namespaced_config_map(NAMESPACE, label_selector="page=yes",
                                                        limit=2, _continue=token)
            names += [item.metadata.name for item in page.items]
            token = page.metadata._continue or ""
        self.assertEqual(names, [f"page-{name}" for name in "abcde"])

    def test_a_watch_sees_every_change_in_order(self):
        listed = self.core.list_namespaced_config_map(NAMESPACE)
        seen, follow = [], watch.Watch()

        def change():
            self.core.create_namespaced_config_map(NAMESPACE, configmap("watched", a="0"))
            for number in range(1, 4):
                self.core.patch_namespaced_config_map("watched", NAMESPACE,
                                                      {"data": {"a": str(number)}})
            self.core.delete_namespaced_config_map("watched", NAMESPACE)

        writer = threading.Thread(target=change)
        writer.start()
        for event in follow.stream(self.core.list_namespaced_config_map, NAMESPACE,
                                   field_selector="metadata.name=watched", timeout_seconds=20,
                                   resource_version=listed.metadata.resource_version):
            seen.append((event["type"], event["object"].data["a"]))
            if event["type"] == "DELETED":
                follow.stop()
        writer.join()
        self.assertEqual(seen, [("ADDED", "0"), ("MODIFIED", "1"), ("MODIFIED", "2"),
                                ("MODIFIED", "3"), ("DELETED", "3")])

    def test_the_dynamic_client_finds_the_kinds(self):
        from kubernetes import dynamic
        kinds = dynamic.DynamicClient(client.ApiClient()).resources
        services = kinds.get(api_version="v1", kind="Service")
        made = services.create(namespace=NAMESPACE, body={
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "dynamic"},
            "spec": {"ports": [{"port": 80}]}})
        self.assertEqual(made.spec.type, "ClusterIP")
        self.assertEqual(kinds.get(api_version="discovery.k8s.io/v1", kind="EndpointSlice").name,
                         "endpointslices")


if __name__ == "__main__":
    unittest.main(verbosity=2)
