// SPDX-License-Identifier: Apache-2.0
// What is collected from an API server and from components that answer, refuse, or are none of
// ours.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <mutex>

#include "archive/archive_reader.h"
#include "cli/sysdump_cluster.h"
#include "cli/sysdump_node.h"
#include "cli/sysdump_pages.h"
#include "support/http_test_server.h"
#include "support/temp_folder.h"

namespace proxima::cli {
namespace {

// Collects the warnings of a command.
class Listener {
 public:
  Listener() : err_(std::tmpfile()), console_(stdout, err_, process_environment()) {}
  ~Listener() { (void)std::fclose(err_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  Console& console() { return console_; }
  std::string warnings() {
    std::rewind(err_);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), err_));
    return text;
  }

 private:
  std::FILE* err_;
  Console console_;
};

// By their names below the folder, without the summary.
std::map<std::string, std::string> files_of(sysdump::SysdumpArchive archive) {
  const std::string packed = std::move(archive).finish();
  archive::ArchiveReader reader(packed, {.entries = 100, .bytes = 1U << 20U});
  std::map<std::string, std::string> files;
  for (;;) {
    auto file = reader.next([](std::string_view name) { return !name.ends_with("sysdump.json"); });
    if (!file || !*file) return files;
    files[(*file)->name.substr((*file)->name.find('/') + 1)] = (*file)->text;
  }
}

std::string missing_in(const sysdump::SysdumpArchive& archive) {
  std::string out;
  for (const sysdump::NotCollected& missing : archive.summary().not_collected)
    out += missing.what + ": " + missing.why + "\n";
  return out;
}

// Answers paths that it knows, and 403 where it should.
class RuledApi final : public kube::KubeApi {
 public:
  std::map<std::string, std::string> answers;
  std::map<std::string, int> refusals;
  std::vector<std::string> asked;
  bool is_there = true;

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    asked.push_back(request.path);
    if (!is_there) return Error{ErrorCode::Retry, "connect: nobody is there"};
    const auto refusal = refusals.find(request.path);
    if (refusal != refusals.end()) return kube::ApiResponse{refusal->second, {}, "{}"};
    const auto answer = answers.find(request.path);
    return kube::ApiResponse{
        200, {}, answer == answers.end() ? R"({"metadata":{},"items":[]})" : answer->second};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not asked here"};
  }
};

TEST(SysdumpCluster, HasEveryKindOfOneClusterAndNoSecret) {
  RuledApi api;
  api.answers["/version"] = R"({"gitVersion":"v1.36.1"})";
  api.answers["/api/v1/pods"] =
      R"({"items":[{"metadata":{"name":"p"},"spec":{"containers":[{"env":"s3cr3t"}]}}]})";
  api.answers["/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/proxima-controller"] =
      R"({"metadata":{"name":"proxima-controller"},"spec":{"holderIdentity":"c-1"}})";
  Listener listener;
  sysdump::SysdumpArchive archive({});
  collect_cluster(api, "", archive, listener.console());
  EXPECT_EQ(listener.warnings(), "");
  EXPECT_EQ(missing_in(archive), "");
  EXPECT_EQ(archive.summary().kubernetes, "v1.36.1");
  EXPECT_EQ(api.asked,
            (std::vector<std::string>{
                "/version", "/api/v1/namespaces", "/api/v1/nodes", "/api/v1/services",
                "/apis/discovery.k8s.io/v1/endpointslices", "/api/v1/pods", "/api/v1/events",
                "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/"
                "proxima-controller"}));
  const auto files = files_of(std::move(archive));
  EXPECT_EQ(files.size(), 7U);
  EXPECT_EQ(files.at("cluster/pods.json"),
            "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n"
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},"
            "\"spec\":{\"containers\":[{}]}}\n]}\n");
  EXPECT_NE(files.at("cluster/leases.json").find("\"holderIdentity\":\"c-1\""), std::string::npos);
}

TEST(SysdumpCluster, OfOneNamespaceAsksForNoOtherOne) {
  RuledApi api;
  Listener listener;
  sysdump::SysdumpArchive archive({});
  collect_cluster(api, "shop", archive, listener.console());
  EXPECT_EQ(api.asked[1], "/api/v1/namespaces/shop");
  EXPECT_EQ(api.asked[2], "/api/v1/nodes");
  EXPECT_EQ(api.asked[3], "/api/v1/namespaces/shop/services");
  EXPECT_EQ(api.asked[5], "/api/v1/namespaces/shop/pods");
}

TEST(SysdumpCluster, WhatIsRefusedIsAWarningAndTheRestGoesOn) {
  RuledApi api;
  api.refusals["/api/v1/nodes"] = 403;
  api.refusals["/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/proxima-controller"] =
      404;
  api.answers["/api/v1/pods"] = "[]";
  Listener listener;
  sysdump::SysdumpArchive archive({});
  collect_cluster(api, "", archive, listener.console());
  EXPECT_NE(listener.warnings().find("warning: the sysdump has no nodes: list nodes: "),
            std::string::npos)
      << listener.warnings();
  EXPECT_NE(listener.warnings().find("warning: the sysdump has no pods: "), std::string::npos);
  EXPECT_EQ(listener.warnings().find("leases"), std::string::npos) << "there need not be one";
  ASSERT_EQ(archive.summary().not_collected.size(), 3U) << missing_in(archive);
  EXPECT_EQ(archive.summary().not_collected[2].what, "leases");
  EXPECT_EQ(files_of(std::move(archive)).size(), 4U);
}

TEST(SysdumpCluster, AServerThatIsNotThereIsAskedOnce) {
  RuledApi api;
  api.is_there = false;
  Listener listener;
  sysdump::SysdumpArchive archive({});
  collect_cluster(api, "", archive, listener.console());
  EXPECT_EQ(api.asked.size(), 1U);
  EXPECT_EQ(listener.warnings(),
            "warning: the sysdump has nothing of the cluster: connect: nobody is there\n");
  EXPECT_EQ(archive.summary().not_collected.size(), sysdump::allowed_kinds().size());
  EXPECT_TRUE(archive.summary().files.empty());
}

// A component: pages by their targets, others are not found.
struct Page {
  std::string body;
  int status = 200;
};
using Pages = std::map<std::string, Page>;
struct Asked {
  std::mutex mutex;
  std::map<std::string, std::string> tokens;  // by target
};

support::HttpTestServer::Answer component(Pages pages, Asked& asked) {
  return [pages = std::move(pages), &asked](const net::HttpRequest& request) {
    const std::lock_guard guard(asked.mutex);
    asked.tokens[request.target] = request.headers.find("Authorization").value_or("");
    const auto page = pages.find(request.target);
    if (page == pages.end()) return support::answer("404 page not found", 404);
    return support::answer(page->second.body, page->second.status);
  };
}

TEST(SysdumpPages, AreThoseThatAComponentHas) {
  Asked asked;
  support::HttpTestServer proxy(component({{"/metrics", {"proxima_route_reason 1\n"}},
                                           {"/readyz?verbose", {"[-]routes failed", 503}},
                                           {"/configz", {"no", 403}},
                                           {"/debug/routes", {"{}"}}},
                                          asked));
  const testing::TempFolder folder;
  SysdumpCommand command;
  command.nodes = {proxy.origin()};
  command.node_token_file = folder.write("token", "t0ken\n");
  command.controller = "http://127.0.0.1:1";
  Listener listener;
  sysdump::SysdumpArchive archive({});
  EXPECT_FALSE(collect_pages(command, archive, listener.console())) << "not asked as a local one";
  EXPECT_NE(listener.warnings().find("the sysdump has no pages of http://127.0.0.1:1: "),
            std::string::npos)
      << listener.warnings();
  EXPECT_EQ(asked.tokens.at("/metrics"), "") << "whoever listens there has not shown who it is";
  EXPECT_EQ(asked.tokens.at("/debug/routes"), "Bearer t0ken");
  const std::string proxy_folder = node_folder(proxy.origin());
  EXPECT_NE(missing_in(archive).find(proxy_folder + "/configz.txt: answered 403: "),
            std::string::npos)
      << missing_in(archive);
  const auto files = files_of(std::move(archive));
  EXPECT_EQ(files, (std::map<std::string, std::string>{
                       {proxy_folder + "/metrics.txt", "proxima_route_reason 1\n"},
                       {proxy_folder + "/readyz.txt", "[-]routes failed"},
                       {proxy_folder + "/debug-routes.txt", "{}"}}));
}

TEST(SysdumpPages, OfAnotherProgramAreNotTaken) {
  Asked asked;
  support::HttpTestServer other(
      component({{"/metrics", {"kubeproxy_sync 1\n"}}, {"/configz", {"s3cr3t"}}}, asked));
  SysdumpCommand command;
  command.nodes = {other.origin()};
  command.controller = other.origin();
  Listener listener;
  sysdump::SysdumpArchive archive({});
  EXPECT_FALSE(collect_pages(command, archive, listener.console()));
  EXPECT_TRUE(archive.summary().files.empty());
  EXPECT_EQ(asked.tokens.size(), 1U) << "nothing but metrics is asked for";
  EXPECT_NE(listener.warnings().find("what answers there is not Proxima"), std::string::npos);
}

TEST(SysdumpPages, HaveNamesThatAreNoPaths) {
  EXPECT_EQ(node_folder("10.0.0.5:9000"), "proxy-10.0.0.5-9000");
  EXPECT_EQ(node_folder("fd00::5"), "proxy-fd00--5");
  EXPECT_EQ(node_folder("../../etc"), "proxy-..-..-etc");
  EXPECT_EQ(node_folder(std::string(300, 'n')).size(), 46U);
  EXPECT_EQ(page_file("/metrics"), "metrics.txt");
  EXPECT_EQ(page_file("/readyz?verbose"), "readyz.txt");
  EXPECT_EQ(page_file("/debug/routes"), "debug-routes.txt");
}

TEST(SysdumpNode, TellsTheSizesOfATable) {
  dataplane::NftTableContent content;
  content.chains = {{.name = "services", .rules = {{}, {}}}};
  content.sets = {{.set = {.name = "backends"}, .elements = {{}}}};
  EXPECT_EQ(nft_table_sizes(IpFamily::V6, "proxima", content),
            "ip6 proxima\n"
            "  chain services: 2 rules\n"
            "  set backends: 1 elements\n");
}

}  // namespace
}  // namespace proxima::cli
