// SPDX-License-Identifier: Apache-2.0
// The table of listeners in docs/security.md has the values that the components use. UPDATE=1
// rewrites it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "apiserver/server_options.h"
#include "proxy/answer_server.h"
#include "reports/report_server.h"
#include "support/file_text.h"
#include "support/source_folder.h"
#include "telemetry/status_server.h"
#include "web/web_server.h"

namespace proxima {
namespace {

struct ListenerRow {
  const char* listener;
  const char* address;  // by default and in the manifests
  const char* who;
  net::ListenerPolicy policy;
};

constexpr const char* kStatusPages =
    "health, `/metrics` and reading `/metrics/slis`: anyone; the rest: clients on the same "
    "machine, or a token";

const ListenerRow kListeners[] = {
    {"proxy, health", "`:10256`", "anyone", proxy::kHealthListener},
    {"proxy, health-check node ports, all together", "`:healthCheckNodePort`", "anyone",
     proxy::kHealthListener},
    {"proxy, status", "`:10249`", kStatusPages, telemetry::kStatusListener},
    {"controller, status", "`:10267`", kStatusPages, telemetry::kStatusListener},
    {"controller, reports", "`:10261`, TLS", "a token of a node proxy", reports::kReportListener},
    {"controller and `up`, live page", "`--web`", "the token of the page", web::kPageListener},
    {"embedded API server", "`127.0.0.1:6443`, TLS", "the token of the admin or the reader",
     apiserver::kApiListener},
};

std::string size_text(std::size_t bytes) {
  if (bytes >= (1U << 20U)) return std::to_string(bytes >> 20U) + " MiB";
  if (bytes >= (1U << 10U)) return std::to_string(bytes >> 10U) + " KiB";
  return std::to_string(bytes);
}

std::string seconds_text(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

std::string table() {
  std::string out =
      "| listener | address | who is answered | slots | for one address | for strangers | header | "
      "body before | body after | all bodies | idle before | idle after | a request | "
      "a reply before | a stalled reader |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const ListenerRow& row : kListeners) {
    const net::ListenerPolicy& policy = row.policy;
    for (const std::string& cell :
         {std::string(row.listener), std::string(row.address), std::string(row.who),
          std::to_string(policy.slots), std::to_string(policy.slots_per_address),
          std::to_string(std::min(policy.stranger_slots, policy.slots)),
          size_text(policy.header_bytes_max), size_text(policy.unauthenticated_body_bytes_max),
          size_text(policy.body_bytes_max),
          size_text(std::min(policy.bodies_bytes_max, policy.slots * policy.body_bytes_max)),
          seconds_text(policy.unauthenticated_idle), seconds_text(policy.authenticated_idle),
          seconds_text(policy.request_deadline), seconds_text(policy.unauthenticated_reply),
          seconds_text(policy.write_stall)})
      out += "| " + cell + " ";
    out += "|\n";
  }
  return out;
}

TEST(ListenerTable, SaysWhatTheComponentsUse) {
  const std::string path = test::source_folder() + "/docs/security.md";
  std::string page = test::file_text(path);
  const std::string begin = "<!-- listeners -->\n";
  const std::string end = "<!-- end of listeners -->";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << path;
  const std::size_t first = from + begin.size();
  if (std::getenv("UPDATE") != nullptr) {
    page.replace(first, to - first, table());
    std::ofstream(path) << page;
    return;
  }
  EXPECT_EQ(page.substr(first, to - first), table()) << "UPDATE=1 rewrites the table";
}

}  // namespace
}  // namespace proxima
