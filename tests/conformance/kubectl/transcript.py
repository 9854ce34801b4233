# SPDX-License-Identifier: Apache-2.0
"""Makes what kubectl prints the same in every run: ages, uids, versions, addresses, widths."""
import re

UID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
ADDRESS = re.compile(r"\b10\.96\.\d+\.\d+\b(?!/)")
VERSION = re.compile(r'(resourceVersion"?: "|Resource Version: +)(\d+)("?)')
TIME = re.compile(r"\b20(?!01)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DATE = re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} 20(?!01)\d\d [\d:]{8} \+0000")
NODE_PORT = re.compile(r"(?<![\d.])3[0-2]\d{3}(?!\d)")
# A word that is an age, where a table or `describe` has one.
AGE = re.compile(r"(?<=\s)(?:\d+[smhd])+(?=\s|$)|(?<=\s)<invalid>(?=\s|$)", re.MULTILINE)
SERVER_VERSION = re.compile(r"(Server Version: )v\S+|(server \()\d+\.\d+(\))")
STAMP = re.compile(r"/tmp/(LIVE|MERGED)-\d+|\.\d{9,}\b")
DIFF_TIME = re.compile(r"\t20\d\d-\d\d-\d\d [\d:.]+ [+-]\d{4}")

# client-go's own log. Over HTTP/1.1, which the embedded server speaks, it may remark that a watch
# has ended which it ended itself; over the real server's HTTP/2 it does not.
CLIENT_LOG = re.compile(r"^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n", re.MULTILINE)

# A controller of the real server may see a Service before the IPAddress that was written with it, and
# then says in an Event that it repairs what is not broken. Whether it does is chance.
REPAIR_EVENT = re.compile(r"^ +Warning  ClusterIP\w+  <age>.*  ipallocator-repair-controller  .*\n", re.MULTILINE)
EVENTS_WITHOUT_ROWS = re.compile(r"^Events:\n +Type  Reason  .*\n +----  .*\n(?! )", re.MULTILINE)


class Normaliser:
    """One a scenario: a value keeps its placeholder."""

    def __init__(self, namespace, host, folder):
        self.replaced = {namespace: "<ns>", host: "<host>", folder: "<folder>"}
        self.numbers = {}

    def placeholder(self, sort, value):
        known = self.numbers.setdefault(sort, {})
        return f"<{sort} {known.setdefault(value, len(known) + 1)}>"

    def text(self, text):
        text = CLIENT_LOG.sub("", text)
        for value, placeholder in self.replaced.items():
            text = text.replace(value, placeholder)
        text = UID.sub(lambda found: self.placeholder("uid", found.group()), text)
        text = ADDRESS.sub(lambda found: self.placeholder("address", found.group()), text)
        text = NODE_PORT.sub(lambda found: self.placeholder("port", found.group()), text)
        text = VERSION.sub(r"\1<version>\3", text)
        text = TIME.sub("<time>", text)
        text = DATE.sub("<date>", text)
        text = SERVER_VERSION.sub(lambda f: f"{f.group(1) or f.group(2)}<server>{f.group(3) or ''}",
                                  text)
        text = STAMP.sub(lambda f: f"<{f.group(1).lower()}>" if f.group(1) else "", text)
        text = DIFF_TIME.sub("", text)
        text = AGE.sub("<age>", text)
        return self.without_repair_events(
            "".join(self.line(line) for line in text.splitlines(keepends=True)))

    @staticmethod
    def without_repair_events(text):
        text, count = REPAIR_EVENT.subn("", text)
        return EVENTS_WITHOUT_ROWS.sub("Events:  <none>\n", text) if count else text

    @staticmethod
    def line(line):
        """Columns are as wide as their widest value: only that there is a gap counts."""
        body = line.lstrip(" ")
        indent = line[:len(line) - len(body)]
        end = "\n" if line.endswith("\n") else ""
        return indent + re.sub(r" {2,}", "  ", body).rstrip(" \n") + end
