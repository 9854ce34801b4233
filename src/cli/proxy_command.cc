// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_command.h"

#include <unistd.h>

#include <array>
#include <future>
#include <mutex>

#include "cli/ending_signals.h"
#include "cli/proxy_process.h"

namespace proxima::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

ExitCode failed(Console& console, const Error& error) {
  console.error(error.message);
  return ExitCode::Failed;
}

ExitCode clean_up(const ProxyCommand& command, Console& console) {
  // Whoever runs would go on as if its rules were there.
  const auto claim = proxy::ProxyClaim::take(command.service_proxy_name);
  if (!claim) return failed(console, claim.error());
  auto planes = proxy::NodePlanes::open(
      {.proxy_name = command.service_proxy_name, .on_sent = [](IpFamily, const auto&) {}});
  if (!planes) return failed(console, planes.error());
  const Status removed = (*planes)->remove();
  if (!removed) return failed(console, removed.error());
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
class Ending {
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
  EndingSignals signals;
  Ending ending;
  ProxyProcess process(command, settings);
  const Status prepared = process.prepare();
  if (!prepared) return failed(console, prepared.error());
  signals.stop_with([&ending] { ending.ask(); });
  const Status started = process.start([&ending](const std::string& why) { ending.give_up(why); });
  if (!started) return failed(console, started.error());
  const std::string why = ending.wait();
  process.stop();
  return why.empty() ? ExitCode::Answered : failed(console, {ErrorCode::Retry, why});
}

}  // namespace

ExitCode run_proxy(const ProxyCommand& command, Console& console) {
  if (command.cleanup) return clean_up(command, console);
  const auto settings = proxy_settings(command, host_name());
  if (!settings) return failed(console, settings.error());
  return command.init_only ? initialise(command, *settings, console)
                           : route(command, *settings, console);
}

}  // namespace proxima::cli
