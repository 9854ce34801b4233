// SPDX-License-Identifier: Apache-2.0
#include "browser/comparison_page/browser.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

#include "support/source_folder.h"

namespace proxima::testing {
namespace {

namespace fs = std::filesystem;

// Removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "proxima-page-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.append(buffer.data(), size);
  }
  return output;
}

std::string contents(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string with_probe(const std::string& html) {
  const fs::path folder = fs::path(test::source_folder()) / "tests/browser/comparison_page";
  const std::string probe = contents(folder / "contrast.js") + contents(folder / "probe.js");
  const std::size_t end = html.rfind("</body>");
  return html.substr(0, end) + "<script>" + probe + "</script>" + html.substr(end);
}

// A frame of the width asked for: the browser's own window has a least width of 500 pixels. What
// the probe finds in the frame is handed out of it, to where the browser's dump can see it.
std::string frame_around(const Look& look) {
  return "<!DOCTYPE html><meta name=\"color-scheme\" content=\"light dark\"><body "
         "style=\"margin:0\">"
         "<iframe src=\"page.html\" style=\"border:0;height:950px;width:" +
         std::to_string(look.width) +
         "px\"></iframe><script>addEventListener('message', ({ data }) => {"
         "  const holder = document.createElement('pre');"
         "  holder.id = 'probe';"
         "  holder.textContent = data;"
         "  document.body.append(holder);"
         "});</script>";
}

std::string command_line(const std::string& browser, const Look& look, const fs::path& folder) {
  std::ostringstream command;
  command << "timeout 60 '" << browser << "' --headless --no-sandbox --disable-gpu --disable-quic"
          << " --no-first-run --disable-background-networking --disable-component-update"
          << " --disable-sync --hide-scrollbars --virtual-time-budget=3000"
          << " --user-data-dir='" << (folder / "profile").string() << "'"
          << " --window-size=" << std::max(look.width, 500) << ",1000"
          << " --blink-settings=preferredColorScheme=" << (look.dark ? 0 : 1)
          << " --dump-dom 'file://" << (folder / "frame.html").string() << "' 2>/dev/null";
  return command.str();
}

std::string unescape(std::string text) {
  for (const auto& [entity, plain] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at)) {
      text.replace(at++, std::string_view(entity).size(), plain);
    }
  }
  return text;
}

std::map<std::string, std::string> findings_in(const std::string& dom) {
  constexpr std::string_view kStart = "<pre id=\"probe\">";
  std::map<std::string, std::string> findings;
  const std::size_t start = dom.rfind(kStart);
  if (start == std::string::npos) return findings;
  std::istringstream lines(unescape(
      dom.substr(start + kStart.size(), dom.find("</pre>", start) - start - kStart.size())));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) findings[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return findings;
}

}  // namespace

std::optional<std::string> find_browser() {
  if (const char* named = std::getenv("CHROMIUM"); named && *named) return named;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "chromium";
    if (access(program.c_str(), X_OK) == 0) return program.string();
  }
  return std::nullopt;
}

std::map<std::string, std::string> probe_page(const std::string& html, const Look& look) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "page.html", std::ios::binary) << with_probe(html);
  std::ofstream(folder.path() / "frame.html", std::ios::binary) << frame_around(look);
  return findings_in(output_of(command_line(find_browser().value(), look, folder.path())));
}

}  // namespace proxima::testing
