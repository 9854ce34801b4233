// SPDX-License-Identifier: Apache-2.0
#include "kube/kubeconfig.h"

#include <gtest/gtest.h>

namespace proxima::kube {
namespace {

TEST(Kubeconfig, ReadsEveryFieldAndMakesPathsAbsolute) {
  const auto config = parse_kubeconfig(R"(
apiVersion: v1
kind: Config
preferences: {}
current-context: dev
clusters:
- name: c
  cluster:
    server: https://10.0.0.1:6443
    tls-server-name: kube
    certificate-authority: pki/ca.crt
    proxy-url: socks5://p:1
    disable-compression: true
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: 7}
- name: d
  cluster: {server: "http://d", certificate-authority-data: Q0E=, insecure-skip-tls-verify: true}
users:
- name: u
  user:
    client-certificate: ../u.crt
    client-key-data: S0VZ
    tokenFile: /abs/token
    as: jane
    as-uid: "17"
    as-groups: [a, b]
    as-user-extra: {scopes: [x, z]}
- name: e
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--now]
      env: [{name: A, value: "1"}]
      installHint: get it
      provideClusterInfo: true
      interactiveMode: Never
contexts:
- name: dev
  context: {cluster: c, user: u, namespace: shop}
)",
                                       "/home/me/.kube/config");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->current_context, "dev");
  const ClusterEntry& cluster = config->clusters.at("c").entry;
  EXPECT_EQ(cluster.server, "https://10.0.0.1:6443");
  EXPECT_EQ(cluster.tls_server_name, "kube");
  EXPECT_EQ(cluster.ca_file, "/home/me/.kube/pki/ca.crt");
  EXPECT_EQ(cluster.proxy_url, "socks5://p:1");
  EXPECT_TRUE(cluster.disable_compression);
  EXPECT_EQ(cluster.exec_config, R"({"audience":7})");
  EXPECT_EQ(config->clusters.at("d").entry.ca_pem, "CA");
  EXPECT_TRUE(config->clusters.at("d").entry.insecure_skip_tls_verify);
  const UserEntry& user = config->users.at("u").entry;
  EXPECT_EQ(user.certificate_file, "/home/me/u.crt");
  EXPECT_EQ(user.key_pem, "KEY");
  EXPECT_EQ(user.token_file, "/abs/token");
  EXPECT_EQ(user.impersonation.user, "jane");
  EXPECT_EQ(user.impersonation.uid, "17");
  EXPECT_EQ(user.impersonation.groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(user.impersonation.extra.at("scopes"), (std::vector<std::string>{"x", "z"}));
  const ExecEntry& exec = config->users.at("e").entry.exec.value();
  EXPECT_EQ(exec.command, "/home/me/.kube/bin/login");
  EXPECT_EQ(exec.arguments, (std::vector<std::string>{"--now"}));
  EXPECT_EQ(exec.environment.at(0), (std::pair<std::string, std::string>{"A", "1"}));
  EXPECT_EQ(exec.interactive_mode, InteractiveMode::Never);
  EXPECT_TRUE(exec.provide_cluster_info);
  EXPECT_EQ(config->contexts.at("dev").entry.ns, "shop");
}

TEST(Kubeconfig, AFileMayBeEmptyOrJson) {
  for (const char* text : {"", "---\n", "# nothing\n", "{}", "null"}) {
    const auto config = parse_kubeconfig(text, "f");
    ASSERT_TRUE(config) << text;
    EXPECT_TRUE(config->contexts.empty());
  }
  EXPECT_EQ(parse_kubeconfig(R"({"current-context":"x","kind":"Config"})", "f")->current_context,
            "x");
}

struct BadRow {
  const char* text;
  const char* message;
};
constexpr BadRow kBad[] = {
    {"[1]", "f: not a mapping"},
    {"kind: Pod", "f: kind: not Config"},
    {"apiVersion: v2", "f: apiVersion: not v1"},
    {"current-context: 5", "f: current-context: not a string"},
    {"clusters: 5", "f: clusters: not a list"},
    {"clusters: [{name: c, cluster: {server: 5}}]",
     "f: cluster c: clusters[0].cluster.server: not a string"},
    {"users: [{name: u, user: {token: [s3cret]}}]", "f: user u: users[0].user.token: not a string"},
    {"users: [{name: u, user: {client-key-data: s3cret!}}]",
     "f: user u: users[0].user.client-key-data: not base64"},
    {"users: [{name: u, user: {}}, {name: u, user: {}}]",
     "f: user u: users[1].name: stands in the list twice"},
    {"clusters: [{name: c, cluster: {insecure-skip-tls-verify: maybe}}]",
     "f: cluster c: clusters[0].cluster.insecure-skip-tls-verify: not true or false"},
};

TEST(Kubeconfig, SaysFileEntryAndFieldAndNeverAValue) {
  for (const BadRow& row : kBad) {
    const auto config = parse_kubeconfig(row.text, "f");
    ASSERT_FALSE(config) << row.text;
    EXPECT_EQ(config.error().message, row.message);
    EXPECT_EQ(config.error().code, ErrorCode::InvalidInput);
  }
  const auto broken = parse_kubeconfig("users: [{name: u, user: {token: s3cret", "f");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message.find("s3cret"), std::string::npos) << broken.error().message;
}

TEST(Kubeconfig, OfTwoFilesTheFirstCountsForEachEntry) {
  auto first = parse_kubeconfig(
      "clusters: [{name: a, cluster: {server: one}}]\nusers: [{name: u, user: {token: t}}]", "f1");
  auto second = parse_kubeconfig(
      "current-context: x\nclusters: [{name: a, cluster: {server: two, tls-server-name: k}}, "
      "{name: b, cluster: {server: three}}]",
      "f2");
  ASSERT_TRUE(first && second);
  merge_kubeconfig(*first, *second);
  EXPECT_EQ(first->clusters.at("a").entry.server, "one");
  EXPECT_EQ(first->clusters.at("a").entry.tls_server_name, "");  // whole entries, not fields
  EXPECT_EQ(first->clusters.at("b").entry.server, "three");
  EXPECT_EQ(first->clusters.at("b").file, "f2");
  EXPECT_EQ(first->current_context, "x");
}

}  // namespace
}  // namespace proxima::kube
