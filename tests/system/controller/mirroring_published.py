# SPDX-License-Identifier: Apache-2.0
"""What mirrored slices say, without what may differ from server to server."""
import json

from testbed.objects import MANAGED_BY, SERVICE_NAME

MIRRORER = "endpointslicemirroring-controller.k8s.io"


def is_mirrored(item):
    return item["metadata"].get("labels", {}).get(MANAGED_BY) == MIRRORER


def form(value):
    return json.dumps(value, sort_keys=True)


def slice_form(item, uids):
    """`uids`: of the Endpoints objects that there are."""
    metadata = item["metadata"]
    owners = [{**{key: owner.get(key) for key in ("apiVersion", "kind", "name", "controller",
                                                  "blockOwnerDeletion")},
               "present": owner["uid"] in uids}
              for owner in metadata.get("ownerReferences", [])]
    return form({"labels": metadata.get("labels"), "annotations": metadata.get("annotations"),
                 "owners": owners, "family": item["addressType"],
                 "ports": sorted(form(port) for port in item.get("ports") or []),
                 "endpoints": sorted(form(endpoint) for endpoint in item.get("endpoints") or [])})


def mirrored(items, endpoints):
    """Service → its mirrored slices, as texts in order."""
    uids = {item["metadata"]["uid"] for item in endpoints}
    found = {}
    for item in filter(is_mirrored, items):
        found.setdefault(item["metadata"]["labels"][SERVICE_NAME], []).append(
            slice_form(item, uids))
    return {name: sorted(forms) for name, forms in found.items()}
