// SPDX-License-Identifier: Apache-2.0
// Whatever a kubeconfig says, it is refused or read, every context in it can be asked for, and no
// message shows what may be a secret.
#include "kube/kubeconfig.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/connection.h"

namespace {

using proxima::kube::Connection;

// A value that cannot stand in a message by accident.
bool is_telling(const std::string& secret) { return secret.size() >= 12; }

void check_silence(const std::string& message, const proxima::kube::Kubeconfig& config) {
  for (const auto& [name, user] : config.users) {
    for (const std::string* secret : {&user.entry.token, &user.entry.password}) {
      const bool shown = message.find(*secret) != std::string::npos;
      // What is also a name is no secret.
      const bool named = name.find(*secret) != std::string::npos ||
                         config.current_context.find(*secret) != std::string::npos;
      if (is_telling(*secret) && !named && config.contexts.empty()) PROXIMA_CHECK(!shown);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto config = proxima::kube::parse_kubeconfig(text, "config");
  if (!config) {
    PROXIMA_CHECK(!config.error().message.empty());
    return 0;
  }
  const auto current = proxima::kube::choose_context(*config, "");
  if (!current) check_silence(current.error().message, *config);
  for (const auto& [name, context] : config->contexts) {
    const auto connection = proxima::kube::choose_context(*config, name);
    if (!connection) continue;
    PROXIMA_CHECK(!connection->cluster.server.empty() && !connection->ns.empty());
    PROXIMA_CHECK(connection->cluster.server.find("://") != std::string::npos);
  }
  // The first file counts: merging a second time changes nothing that counts.
  proxima::kube::Kubeconfig twice = *config;
  proxima::kube::merge_kubeconfig(twice, *config);
  PROXIMA_CHECK(twice.contexts.size() == config->contexts.size());
  PROXIMA_CHECK(twice.current_context == config->current_context);
  return 0;
}
