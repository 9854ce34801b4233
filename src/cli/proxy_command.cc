// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_command.h"

#include <future>
#include <mutex>

#include "cli/ending_signals.h"
#include "cli/host_name.h"
#include "cli/proxy_process.h"
#include "net/descriptor_limit.h"

namespace proxima::cli {
namespace {

ExitCode clean_up(const ProxyCommand& command, Console& console) {
  // Whoever runs would go on as if its rules were there.
  const auto claim = proxy::ProxyClaim::take(command.service_proxy_name);
  if (!claim) return report_failure(console, claim.error());
  auto planes = proxy::NodePlanes::open(
      {.proxy_name = command.service_proxy_name, .on_sent = [](IpFamily, const auto&) {}});
  if (!planes) return report_failure(console, planes.error());
  const Status removed = (*planes)->remove();
  if (!removed) return report_failure(console, removed.error());
  console.print("removed the nftables tables \"" + proxy::table_name(command.service_proxy_name) +
                "\"\n");
  return ExitCode::Answered;
}

ExitCode initialise(const ProxyCommand& command, const ProxySettings& settings, Console& console) {
  const proxy::SettingsWritten written =
      proxy::write_kernel_settings(kernel_settings(command, settings), {});
  for (const std::string& change : written.changed) console.print(change + "\n");
  for (const std::string& refusal : written.refused) console.error(refusal);
  return written.refused.empty() ? ExitCode::Answered : ExitCode::Failed;
}

// Why it ended: a signal, or something that cannot be mended from inside.
class ProxyEnding {
 public:
  void ask() { finish({}); }
  void give_up(const std::string& why) { finish(why); }
  // "" for a signal.
  std::string wait() { return end_.get_future().get(); }

 private:
  void finish(const std::string& why) {
    std::call_once(once_, [&] { end_.set_value(why); });
  }
  std::once_flag once_;
  std::promise<std::string> end_;
};

ExitCode route(const ProxyCommand& command, const ProxySettings& settings, Console& console) {
  (void)net::raise_descriptor_limit();
  EndingSignals signals;
  ProxyEnding ending;
  ProxyProcess process(command, settings);
  const Status prepared = process.prepare();
  if (!prepared) return report_failure(console, prepared.error());
  signals.stop_with([&ending] { ending.ask(); });
  const Status started = process.start([&ending](const std::string& why) { ending.give_up(why); });
  if (!started) return report_failure(console, started.error());
  const std::string why = ending.wait();
  process.stop();
  return why.empty() ? ExitCode::Answered : report_failure(console, {ErrorCode::Retry, why});
}

}  // namespace

ExitCode run_proxy(const ProxyCommand& command, Console& console) {
  if (command.cleanup) return clean_up(command, console);
  const auto settings = proxy_settings(command, host_name(""));
  if (!settings) return report_failure(console, settings.error());
  return command.init_only ? initialise(command, *settings, console)
                           : route(command, *settings, console);
}

}  // namespace proxima::cli
