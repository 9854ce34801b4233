// SPDX-License-Identifier: Apache-2.0
#include "cli/sysdump_pages.h"

#include <algorithm>
#include <span>

#include "cli/node_routes.h"
#include "cli/text_file.h"
#include "net/http_client.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kPageBytesMax = 64U << 20U;
constexpr net::Deadlines kPageDeadlines = {.connect = std::chrono::seconds(5),
                                           .answer = std::chrono::seconds(30),
                                           .idle = std::chrono::seconds(30),
                                           .total = std::chrono::seconds(60)};

// Metrics come first: they are for everybody, and tell whose they are.
constexpr std::string_view kMetrics = "/metrics";
constexpr std::string_view kControllerPages[] = {kMetrics, "/readyz?verbose", "/debug/plan"};
constexpr std::string_view kProxyPages[] = {kMetrics,   "/readyz?verbose", "/configz",    "/flagz",
                                            "/statusz", "/debug/routes",   "/debug/flows"};

constexpr const char* kLocalProxyFolder = "proxy";

constexpr int kOk = 200;
constexpr int kNotFound = 404;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;

struct Component {
  std::string folder;
  std::string address;  // as component_origin() takes it
  ComponentPort usual;
  std::span<const std::string_view> pages;
  std::string token_file;  // "": without a token
  bool was_named = false;
};

std::vector<Component> components_of(const SysdumpCommand& command) {
  constexpr const char* kHere = "127.0.0.1";
  constexpr ComponentPort kController = {.flag = "--controller", .port = ":10267"};
  constexpr ComponentPort kProxy = {.flag = "--node", .port = ":10249"};
  const bool named = !command.controller.empty();
  std::vector<Component> out = {{"controller", named ? command.controller : kHere, kController,
                                 kControllerPages, command.controller_token_file, named}};
  if (command.nodes.empty())
    out.push_back({kLocalProxyFolder, kHere, kProxy, kProxyPages, command.node_token_file, false});
  for (const std::string& node : command.nodes)
    out.push_back({node_folder(node), node, kProxy, kProxyPages, command.node_token_file, true});
  return out;
}

// Asks one component for its pages.
class PageReader {
 public:
  static Result<PageReader> create(const Component& component) {
    PROXIMA_TRY(const std::string origin, component_origin(component.address, component.usual),
                component.folder);
    net::HttpClientOptions options;
    options.origin = origin;
    PageReader reader;
    PROXIMA_TRY(reader.client_, net::HttpClient::create(std::move(options)), origin);
    if (component.token_file.empty()) return reader;
    PROXIMA_TRY(reader.token_, read_text_file(component.token_file),
                std::string(component.usual.flag) + "-token-file");
    reader.token_.erase(reader.token_.find_last_not_of(" \t\r\n") + 1);
    return reader;
  }

  Result<net::HttpResponse> fetch(std::string_view target) const {
    net::HttpRequest request;
    request.target = target;
    // Whoever listens there has not shown yet who it is.
    const bool shows_token = target != kMetrics && !token_.empty();
    if (shows_token) request.headers.add("Authorization", "Bearer " + token_);
    const net::Cancellation never;
    return net::fetch(*client_, request, kPageDeadlines, never, kPageBytesMax);
  }

 private:
  PageReader() = default;

  std::unique_ptr<net::HttpClient> client_;
  std::string token_;
};

// Why a page is not to be had; "" when its answer is one. Health that is bad is an answer, too.
std::string refusal_of(const Result<net::HttpResponse>& answer) {
  if (!answer) return answer.error().message;
  if (answer->status == kUnauthorized || answer->status == kForbidden)
    return "answered " + std::to_string(answer->status) + ": it wants another token";
  return "";
}

// The metrics of a component, which say that it is one of ours.
Result<std::string> fetch_metrics(const PageReader& reader) {
  auto answer = reader.fetch(kMetrics);
  const std::string refusal = refusal_of(answer);
  if (!refusal.empty()) return Error{ErrorCode::Denied, refusal};
  if (answer->status != kOk || answer->body.find("proxima_") == std::string::npos)
    return Error{ErrorCode::NotFound, "what answers there is not Proxima"};
  return std::move(answer->body);
}

void take_pages(const Component& component, const PageReader& reader, const std::string& metrics,
                sysdump::SysdumpArchive& archive) {
  archive.add_page(component.folder + "/" + page_file(kMetrics), metrics);
  for (const std::string_view target : component.pages.subspan(1)) {
    const std::string path = component.folder + "/" + page_file(target);
    const auto answer = reader.fetch(target);
    const std::string refusal = refusal_of(answer);
    if (!refusal.empty()) {
      archive.add_missing(path, refusal);
    } else if (answer->status != kNotFound) {  // 404: the page is switched off
      archive.add_page(path, answer->body);
    }
  }
}

// Whether it answered.
bool collect_component(const Component& component, sysdump::SysdumpArchive& archive,
                       Console& console) {
  const auto reader = PageReader::create(component);
  const Result<std::string> metrics =
      reader ? fetch_metrics(*reader) : Result<std::string>(reader.error());
  if (metrics) {
    take_pages(component, *reader, *metrics, archive);
    return true;
  }
  const std::string& why = metrics.error().message;
  if (component.was_named)
    console.warning("the sysdump has no pages of " + component.address + ": " + why);
  archive.add_missing(component.folder, why);
  return false;
}

}  // namespace

std::string node_folder(const std::string& address) {
  constexpr std::size_t kBytesMax = 40;
  std::string name = "proxy-" + address.substr(0, kBytesMax);
  std::ranges::replace_if(
      name,
      [](char c) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_digit = c >= '0' && c <= '9';
        return !is_letter && !is_digit && c != '.' && c != '-';
      },
      '-');
  return name;
}

std::string page_file(std::string_view target) {
  std::string name(target.substr(1, target.find('?') - 1));
  std::ranges::replace(name, '/', '-');
  return name + ".txt";
}

bool collect_pages(const SysdumpCommand& command, sysdump::SysdumpArchive& archive,
                   Console& console) {
  bool is_node = false;
  for (const Component& component : components_of(command)) {
    const bool answered = collect_component(component, archive, console);
    is_node = is_node || (answered && component.folder == kLocalProxyFolder);
  }
  return is_node;
}

}  // namespace proxima::cli
