// SPDX-License-Identifier: Apache-2.0
#include "cli/up_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/figures.h"

namespace proxima::cli {
namespace {

std::string traffic_text(const UpSummary& summary) {
  if (summary.simulated) return "traffic is predicted, not measured";
  if (summary.requests_per_second <= 0) return "without traffic";
  return fmt::format("{:g} requests a second", summary.requests_per_second);
}

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-~+:").find(c) != std::string_view::npos;
  };
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string one_to_try(const std::vector<std::string>& there, const std::string& wanted) {
  if (there.empty()) return {};
  if (std::find(there.begin(), there.end(), wanted) != there.end()) return wanted;
  return there[there.size() > 1 ? 1 : 0];
}

std::string render_summary(const UpSummary& summary) {
  std::string out = fmt::format("Proxima is up: {}, {}, {}; {}.\n\n",
                                counted(summary.zones, "zone"), counted(summary.nodes, "node"),
                                counted(summary.services, "service"), traffic_text(summary));
  out += "  Page:        " + summary.page + "\n";
  out += "  Kubeconfig:  " + summary.kubeconfig + "\n";
  out += "  Logs:        " + summary.logs + "\n\n";
  out += "Try, in another terminal:\n";
  out += "  export KUBECONFIG=" + shell_word(summary.kubeconfig) + "    # for kubectl\n";
  out += "  kubectl get nodes,pods,services -A\n";
  if (!summary.service.empty())
    out += "  " + summary.program + " lab policy " + summary.service + " balanced --overload 20%\n";
  if (!summary.zone.empty())
    out += "  " + summary.program + " lab fail-zone " + summary.zone + "\n";
  out += "\n";
  out += summary.kept ? "Ctrl-C ends it; the cluster stays in its data directory.\n"
                      : "Ctrl-C ends it and leaves nothing behind.\n";
  return out;
}

}  // namespace proxima::cli
