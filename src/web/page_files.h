// SPDX-License-Identifier: Apache-2.0
// The files of the live page as the program carries them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxima::web {

struct PageFile {
  std::string path;  // "/", "/assets/app-1A2B3C4D.js"
  std::string_view content_type;
  std::string_view bytes;
  std::string etag;
  bool immutable = false;  // its name changes with its content
};

// `names` says which name the page asks for each file by: lines "app.js app-1A2B3C4D.js".
struct PageSources {
  std::string_view index;
  std::string_view script;
  std::string_view style;
  std::string_view icon;
  std::string_view names;
};
std::vector<PageFile> page_files(const PageSources& sources);
// Those of ui/live.
std::vector<PageFile> embedded_page_files();

}  // namespace proxima::web
