// SPDX-License-Identifier: Apache-2.0
#include "cli/up_summary.h"

#include <gtest/gtest.h>

#include "cli/own_program.h"

namespace proxima::cli {
namespace {

UpSummary summary() {
  return {.zones = 3,
          .nodes = 6,
          .services = 1,
          .requests_per_second = 60,
          .page = "http://127.0.0.1:1/?token=t",
          .kubeconfig = "/s/kubeconfig",
          .logs = "/s/logs",
          .program = "proxima",
          .service = "shop/lopsided",
          .zone = "zone-b"};
}

TEST(UpSummary, SaysWhereThingsAreAndWhatToTry) {
  EXPECT_EQ(render_summary(summary()),
            "Proxima is up: 3 zones, 6 nodes, 1 service; 60 requests a second.\n"
            "\n"
            "  Page:        http://127.0.0.1:1/?token=t\n"
            "  Kubeconfig:  /s/kubeconfig\n"
            "  Logs:        /s/logs\n"
            "\n"
            "Try, in another terminal:\n"
            "  export KUBECONFIG=/s/kubeconfig    # for kubectl\n"
            "  kubectl get nodes,pods,services -A\n"
            "  proxima lab policy shop/lopsided balanced --overload 20%\n"
            "  proxima lab fail-zone zone-b\n"
            "\n"
            "Ctrl-C ends it and leaves nothing behind.\n");
}

TEST(UpSummary, TellsASimulatorAndWhatStays) {
  UpSummary simulated = summary();
  simulated.simulated = true;
  simulated.kept = true;
  const std::string text = render_summary(simulated);
  EXPECT_NE(text.find("traffic is predicted, not measured"), std::string::npos);
  EXPECT_NE(text.find("the cluster stays"), std::string::npos);
  UpSummary quiet = summary();
  quiet.requests_per_second = 0;
  EXPECT_NE(render_summary(quiet).find("without traffic"), std::string::npos);
}

TEST(UpSummary, QuotesAPathForTheShell) {
  UpSummary spaced = summary();
  spaced.kubeconfig = "/it's here/kubeconfig";
  EXPECT_NE(render_summary(spaced).find("export KUBECONFIG='/it'\\''s here/kubeconfig' "),
            std::string::npos);
}

TEST(UpSummary, NamesOnlyWhatIsThere) {
  EXPECT_EQ(one_to_try({"shop/even", "shop/lopsided", "shop/single"}, "shop/single"),
            "shop/single");
  EXPECT_EQ(one_to_try({"shop/kept", "shop/other"}, "shop/lopsided"), "shop/other");
  EXPECT_EQ(one_to_try({"shop/kept"}, "shop/lopsided"), "shop/kept");
  EXPECT_EQ(one_to_try({}, "shop/lopsided"), "");
}

TEST(OwnProgram, IsCalledByItsNameWhereItIsFound) {
  const Environment environment = [](const char*) -> std::optional<std::string> {
    return "/bin:/opt/tools";
  };
  EXPECT_EQ(callable_name("/opt/tools/proxima", environment), "proxima");
  EXPECT_EQ(callable_name("/elsewhere/proxima", environment), "/elsewhere/proxima");
}

}  // namespace
}  // namespace proxima::cli
