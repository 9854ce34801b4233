// SPDX-License-Identifier: Apache-2.0
// A page in a headless browser, with what the probe found there.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace proxima::testing {

struct Look {
  int width = 1280;
  bool dark = false;
};

// The browser's program: $CHROMIUM, or chromium from the path; nullopt when there is none.
std::optional<std::string> find_browser();

// Opens `html` with probe.js added and returns the probe's findings by name; empty when
// the browser or the probe failed. There must be a browser; it gets an empty profile, and nothing
// on the page needs a network.
std::map<std::string, std::string> probe_page(const std::string& html, const Look& look);

}  // namespace proxima::testing
