# SPDX-License-Identifier: Apache-2.0
"""Services where the server has a range of each family."""
from objects import port, service
from steps import Case, create, delete, each, get, patch

PROFILE = "dual"
HTTP = [port(80)]

CASES = [
    Case("families and addresses are completed", *each("services", [
        ("no wish: one family", service("plain", HTTP)),
        ("both if there are both", service("prefer", HTTP, ipFamilyPolicy="PreferDualStack")),
        ("both or nothing", service("require", HTTP, ipFamilyPolicy="RequireDualStack")),
        ("the other family alone", service("v6", HTTP, ipFamilies=["IPv6"])),
        ("both, the other first", service("v6-v4", HTTP, ipFamilies=["IPv6", "IPv4"],
                                          ipFamilyPolicy="PreferDualStack")),
        ("two families say the policy", service("two", HTTP, ipFamilies=["IPv4", "IPv6"])),
        ("an address says the family", service("v6-own", HTTP, clusterIP="fd00:96::10")),
        ("two addresses", service("both-own", HTTP, clusterIP="10.96.0.50",
                                  clusterIPs=["10.96.0.50", "fd00:96::11"])),
        ("headless", service("headless", HTTP, clusterIP="None", selector={"a": "b"})),
        ("headless without a selector", service("manual", HTTP, clusterIP="None")),
        ("headless with both", service("headless-both", HTTP, clusterIP="None",
                                       selector={"a": "b"}, ipFamilyPolicy="RequireDualStack")),
        ("an IPv6 address that is not canonical", service("odd", HTTP, clusterIP="fd00:96:0::12")),
        ("one family but two addresses", service(
            "x", HTTP, ipFamilyPolicy="SingleStack", clusterIP="10.96.0.51",
            clusterIPs=["10.96.0.51", "fd00:96::13"])),
        ("one family but two families", service("x", HTTP, ipFamilyPolicy="SingleStack",
                                                ipFamilies=["IPv4", "IPv6"])),
        ("two addresses of a family", service("x", HTTP, clusterIP="10.96.0.52",
                                              clusterIPs=["10.96.0.52", "10.96.0.53"])),
        ("addresses against the families", service("x", HTTP, clusterIP="10.96.0.54",
                                                   ipFamilies=["IPv6"])),
        ("three families", service("x", HTTP, ipFamilies=["IPv4", "IPv6", "IPv4"])),
    ])),
    Case("a Service gets a second family and gives it up",
         create("services", service("web", HTTP)),
         patch("services/web", {"spec": {"ipFamilyPolicy": "PreferDualStack"}},
               says="it gets a second address"),
         patch("services/web", {"spec": {"ipFamilies": ["IPv6", "IPv4"]}},
               says="the order stays"),
         patch("services/web", {"spec": {"ipFamilyPolicy": "SingleStack"}},
               says="it gives it up by its policy"),
         patch("services/web", {"spec": {"ipFamilyPolicy": "RequireDualStack",
                                         "ipFamilies": ["IPv4", "IPv6"]}}, says="both again"),
         patch("services/web", {"spec": {"clusterIPs": None}}, says="addresses cannot be dropped"),
         delete("services/web")),
    Case("an ExternalName has no families",
         create("services", service("web", HTTP, ipFamilyPolicy="RequireDualStack")),
         patch("services/web", {"spec": {"type": "ExternalName", "externalName": "a.example"}},
               says="they go"),
         patch("services/web", {"spec": {"type": "ClusterIP", "externalName": None}},
               says="one comes back"),
         get("services/web")),
    Case("the server's own ranges",
         get("servicecidrs/kubernetes", only=("spec",))),
]
