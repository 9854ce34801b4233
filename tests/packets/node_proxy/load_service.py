# SPDX-License-Identifier: Apache-2.0
"""A Service whose endpoints come and go as Pods do that shut down gracefully."""
from testbed import bed as beds
from testbed import row_objects as objects

READY, DRAINING, GONE = "ready", "draining", "gone"


class LoadService:
    """Backends belong to it alone. A backend that left long enough ago for every proxy to know
    refuses new connections, as a Pod that is gone does."""

    def __init__(self, number, words, backends):
        self.service = objects.RowService(number, words, "")
        self.states = dict.fromkeys(backends, READY)
        self.split = None

    def make(self, api, bed):
        self.service.make(api, bed)
        self.publish(api, bed)

    def slice(self, bed, family):
        endpoints = []
        for name, state in self.states.items():
            host = bed[name]
            if state != GONE:
                endpoints.append({"addresses": [host.address(family)], "nodeName": host.node,
                                  "zone": host.zone, "conditions": {
                                      "ready": state == READY, "serving": True,
                                      "terminating": state == DRAINING}})
        annotations = {"proxima.io/zone-split": self.split} if self.split else {}
        return objects.make_slice(self.service.name, family, endpoints, annotations)

    def publish(self, api, bed):
        for family in beds.FAMILIES:
            api.replace(f"{objects.SLICES}/{self.service.name}-{family}", self.slice(bed, family))

    def may_leave(self, bed, name):
        """Whether enough of its kind stay: two anywhere, and one on the node of the proxy."""
        left = [other for other, state in self.states.items() if state == READY and other != name]
        return len(left) >= 2 and any(bed[other].node == "node-1" for other in left)

    def jobs(self, bed, to, families=beds.FAMILIES, **more):
        """A job a family for packets to `to`."""
        return [{"id": f"{self.service.name}-{to}-{family}-{more.get('proto', 'tcp')}",
                 **dict(zip(("to", "port"), self.service.target(to, bed, family))), **more}
                for family in families]
