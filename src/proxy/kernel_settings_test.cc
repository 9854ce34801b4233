// SPDX-License-Identifier: Apache-2.0
#include "proxy/kernel_settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/own_network.h"
#include "support/temp_folder.h"

namespace proxima::proxy {
namespace {

using namespace std::chrono_literals;

// "max=131072 hash>=32768 …", with the names' last words.
std::string wanted(const ProxyConfig& config, std::int64_t cores,
                   ByteCounts bytes = ByteCounts::Asked) {
  std::string text;
  for (const KernelSetting& setting : kernel_settings(config, cores, bytes)) {
    std::string name = setting.path.substr(setting.path.rfind('/') + 1);
    if (name.starts_with("nf_conntrack_")) name.erase(0, 13);
    text += (text.empty() ? "" : " ") + name +
            (setting.rule == KernelSetting::Rule::AtLeast ? ">=" : "=") +
            std::to_string(setting.value);
  }
  return text;
}

ProxyConfig nothing() {
  ProxyConfig config = default_proxy_config();
  config.conntrack = {
      .max_per_core = 0, .min = 0, .tcp_established_timeout = 0ns, .tcp_close_wait_timeout = 0ns};
  return config;
}

TEST(KernelSettings, AreWhatTheConfigurationAsksFor) {
  const ProxyConfig defaults = default_proxy_config();
  ProxyConfig everything = defaults;
  everything.conntrack.tcp_be_liberal = true;
  everything.conntrack.udp_timeout = 40s;
  everything.conntrack.udp_stream_timeout = 2min;
  const struct {
    const char* name;
    ProxyConfig config;
    std::int64_t cores;
    const char* settings;
  } cases[] = {
      {"few cores get the least there should be", defaults, 2,
       "max=131072 hashsize>=32768 tcp_timeout_established=86400 tcp_timeout_close_wait=3600 "
       "acct=1"},
      {"many cores get more", defaults, 16,
       "max=524288 hashsize>=131072 tcp_timeout_established=86400 tcp_timeout_close_wait=3600 "
       "acct=1"},
      {"very many cores get no more than a million", defaults, 128,
       "max=1048576 hashsize>=262144 tcp_timeout_established=86400 tcp_timeout_close_wait=3600 "
       "acct=1"},
      {"all that can be asked for", everything, 2,
       "max=131072 hashsize>=32768 tcp_timeout_established=86400 tcp_timeout_close_wait=3600 "
       "tcp_be_liberal=1 udp_timeout=40 udp_timeout_stream=120 acct=1"},
      {"zeros leave it to the kernel", nothing(), 2, "acct=1"},
  };
  for (const auto& row : cases) EXPECT_EQ(wanted(row.config, row.cores), row.settings) << row.name;
}

TEST(KernelSettings, LeaveTheCountingOfBytesAloneWhereNobodyLooksAtIt) {
  EXPECT_EQ(wanted(nothing(), 2, ByteCounts::Left), "");
  EXPECT_EQ(wanted(default_proxy_config(), 2, ByteCounts::Left),
            "max=131072 hashsize>=32768 tcp_timeout_established=86400 tcp_timeout_close_wait=3600")
      << "all else as ever";
}

TEST(KernelSettings, CountCoresAsTheKernelListsThem) {
  const struct {
    const char* list;
    std::int64_t cores;
  } cases[] = {{"0", 1}, {"0-1\n", 2}, {"0-3,8", 5}, {"0,2-3,5-8\n", 7},
               {"", 1},  {"x", 1},     {"3-1", 1},   {"0-", 1}};
  for (const auto& row : cases) EXPECT_EQ(count_cores(row.list), row.cores) << row.list;
}

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

TEST(KernelSettings, AreWrittenWhereTheyDiffer) {
  const proxima::testing::TempFolder root;
  root.write("low", "5");
  root.write("high", "50");
  root.write("same", "10\n");
  const std::vector<KernelSetting> settings = {
      {.path = "/low", .value = 10, .rule = KernelSetting::Rule::AtLeast},
      {.path = "/high", .value = 10, .rule = KernelSetting::Rule::AtLeast},
      {.path = "/same", .value = 10}};
  const SettingsWritten written = write_kernel_settings(settings, root.path());
  EXPECT_EQ(written.changed, std::vector<std::string>{"/low = 10"});
  EXPECT_TRUE(written.refused.empty());
  EXPECT_EQ(first_line(root.file("low")), "10");
  EXPECT_EQ(first_line(root.file("high")), "50");
}

TEST(KernelSettings, ThatCannotBeWrittenAreToldAndTheOthersWritten) {
  const proxima::testing::TempFolder root;
  root.write("there", "1");
  const std::vector<KernelSetting> settings = {{.path = "/missing", .value = 1},
                                               {.path = "/there", .value = 2}};
  const SettingsWritten written = write_kernel_settings(settings, root.path());
  EXPECT_EQ(written.refused, std::vector<std::string>{"/missing = 1: No such file or directory"});
  EXPECT_EQ(written.changed, std::vector<std::string>{"/there = 2"});
}

TEST(KernelSettings, DoNotTouchTheHashTableWhereTheLimitIsRefused) {
  const proxima::testing::TempFolder root;
  root.write("hashsize", "1");
  root.write("timeout", "1");
  const std::vector<KernelSetting> settings = {
      {.path = "/limit", .value = 8},  // missing, as in a network namespace that does not own it
      {.path = "/hashsize", .value = 2, .needs_previous = true},
      {.path = "/timeout", .value = 2}};
  const SettingsWritten written = write_kernel_settings(settings, root.path());
  EXPECT_EQ(written.refused, std::vector<std::string>{"/limit = 8: No such file or directory"});
  EXPECT_EQ(written.changed, std::vector<std::string>{"/timeout = 2"});
  EXPECT_EQ(first_line(root.file("hashsize")), "1");
}

TEST(KernelSettings, ThatWouldBeRefusedAreToldAndNothingIsWritten) {
  const proxima::testing::TempFolder root;
  root.write("same", "1");
  root.write("other", "1");
  root.write("hashsize", "1");
  const std::vector<KernelSetting> settings = {
      {.path = "/same", .value = 1},
      {.path = "/other", .value = 2},
      {.path = "/limit", .value = 8},
      {.path = "/hashsize", .value = 2, .needs_previous = true}};
  EXPECT_EQ(refused_kernel_settings(settings, root.path()),
            std::vector<std::string>{"/limit = 8: No such file or directory"});
  EXPECT_EQ(first_line(root.file("other")), "1");
}

TEST(KernelSettings, OfTheNodeDoNotContainThoseOfTheProcess) {
  ProxyConfig config = default_proxy_config();
  config.oom_score_adj = -500;
  EXPECT_EQ(wanted(config, 2).find("oom_score_adj"), std::string::npos);
  EXPECT_EQ(process_setting(config),
            (KernelSetting{.path = "/proc/self/oom_score_adj", .value = -500}));
}

TEST(KernelSettings, ReachTheKernel) {
  test::in_own_network("writing settings of the connection tracking", [] {
    ProxyConfig config = nothing();
    config.conntrack.udp_timeout = 41s;
    const std::vector<KernelSetting> settings = kernel_settings(config, 2, ByteCounts::Asked);
    EXPECT_EQ(write_kernel_settings(settings, "").refused, std::vector<std::string>{});
    std::ifstream file("/proc/sys/net/netfilter/nf_conntrack_udp_timeout");
    int seconds = 0;
    file >> seconds;
    EXPECT_EQ(seconds, 41);
    EXPECT_TRUE(write_kernel_settings(settings, "").changed.empty());
    const std::vector<KernelSetting> bad = {
        {.path = "/proc/sys/net/netfilter/nf_conntrack_acct", .value = 77}};
    EXPECT_EQ(write_kernel_settings(bad, "").refused.size(), 1U) << "the kernel says no at the end";
  });
}

}  // namespace
}  // namespace proxima::proxy
