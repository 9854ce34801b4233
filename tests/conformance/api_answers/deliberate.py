# SPDX-License-Identifier: Apache-2.0
"""Where the embedded server differs from the real one on purpose, and why.

`case`, `step` and `field` are patterns of fnmatch. A row that no answer needs any more is an error:
the table says what is true, not what once was.
"""
import dataclasses
import fnmatch


@dataclasses.dataclass
class Difference:
    case: str
    step: str
    field: str
    why: str
    used: bool = False

    def covers(self, case, step, field):
        return all(fnmatch.fnmatchcase(text, pattern) for text, pattern in
                   ((case, self.case), (step, self.step), (field, self.field)))


READ_ONLY = "IPAddresses are served for reading: nothing here needs to write them"
NO_ADDRESS_OBJECTS = "cluster IPs are kept with their Services, not as objects of their own"
JSON_ALONE = "answers are JSON; kubectl makes YAML of it itself"
NO_APPLY = "field managers are not kept, and server-side apply is refused in words kubectl shows"
KIND_OF_METADATA = "a client that asks for metadata gets it, whether it names the list or the item"
OUR_WORDS = "the text is that of a Go library; ours says the same in its own words"

# case, step, field, why
DIFFERENCES = [Difference(*row) for row in (
    ("a reader does not write", "POST /version", "*",
     "a path that takes no POST says so before it asks who is there"),
    ("the resources of each group", "*", "body/resources/name=ipaddresses/verbs/*", READ_ONLY),
    ("all of it at once", "*", "*/resource=ipaddresses/verbs/*", READ_ONLY),
    ("IP addresses of Services are objects", "get*", "*", NO_ADDRESS_OBJECTS),
    ("IP addresses of Services are objects", "delete*", "body/metadata/resourceVersion",
     NO_ADDRESS_OBJECTS),
    ("rows of ipaddresses", "get*", "*", NO_ADDRESS_OBJECTS),
    ("Services that are refused", "no name at all", "*",
     "the real server stumbles over its IPAddress first; ours says that the name is missing"),
    ("schemas", "get /openapi/v3", "headers/Content-Type", "it is JSON, so it is called that"),
    ("schemas", "get /openapi/v3/fish", "*", "an unknown path says so in its body, as others do"),
    ("content types", "an answer as HTML", "body/message", JSON_ALONE),
    ("content types", "an answer as YAML", "*", JSON_ALONE),
    ("what a row carries", "*as=Fish*", "body/message", JSON_ALONE),
    ("watches that make no sense", "watch configmaps", "body/message", JSON_ALONE),
    ("bare metadata", "get as *;as=PartialObjectMetadata;*: configmaps", "*", KIND_OF_METADATA),
    ("bare metadata", "get as *;as=PartialObjectMetadataList;*: configmaps/a", "*",
     KIND_OF_METADATA),
    ("bodies that are not what was asked for", "YAML that is none", "body/message",
     "ours also says where"),
    ("fields that nobody knows", "a field twice, with a warning", "body/data/a",
     "of a field that is there twice the last counts; the real server mixes maps"),
    ("topologyKeys are a field that nobody knows any more", "*", "*",
     "here the field is known: it is validated by its historical rules"),
    ("patches that are none", "a number for a text", "body/*message", OUR_WORDS),
    ("what of a Pod may change", "not its n*", "body/*message",
     "the real server shows a difference of Go structs; ours names the field"),
    ("server-side apply", "*", "*", NO_APPLY),
    ("a patch with an old version is a conflict", "another uid", "*",
     "another uid is a conflict however it comes; the real server says so of a PUT only"),
    ("field selectors", "list configmaps fieldSelector='='", "*",
     "a selector without a field is refused; the real server takes it for everything"),
    ("lists come in pages", "with a selector", "body/metadata/continue",
     "a page after which nothing matches is known to be the last"),
    ("lists come in pages", "the rest with the selector", "*", "there is no such page, see above"),
    ("the older way to watch", "*", "*", "/watch/ paths are deprecated since 1.11 and not served"),
)]


def is_deliberate(case, step, field):
    rows = [row for row in DIFFERENCES if row.covers(case, step, field)]
    for row in rows:
        row.used = True
    return bool(rows)
