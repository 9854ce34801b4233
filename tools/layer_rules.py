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
    "core/plan": 3,
    "core/audit": 4,  # checks plans; the planner must not lean on its own judge
    "manifest": 5,
    "kube": 5,
    "dataplane": 5,
    "controller": 6,
    "proxy": 6,
    "apiserver": 6,
    "lab": 7,
    "web": 7,
    "cli": 7,
    "app": 8,
}


@dataclass(frozen=True)
class Header:
    """A header from outside, or a family of them, and the only files that may include it."""

    pattern: str
    allowed: tuple[str, ...]
    reason: str


# Standard C++ headers have no dot and no slash and are free everywhere. Every other header needs a
# row: a new one is a decision, not an accident.
HEADERS = (
    Header("boost/unordered/*", ("base/*.cc", "manifest/*.cc"),
           "1.2 s to compile; hide the map behind a forward-declared struct"),
    Header("boost/json*", ("cli/*.cc", "web/*.cc"),
           "1.7 s to compile; output only, reading is simdjson's"),
    Header("CLI/*", ("cli/command_line.cc",),
           "7 s to compile: exactly one translation unit pays for it"),
    Header("simdjson.h", ("manifest/*",),
           "2.6 s to compile, and the decoder is the only reader of JSON"),
    Header("emmintrin.h", ("manifest/json_scanner.cc",),
           "machine code by hand, beside a portable way that a test compares it with"),
    Header("yaml.h", ("manifest/*.cc",), "YAML becomes JSON at the edge; nobody else sees it"),
    Header("fmt/*", ("manifest/*.cc", "cli/*", "web/*.cc", "controller/*.cc", "proxy/*.cc",
                     "kube/*.cc"),
           "core returns values; who prints them formats them"),
    Header("arpa/inet.h", ("base/*.cc",), "addresses are parsed once, in base/ip_address"),
    Header("fcntl.h", ("base/*.cc", "manifest/*.cc", "cli/*.cc"), "core does no I/O"),
    Header("unistd.h", ("base/*.cc", "manifest/*.cc", "cli/*.cc"), "core does no I/O"),
    Header("sys/*", ("base/*.cc", "manifest/*.cc", "cli/*.cc"), "core does no I/O"),
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
        ("core/*", "manifest/*"), "a returned value with its reason",
        "the caller decides where words go"),
    Ban("no-environment-in-core", r"\bgetenv\s*\(", ("core/*", "manifest/*"),
        "an option in the caller's options struct", "equal inputs must give equal plans"),
    Ban("no-using-namespace-std", r"\busing\s+namespace\s+std\b(?!::\w*literals)", ("*",),
        "the std:: prefix", "the next standard may add a name that we use", in_tests=True),
    Ban("no-assert", r"(?<![\w:])assert\s*\(", ("*",), "PROXIMA_CHECK",
        "assert is gone in release builds, where a wrong plan routes real traffic", in_tests=True),
    Ban("no-throw", r"\bthrow\b", ("*",), "Result<T>",
        "errors are values; only adapters catch what a library throws"),
    Ban("no-unordered-in-core", r"\bstd::unordered_(multi)?(map|set)\b",
        ("core/policy/*", "core/plan/*", "core/audit/*"),
        "a sorted vector, std::map, or an index",
        "what reaches output must not follow the order of a hash"),
    Ban("no-endl", r"\bstd::endl\b", ("*",), "'\\n'", "it flushes at every line", in_tests=True),
    Ban("no-sleep", r"\bsleep_(for|until)\b|\bu?sleep\s*\(", ("*",),
        "waiting for the condition itself", "sleeps are slow when long and flaky when short",
        in_tests=True),
)

# Names that say nothing about what is inside.
EMPTY_NAMES = r"(^|_)(utils?|helpers?|common|managers?|misc)(_|$)"
