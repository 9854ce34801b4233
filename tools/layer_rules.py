# SPDX-License-Identifier: Apache-2.0
"""What a file may include and what it may not say: the tables that layer_check enforces.

Patterns are paths below src/ as fnmatch reads them ("*" crosses folders).
"""

from dataclasses import dataclass

# A file sees its own folder and folders of a lower rank. Folders of one rank do not see each other.
RANK = {
    "base": 0,
    "core/model": 1,
    "core/policy": 2,
    "core/route": 3,  # what a node does with what is published; proxies and planner alike
    "core/plan": 4,
    "core/audit": 5,  # checks plans; the planner must not lean on its own judge
    "report": 5,  # plans and their reasons as documents: what commands and the page show alike
    "wire": 5,  # JSON and YAML text, and what Kubernetes objects say in it
    "net": 5,  # sockets, TLS, HTTP: no domain words
    "archive": 6,  # files packed into one: no domain words
    "kube": 6,
    "dataplane": 6,
    "telemetry": 6,  # metrics, logs, health: what every long-running part shows alike
    "reports": 7,  # what node proxies report to the controller, and how it gets there
    "manifest": 7,
    "sysdump": 7,  # what a bug report may tell of a cluster: pure
    "slices": 7,  # EndpointSlices as values: pure
    "apiserver": 7,
    "controller": 8,
    "proxy": 8,
    "lab": 8,  # a network of namespaces, and processes in it
    "traffic": 8,  # requests made and answered, and what was seen of them
    "checks": 9,  # whether a cluster and a node are ready, and whether Proxima works
    "agents": 9,  # what kubelet, scheduler and node controller do for the lab
    "web": 9,
    "cli": 10,  # its commands start the others
    "app": 11,
}


@dataclass(frozen=True)
class Header:
    """A header from outside, or a family of them, and the only files that may include it."""

    pattern: str
    allowed: tuple[str, ...]
    reason: str


# Folders that talk to the system.
_IO = ("base/*.cc", "wire/*.cc",
       "net/*.cc", "manifest/*.cc", "kube/*.cc", "apiserver/*.cc", "telemetry/*.cc",
       "dataplane/*.cc", "lab/*.cc", "traffic/*.cc", "agents/*.cc", "web/*.cc", "proxy/proxy_claim.cc", "checks/look_at_node.cc",
       "cli/*.cc")

# Standard C++ headers have no dot and no slash and are free everywhere. Every other header needs a
# row: a new one is a decision, not an accident.
HEADERS = (
    Header("boost/unordered/*", ("base/*.cc", "wire/*.cc", "manifest/*.cc", "kube/*.cc",
                                  "apiserver/*.cc"),
           "1.2 s to compile; hide the map behind a forward-declared struct"),
    Header("boost/json/fwd.hpp", ("*.h",), "declarations only"),
    Header("boost/json*", ("wire/boost_json.cc", "cli/*.cc", "web/*.cc", "kube/*.cc", "controller/*.cc",
                           "proxy/*_document.cc", "checks/read_answers.cc", "checks/ask_cluster.cc", "reports/*.cc", "apiserver/*", "agents/*.cc", "agents/scenario_fields.h"),
           "1.7 s to compile; for objects that are built or changed, bulk reading is simdjson's"),
    Header("boost/asio*", ("net/*.cc", "net/byte_stream.h", "net/server_connection.h", "net/listener.h"),
           "4 s to compile: sockets stay behind net/'s own narrow classes"),
    Header("boost/beast*", ("net/*.cc",), "its parser only, behind net/http_parser.h"),
    Header("boost/system*", ("net/*.cc", "net/byte_stream.h"), "an Asio error becomes an Error at once"),
    Header("openssl/*", ("net/*.cc", "net/openssl_handles.h"), "TLS and certificates stay behind net/"),
    Header("zlib.h", ("net/*.cc",), "gzip stays behind net/inflate.h"),
    Header("prometheus/*", ("telemetry/metrics.cc",), "metrics stay behind telemetry/metrics.h"),
    Header("sqlite3.h", ("apiserver/*.cc",), "storage stays behind apiserver/store.h"),
    Header("CLI/*", ("cli/command_line.cc",),
           "7 s to compile: exactly one translation unit pays for it"),
    Header("simdjson.h", ("wire/*", "manifest/*.cc", "kube/*.cc", "sysdump/*.cc"),
           "2.6 s to compile; bulk JSON is read in few places"),
    Header("emmintrin.h", ("wire/json_scanner.cc",),
           "machine code by hand, beside a portable way that a test compares it with"),
    Header("yaml.h", ("wire/*.cc", "manifest/number_table.cc"),
           "YAML becomes JSON at the edge; nobody else sees it"),
    Header("fmt/*", ("wire/*.cc", "manifest/*.cc", "cli/*", "web/*.cc", "controller/*.cc",
                     "proxy/*.cc", "kube/*.cc", "net/*.cc", "apiserver/*.cc", "telemetry/*.cc"),
           "core returns values; who prints them formats them"),
    Header("libmnl/*", ("dataplane/*.cc", "lab/*.cc", "proxy/*.cc"), "netlink stays behind narrow classes"),
    Header("linux/filter.h", ("net/listening_socket.cc", "dataplane/conntrack_events.cc"),
           "programs that choose what a socket sees"),
    Header("linux/*", ("dataplane/*.cc", "dataplane/nft_numbers.h", "lab/*.cc", "proxy/*.cc"),
           "the kernel's structures stay behind narrow classes"),
    Header("net/if.h", ("lab/*.cc",), "devices stay behind lab/route_socket.h"),
    Header("sched.h", ("lab/network_namespace.cc", "lab/user_namespace.cc", "lab/child_program.cc"),
           "few places enter namespaces: a thread, the process before it has threads, a child"),
    Header("arpa/inet.h", ("base/*.cc", "dataplane/*.cc"),
           "addresses are parsed once, in base/ip_address; netlink wants network order"),
    Header("poll.h", _IO, "core does no I/O"),
    Header("ifaddrs.h", ("proxy/local_addresses.cc",), "what the host has is asked in one place"),
    Header("netinet/in.h", ("proxy/local_addresses.cc", "net/listening_socket.cc",
                            "net/socket_address.cc"),
           "addresses are parsed in base/ip_address"),
    Header("netinet/tcp.h", ("net/byte_stream.cc",), "what TCP is told stays behind net/'s classes"),
    Header("fcntl.h", _IO, "core does no I/O"),
    Header("unistd.h", _IO, "core does no I/O"),
    Header("sys/*", _IO, "core does no I/O"),
    Header("signal.h", _IO, "core does no I/O"),
    Header("spawn.h", ("kube/*.cc",), "credential plugins are the only programs that are started"),
)

# Test programs may include what they like beside our own headers.
TEST_FILES = ("*_test.cc",)


@dataclass(frozen=True)
class Ban:
    """Words that may not stand in code (comments and literals do not count)."""

    name: str
    pattern: str
    where: tuple[str, ...]
    instead: str
    reason: str
    in_tests: bool = False
    # Files below `where` that it does not bind.
    but_not: tuple[str, ...] = ()


# Where numbers come from outside, a file that reads one names its row of core/model/limits.h, or has a
# row here that says why it needs none.
NUMBER_FOLDERS = ("core/*", "wire/*", "kube/*", "reports/*", "slices/*", "apiserver/*", "controller/*", "proxy/*",
                  "agents/*", "web/*", "cli/*")
READS_NUMBER = (
    r"\bfrom_chars\s*\(|\b(?:get|as)_(?:u?int64|double)\s*\(|\bto_number<|\b(?:std::)?sto(?:u?ll?|i|d|f)\s*\("
    r"|\bdecode_integer\s*\("
    # simdjson's get() into a variable that is a number.
    r"|\b(?:std::u?int64_t|double)\s+(?P<number>\w+)\b[^;{}]*;[^{}]*?\bget\((?P=number)\)")
NAMES_LIMIT = r"\bBounded::\w+|\bmodel::Limit\b"
UNBOUNDED_NUMBERS = {
    "core/model/resource_version.h": "versions are compared, and nothing is calculated with them",
    "core/model/selector.cc": "Gt and Lt of a selector compare, as Kubernetes does",
    "wire/yaml_scalar.cc": "looks whether a scalar is a number; who decodes the document bounds it",
    "reports/node_report.cc": "node_report.h names the rows",
    "reports/report_sender.cc": "the wanted pause, between kReportSpacingMin and kReportSpacingMax",
    "apiserver/content_negotiation.cc": "a weight of a media type, from 0 to 1",
    "apiserver/go_text.cc": "shown only",
    "apiserver/json_lookup.cc": "a place in a list, which has it or not",
    "apiserver/json_pointer.cc": "a place in a list, which has it or not",
    "apiserver/label_selector.cc": "looks whether a text is a number",
    "apiserver/object_meta.cc": "fields that the rules of the API have checked, see apiserver/rules",
    "apiserver/protobuf_body.cc": "numbers of fields in a table of ours",
    "apiserver/request_options.cc": "options of a request, which the API server bounds as Kubernetes' does",
    "apiserver/rules/ip_rules.cc": "the length of a prefix, at most that of an address",
    "apiserver/rules/quantity_text.cc": "an exponent; the quantity saturates as Kubernetes' does",
    "apiserver/rules/typed_scalar.cc": "whether a number has the type of its field",
    "proxy/kernel_settings.cc": "settings of this kernel",
    "proxy/nft_affinity.cc": "numbers in names of a table of ours",
    "proxy/nft_recall.cc": "numbers in names of a table of ours",
    "proxy/parse_config.cc": "fields of kube-proxy's configuration, which validate_config bounds as kube-proxy does",
    "proxy/validate_config.cc": "a port of an address in the configuration, from 1 to 65,535",
    "cli/api_thread.cc": "the port of an address that this process listens on",
    "cli/lab_status.cc": "shown only",
    "cli/node_routes_text.cc": "shown only",
    "cli/proxy_flags.cc": "flags of kube-proxy, which validate_config bounds as kube-proxy does",
    "cli/run_place.cc": "the process id in a file of this user",
    "cli/terminal.cc": "the width of this user's terminal",
}

BANS = (
    Ban("no-std-regex", r"\bstd::(w?regex|regex_\w+|basic_regex)\b", ("*",),
        "a hand-written parser over std::string_view",
        "libstdc++'s recurses once a character and overflows the stack on long input"),
    Ban("no-hidden-randomness", r"\b(std::random_device|s?rand|drand48)\s*[({]", ("*",),
        "a seeded generator passed in by the caller",
        "equal inputs must give equal answers; a test may draw a seed, and prints it"),
    Ban("no-clock-in-core", r"_clock::now\b|\bstd::time\s*\(|\bgettimeofday\b|\bclock_gettime\b",
        ("core/*",), "a time passed in as an argument",
        "equal inputs must give equal plans"),
    Ban("no-output-in-core", r"\bstd::(cout|cerr|clog)\b|\bf?printf\s*\(|\bf?puts\s*\(",
        ("core/*", "wire/*", "manifest/*"), "a returned value with its reason",
        "the caller decides where words go"),
    Ban("no-output-beside-console", r"\bstd(out|err)\b|\bstd::(cout|cerr|clog)\b|\bprintf\s*\(|\bputs\s*\(",
        ("net/*", "kube/*", "apiserver/*", "dataplane/*", "slices/*", "reports/*", "controller/*", "proxy/*", "lab/*",
         "traffic/*", "agents/*", "web/*", "cli/*"), "Console, or the log",
        "both make control characters visible, which text from a cluster may hold"),
    Ban("no-environment-in-core", r"\bgetenv\s*\(", ("core/*", "wire/*", "manifest/*"),
        "an option in the caller's options struct", "equal inputs must give equal plans"),
    Ban("no-using-namespace-std", r"\busing\s+namespace\s+std\b(?!::\w*literals)", ("*",),
        "the std:: prefix", "the next standard may add a name that we use", in_tests=True),
    Ban("no-assert", r"(?<![\w:])assert\s*\(", ("*",), "PROXIMA_CHECK",
        "assert is gone in release builds, where a wrong plan routes real traffic", in_tests=True),
    Ban("no-throw", r"\bthrow\b", ("*",), "Result<T>",
        "errors are values; only adapters catch what a library throws",
        but_not=("base/guarded.cc",)),
    Ban("no-unordered-in-core", r"\bstd::unordered_(multi)?(map|set)\b",
        ("core/policy/*", "core/route/*", "core/plan/*", "core/audit/*"),
        "a sorted vector, std::map, or an index",
        "what reaches output must not follow the order of a hash"),
    Ban("no-endl", r"\bstd::endl\b", ("*",), "'\\n'", "it flushes at every line", in_tests=True),
    Ban("no-sleep", r"\bsleep_(for|until)\b|\bu?sleep\s*\(", ("*",),
        "waiting for the condition itself", "sleeps are slow when long and flaky when short",
        in_tests=True),
)

# Names that say nothing about what is inside.
EMPTY_NAMES = r"(^|_)(utils?|helpers?|common|managers?|misc)(_|$)"
