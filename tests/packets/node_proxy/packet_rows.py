# SPDX-License-Identifier: Apache-2.0
"""What becomes of packets to Services, as rows: the tables that the model of the routes is held
against (tests/support/cc/support/packet_rows.h), and those that only real packets can show.

An outcome: "L R" both are reached and see the client's address; "L R snat" they see the node's;
"L|R" always the same one of them; "reject" the client is told at once; "drop" it is not; "and lost"
behind some: others get no answer.
"""
import dataclasses
import pathlib
import re

HEADER = pathlib.Path(__file__).resolve().parents[2] / "support/cc/support/packet_rows.h"
MATRIX_ENDPOINTS = "$L@here $R@there"
POLICIES = (("both policies Cluster", ""), ("external Local", "eLocal"),
            ("internal Local", "iLocal"))


@dataclasses.dataclass(frozen=True)
class Row:
    """A Service, its endpoints, and one packet's way."""
    name: str
    service: str
    endpoints: str
    source: str
    to: str
    outcome: str


def table(name):
    """The string rows of a table of the header."""
    text = HEADER.read_text()
    body = re.search(rf"\b{name}\[\] = {{(.*?)^}};", text, re.DOTALL | re.MULTILINE).group(1)
    for line in re.findall(r"^\s*{(.*)},$", body, re.MULTILINE):
        yield re.findall(r'"([^"]*)"', line)


def matrix(name):
    for sentence, source, to, *outcomes in table(name):
        for (policy, words), outcome in zip(POLICIES, outcomes):
            yield Row(f"{sentence}, {policy}", words, MATRIX_ENDPOINTS, source, to, outcome)


def come_back(row):
    """The row as its client sees it. Without masquerading the answer of a remote endpoint to a
    client outside goes past the node, which nobody can use."""
    if row.source == "outside" and row.outcome == "L R":
        return dataclasses.replace(row, outcome="L and lost")
    return row


def verdicts():
    packets = (("pod", "cluster"), ("outside", "node"), ("node", "node"))
    for sentence, words, endpoints, *outcomes in table("kVerdictRows"):
        for (source, to), outcome in zip(packets, outcomes):
            yield Row(f"{sentence}: {source} to {to}", words, endpoints, source, to, outcome)


BOTH = MATRIX_ENDPOINTS
#    sentence                                          service     endpoints  from       to              outcome
OTHERS = (
    ("a Pod reaches itself through a Service",         "",         "$L@here", "L",       "cluster",      "L snat"),
    ("a Pod reaches itself through the node port",     "",         "$L@here", "L",       "node",         "L snat"),
    ("a Pod reaches itself, external Local",           "eLocal",   "$L@here", "L",       "vip",          "L snat"),
    ("an unknown port of a cluster address",           "",         BOTH,      "pod",     "unknown-port", "reject"),
    ("the same from the node",                         "",         BOTH,      "node",    "unknown-port", "reject"),
    ("the same from outside",                          "",         BOTH,      "outside", "unknown-port", "reject"),
    ("an unused address of the service range",         "",         BOTH,      "pod",     "unused",       "drop"),
    ("the same from outside",                          "",         BOTH,      "outside", "unused",       "drop"),
    ("node ports do not answer on loopback",           "",         BOTH,      "node",    "loopback",     "reject"),
    ("source ranges let their own in",                 "range=outside",        BOTH, "outside", "vip",      "L R snat"),
    ("source ranges keep others out",                  "range=outside",        BOTH, "blocked", "vip",      "drop"),
    ("source ranges keep Pods out, too",               "range=outside",        BOTH, "pod",     "vip",      "drop"),
    ("source ranges leave node ports alone",           "range=outside",        BOTH, "blocked", "node",     "L R snat"),
    ("source ranges leave external addresses alone",   "range=outside",        BOTH, "blocked", "external", "L R snat"),
    ("source ranges leave the cluster address alone",  "range=outside",        BOTH, "pod",     "cluster",  "L R"),
    ("source ranges with external Local",              "range=outside eLocal", BOTH, "outside", "vip",      "L"),
    ("and for others",                                 "range=outside eLocal", BOTH, "blocked", "vip",      "drop"),
    ("source ranges drop also without endpoints",      "range=outside",        "",   "blocked", "vip",      "drop"),
    ("and within them the client is told",             "range=outside",        "",   "outside", "vip",      "reject"),
    ("a range with the node lets the node in",         "range=node",           BOTH, "node",    "vip",      "L R snat"),
    ("a range with the node keeps others out",         "range=node",           BOTH, "outside", "vip",      "drop"),
    ("affinity keeps a Pod where it was",              "affinity=60",          BOTH, "pod",     "cluster",  "L|R"),
    ("affinity keeps an outside client",               "affinity=60",          BOTH, "outside", "node",     "L|R snat"),
    ("affinity with external Local",                   "affinity=60 eLocal",   BOTH, "outside", "vip",      "L"),
    ("affinity with internal Local",                   "affinity=60 iLocal",   BOTH, "pod",     "cluster",  "L"),
    ("hints of the zone",                 "", "$L@here+a $R@there+b",              "pod",     "cluster", "L"),
    ("hints of the zone, from outside",   "", "$L@here+a $R@there+b",              "outside", "node",    "L snat"),
    ("hints for another zone send there", "", "$L@here+b $R@there+a",              "pod",     "cluster", "R"),
    ("one without a hint ends hints",     "", "$L@here+a $R@there",                "pod",     "cluster", "L R"),
    ("no hint for this zone ends hints",  "", "$L@here+b $R@there+b",              "pod",     "cluster", "L R"),
    ("several hints of one endpoint",     "", "$L@here+b $R@there+a+b $R2@there+a","pod",     "cluster", "R R2"),
    ("hints of the node",                 "", "$L@here^here+a $R@there^there+a",   "pod",     "cluster", "L"),
    ("no hint for this node: the zone's", "", "$L@here^there+b $R@there^there+a",  "pod",     "cluster", "R"),
    ("hints do not count for Local",      "iLocal", "$L@here+b $R@there+a",        "pod",     "cluster", "L"),
    ("one that is unready has no say",    "", "$L@here! $R@there+a",               "pod",     "cluster", "R"),
    ("serving but not ready is not used", "", "$L@here? $R@there",                 "pod",     "cluster", "R"),
    ("not ready and nothing else",        "", "$L@here?",                          "pod",     "cluster", "reject"),
    ("two here and two elsewhere",        "", "$L@here $L2@here $R@there $R2@there", "pod",   "cluster", "L L2 R R2"),
    ("three with affinity",               "affinity=60", "$L@here $L2@here $R@there", "pod",  "cluster", "L|L2|R"),
    ("a Service without external addresses, on its node port", "NodePort",  BOTH, "outside", "node",    "L R snat"),
    ("a cluster address alone",                                "ClusterIP", BOTH, "outside", "cluster", "L R snat"),
)  # yapf: disable


# Rows for each way in which the proxy is configured: settings of proxies.Settings, rows.
def worlds():
    return (
        ("as usual", {}, [*matrix("kFlowRows"), *verdicts(), *(Row(*row) for row in OTHERS)]),
        ("without a detector", {"detector": False}, [come_back(row) for row in matrix("kRowsWithoutDetector")]),
        ("masquerading all", {"masquerade_all": True}, list(matrix("kRowsMasqueradingAll"))),
    )
