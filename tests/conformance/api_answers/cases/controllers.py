# SPDX-License-Identifier: Apache-2.0
"""What goes with its owner or its namespace. Beside the real server runs kube-controller-manager;
the embedded one does this itself."""
from objects import configmap, lease, namespace, owned_by, pod
from steps import Case, create, delete, eventually, get, patch, put

PROFILE = "controllers"
OPTIONS = {"kind": "DeleteOptions", "apiVersion": "v1"}
UID = {"uid": "metadata/uid"}
GONE = 404


def child(name, meta=None, **reference):
    return configmap(name, {**owned_by("ConfigMap", "owner", "<uid>", **reference), **(meta or {})})


CASES = [
    Case("what an object owns goes with it",
         create("configmaps", configmap("owner"), save=UID),
         create("configmaps", child("child")),
         create("leases", lease("child", owned_by("ConfigMap", "owner", "<uid>"))),
         create("configmaps", configmap("free")),
         delete("configmaps/owner"),
         eventually(get("configmaps/child"), GONE),
         eventually(get("leases/child"), GONE),
         get("configmaps/free")),
    Case("what an object owns stays when it is orphaned",
         create("configmaps", configmap("owner"), save=UID),
         create("configmaps", child("child")),
         delete("configmaps/owner", {**OPTIONS, "propagationPolicy": "Orphan"}),
         eventually(get("configmaps/owner"), GONE),
         get("configmaps/child", only=("metadata/name", "metadata/ownerReferences"))),
    Case("what an object owns goes before it",
         create("configmaps", configmap("owner"), save=UID),
         create("configmaps", child("child", {"finalizers": ["example.com/hold"]},
                                    blockOwnerDeletion=True)),
         delete("configmaps/owner", {**OPTIONS, "propagationPolicy": "Foreground"}),
         get("configmaps/owner", only=("metadata/name", "metadata/finalizers")),
         patch("configmaps/child", {"metadata": {"finalizers": None}},
               only=("metadata/name", "metadata/finalizers")),
         eventually(get("configmaps/child"), GONE),
         eventually(get("configmaps/owner"), GONE)),
    Case("what has another owner left stays",
         create("configmaps", configmap("other"), save={"other": "metadata/uid"}),
         create("configmaps", configmap("owner"), save=UID),
         create("configmaps", configmap("child", {"ownerReferences": [
             {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "<uid>"},
             {"apiVersion": "v1", "kind": "ConfigMap", "name": "other", "uid": "<other>"}]})),
         create("configmaps", child("witness")),
         delete("configmaps/owner"),
         eventually(get("configmaps/witness"), GONE),
         get("configmaps/child", only=("metadata/name",))),
    Case("what is owned by something that was never there goes",
         create("configmaps", configmap("child", owned_by(
             "ConfigMap", "never", "11111111-2222-3333-4444-555555555555"))),
         eventually(get("configmaps/child"), GONE)),
    Case("a namespace goes with all that is in it",
         create("namespaces", namespace("<ns>-x")),
         create("/api/v1/namespaces/<ns>-x/configmaps", configmap("a")),
         create("/api/v1/namespaces/<ns>-x/pods", pod("b")),
         delete("namespaces/<ns>-x", only=("kind", "metadata/name", "status/phase",
                                           "metadata/deletionTimestamp", "spec/finalizers")),
         eventually(get("namespaces/<ns>-x"), GONE),
         get("/api/v1/namespaces/<ns>-x/configmaps/a"),
         get("/api/v1/namespaces/<ns>-x/pods/b")),
    Case("a namespace that ends takes nothing new",
         create("namespaces", namespace("<ns>-x")),
         create("/api/v1/namespaces/<ns>-x/configmaps",
                configmap("held", {"finalizers": ["example.com/hold"]})),
         delete("namespaces/<ns>-x", only=("status/phase",)),
         eventually(create("/api/v1/namespaces/<ns>-x/configmaps", configmap("late"),
                           says="create another"), 403),
         patch("/api/v1/namespaces/<ns>-x/configmaps/held", {"data": {"a": "1"}},
               says="what is there may change", only=("data",)),
         get("namespaces/<ns>-x", only=("status/phase", "spec/finalizers")),
         patch("/api/v1/namespaces/<ns>-x/configmaps/held", {"metadata": {"finalizers": None}},
               says="what is held is let go", only=("metadata/name",)),
         eventually(get("namespaces/<ns>-x"), GONE)),
    Case("some namespaces stay",
         delete("namespaces/default"), delete("namespaces/kube-system")),
    Case("finalizing a namespace by hand",
         create("namespaces", namespace("<ns>-x"), only=("spec", "status")),
         put("namespaces/<ns>-x/finalize", namespace("<ns>-x", spec={"finalizers": []}),
             only=("spec", "status"))),
]
