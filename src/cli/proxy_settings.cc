// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_settings.h"

#include <boost/json.hpp>

#include "cli/file_guard.h"
#include "cli/text_file.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

Result<proxy::ParsedConfig> read_configuration(const ProxyCommand& command) {
  if (command.config_file.empty())
    return proxy::parse_proxy_config(flags_as_configuration(command));
  PROXIMA_TRY(const std::string text, read_text_file(command.config_file), "--config");
  auto parsed = proxy::parse_proxy_config(text);
  if (!parsed) return std::move(parsed).error().in("--config " + command.config_file);
  if (parsed->config.client.kubeconfig.empty()) {
    const auto flag = command.fields.find("clientConnection.kubeconfig");
    if (flag != command.fields.end())
      parsed->config.client.kubeconfig = json::value_to<std::string>(json::parse(flag->second));
  }
  return parsed;
}

std::string lines(const std::vector<std::string>& faults) {
  std::string out;
  for (const std::string& fault : faults) out += (out.empty() ? "" : "\n") + fault;
  return out;
}

}  // namespace

std::string flags_as_configuration(const ProxyCommand& command) {
  json::object all = {{"apiVersion", "kubeproxy.config.k8s.io/v1alpha1"},
                      {"kind", "KubeProxyConfiguration"},
                      {"mode", "nftables"}};
  for (const auto& [field, value] : command.fields) {
    const std::size_t dot = field.find('.');
    if (dot == std::string::npos) {
      all[field] = json::parse(value);
      continue;
    }
    json::value& section = all[field.substr(0, dot)];
    if (!section.is_object()) section.emplace_object();
    section.as_object()[field.substr(dot + 1)] = json::parse(value);
  }
  return json::serialize(all);
}

std::vector<proxy::KernelSetting> kernel_settings(const ProxyCommand& command,
                                                  const ProxySettings& settings) {
  return proxy::kernel_settings(
      settings.config, proxy::machine_cores(std::string()),
      command.flow_accounting ? proxy::ByteCounts::Asked : proxy::ByteCounts::Left);
}

Result<ProxySettings> proxy_settings(const ProxyCommand& command,
                                     const std::string& system_hostname) {
  ProxySettings out;
  // Before it is read: a change in between is then noticed.
  if (!command.config_file.empty()) out.file_mark = file_mark(command.config_file);
  auto parsed = read_configuration(command);
  if (!parsed) return std::move(parsed).error();
  out.config = std::move(parsed->config);
  out.warnings = std::move(parsed->warnings);
  if (!command.hostname_override.empty()) out.config.hostname_override = command.hostname_override;
  const std::vector<std::string> faults = proxy::validate(out.config);
  if (!faults.empty()) return Error{ErrorCode::InvalidInput, lines(faults)};
  PROXIMA_TRY(out.node_name, proxy::node_name(out.config.hostname_override, system_hostname),
              "--hostname-override");
  return out;
}

}  // namespace proxima::cli
