#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How commands are read from a page."""
import unittest

from page_commands import read_page, script_of

PAGE = """# Title
```sh
first
```
<!-- not run: no moon here -->

```sh
second
```
```text
no command
```
```sh
third
```
"""


class Commands(unittest.TestCase):
    def test_blocks_are_found_with_their_lines_and_reasons(self):
        page = read_page("p", PAGE)
        self.assertEqual([(block.line, block.text, block.not_run) for block in page.blocks],
                         [(3, "first", None), (8, "second", "no moon here"), (14, "third", None)])
        self.assertEqual((page.faults, page.needs_cluster), ([], False))

    def test_what_is_not_run_is_not_in_the_script(self):
        script = script_of(read_page("p", PAGE))
        self.assertEqual(script, "set -euo pipefail\necho 3 >&3\nfirst\necho 14 >&3\nthird\n")

    def test_a_reason_counts_for_the_next_block_only(self):
        page = read_page("p", "<!-- not run: x -->\nWords.\n```sh\na\n```\n")
        self.assertIsNone(page.blocks[0].not_run)

    def test_other_names_for_commands_are_faults(self):
        page = read_page("p", "```bash\na\n```\n")
        self.assertEqual(page.faults, ["p:1: commands are in ```sh blocks, not ```bash"])

    def test_a_block_without_an_end_is_a_fault(self):
        self.assertEqual(read_page("p", "```sh\na\n").faults, ["p:1: the block has no end"])

    def test_a_page_may_ask_for_a_cluster_or_a_lab(self):
        for asked, cluster, proxy, lab in (("nothing", False, False, False),
                                           ("a cluster", True, False, False),
                                           ("a cluster and a node proxy", True, True, False),
                                           ("a lab", False, False, True)):
            page = read_page("p", f"<!-- commands have: {asked} -->\n")
            self.assertEqual((page.needs_cluster, page.needs_proxy, page.needs_lab),
                             (cluster, proxy, lab), asked)


if __name__ == "__main__":
    unittest.main()
