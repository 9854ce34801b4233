# SPDX-License-Identifier: Apache-2.0
"""Small objects for the cases: the least that a kind needs, and what a row adds to it."""


def thing(api_version, kind, name=None, meta=None, **fields):
    metadata = {**({"name": name} if name else {}), **(meta or {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def port(number, name=None, **fields):
    return {**({"name": name} if name else {}), "port": number, **fields}


def service(name=None, ports=None, meta=None, **spec):
    return thing("v1", "Service", name, meta, spec={**({"ports": ports} if ports else {}), **spec})


def container(name="c", image="registry.example/app:1", **fields):
    return {"name": name, "image": image, **fields}


def pod(name=None, meta=None, **spec):
    return thing("v1", "Pod", name, meta, spec={"containers": [container()], **spec})


def node(name, meta=None, **fields):
    return thing("v1", "Node", name, meta, **fields)


def namespace(name, meta=None, **fields):
    return thing("v1", "Namespace", name, meta, **fields)


def configmap(name=None, meta=None, **fields):
    return thing("v1", "ConfigMap", name, meta, **fields)


def endpoints(name, meta=None, **fields):
    return thing("v1", "Endpoints", name, meta, **fields)


def slice_of(name=None, addresses=("10.1.2.3",), meta=None, address_type="IPv4", **fields):
    return thing("discovery.k8s.io/v1", "EndpointSlice", name, meta, addressType=address_type,
                 **{"endpoints": [{"addresses": list(addresses)}], **fields})


def lease(name=None, meta=None, **spec):
    return thing("coordination.k8s.io/v1", "Lease", name, meta, spec=spec)


def old_event(name=None, meta=None, about=None, **fields):
    return thing("v1", "Event", name, meta, involvedObject=about or about_pod(), **fields)


def new_event(name=None, meta=None, about=None, **fields):
    return thing("events.k8s.io/v1", "Event", name, meta, regarding=about or about_pod(), **fields)


def about_pod(name="web-1"):
    return {"kind": "Pod", "namespace": "<ns>", "name": name}


def service_cidr(name, cidrs, meta=None):
    return thing("networking.k8s.io/v1", "ServiceCIDR", name, meta, spec={"cidrs": list(cidrs)})


def owned_by(kind, name, uid, api_version="v1", **fields):
    return {"ownerReferences": [{"apiVersion": api_version, "kind": kind, "name": name, "uid": uid,
                                 **fields}]}
