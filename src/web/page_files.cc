// SPDX-License-Identifier: Apache-2.0
#include "web/page_files.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "web/page_assets.h"

namespace proxima::web {
namespace {

// FNV-1a: nobody attacks an ETag.
std::string etag_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "\"%016llx\"", static_cast<unsigned long long>(hash));
  return text.data();
}

// The name behind `plain` in the list; `plain` itself when it is not there.
std::string published_name(std::string_view names, std::string_view plain) {
  while (!names.empty()) {
    const std::string_view line = names.substr(0, names.find('\n'));
    names.remove_prefix(std::min(names.size(), line.size() + 1));
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos && line.substr(0, space) == plain)
      return std::string(line.substr(space + 1));
  }
  return std::string(plain);
}

}  // namespace

std::vector<PageFile> page_files(const PageSources& sources) {
  struct Row {
    std::string_view plain;
    std::string_view type;
    std::string_view bytes;
  };
  const Row rows[] = {{"app.js", "text/javascript; charset=utf-8", sources.script},
                      {"app.css", "text/css; charset=utf-8", sources.style},
                      {"icon.svg", "image/svg+xml", sources.icon}};
  std::vector<PageFile> files;
  files.push_back({.path = "/",
                   .content_type = "text/html; charset=utf-8",
                   .bytes = sources.index,
                   .etag = etag_of(sources.index)});
  for (const Row& row : rows) {
    const std::string name = published_name(sources.names, row.plain);
    files.push_back({.path = "/assets/" + name,
                     .content_type = row.type,
                     .bytes = row.bytes,
                     .etag = etag_of(row.bytes),
                     .immutable = name != row.plain});
  }
  return files;
}

std::vector<PageFile> embedded_page_files() {
  return page_files({.index = embedded::kLiveIndexHtml,
                     .script = embedded::kLiveAppJs,
                     .style = embedded::kLiveAppCss,
                     .icon = embedded::kLiveIconSvg,
                     .names = embedded::kLivePageNames});
}

}  // namespace proxima::web
