// SPDX-License-Identifier: Apache-2.0
#include "kube/connection.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace proxima::kube {
namespace {

using testing::TempFolder;

std::string config_of(const std::string& server, const std::string& context) {
  return "clusters: [{name: " + context + ", cluster: {server: " + server +
         "}}]\nusers: [{name: u, user: {token: s3cret}}]\ncontexts: [{name: " + context +
         ", context: {cluster: " + context + ", user: u}}]\ncurrent-context: " + context + "\n";
}

TEST(FindConnection, AnExplicitFileMustBeThere) {
  const auto connection = find_connection({.kubeconfig = "/nowhere/config"});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().message, "--kubeconfig: /nowhere/config: No such file or directory");
}

TEST(FindConnection, ReadsTheListedFilesAndSkipsMissingOnes) {
  const TempFolder folder;
  const std::string a = folder.write("a", config_of("https://a", "one"));
  const std::string b = folder.write("b", config_of("https://b", "two"));
  const std::string list = ":/nowhere:" + a + ":" + b + ":" + a;
  ConnectionOptions options{.environment = {{"KUBECONFIG", list}, {"HOME", "/nowhere"}}};
  auto connection = find_connection(options);
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->cluster.server, "https://a");
  EXPECT_EQ(connection->ns, "default");
  EXPECT_EQ(connection->origin, a + ": context one");
  options.context = "two";
  connection = find_connection(options);
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->cluster.server, "https://b");
  options.context = "three";
  EXPECT_EQ(find_connection(options).error().message,
            a + ":" + b + ": --context: context \"three\" does not exist");
}

TEST(FindConnection, ReadsTheFileAtHome) {
  const TempFolder folder;
  folder.write(".kube/config", config_of("https://home", "h"));
  const auto connection = find_connection({.environment = {{"HOME", folder.path()}}});
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->cluster.server, "https://home");
  EXPECT_EQ(connection->user.token, "s3cret");
}

TEST(FindConnection, FallsBackToTheServiceAccount) {
  const TempFolder folder;
  folder.write("token", "t");
  folder.write("ca.crt", "CA");
  folder.write("namespace", "shop\n");
  ConnectionOptions options{
      .environment = {{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "443"}},
      .service_account_folder = folder.path()};
  auto connection = find_connection(options);
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->cluster.server, "https://[fd00::1]:443");
  EXPECT_EQ(connection->cluster.ca_file, folder.file("ca.crt"));
  EXPECT_EQ(connection->user.token_file, folder.file("token"));
  EXPECT_EQ(connection->ns, "shop");
  options.environment["POD_NAMESPACE"] = "mine";
  EXPECT_EQ(find_connection(options)->ns, "mine");
  options.environment.erase("KUBERNETES_SERVICE_PORT");
  EXPECT_FALSE(find_connection(options));
}

TEST(FindConnection, WithoutAnythingSaysWhatToDo) {
  const auto connection = find_connection({});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, ErrorCode::NotFound);
  EXPECT_NE(connection.error().message.find("give --kubeconfig"), std::string::npos);
}

struct ChoiceRow {
  const char* cluster;  // fields of it, as YAML
  const char* user;
  const char* message;  // empty: fine
};
constexpr ChoiceRow kChoices[] = {
    {"server: https://s", "token: t", ""},
    {"server: ''", "token: t", "f: cluster c: server: is empty"},
    {"server: https://s, proxy-url: ftp://user:s3cret@p", "token: t",
     "f: cluster c: proxy-url: unsupported scheme, must be http, https, or socks5"},
    {"server: https://s, certificate-authority: a, certificate-authority-data: QQ==", "token: t",
     "f: cluster c: certificate-authority and certificate-authority-data are both specified"},
    {"server: https://s, certificate-authority-data: QQ==, insecure-skip-tls-verify: true",
     "token: t",
     "f: cluster c: insecure-skip-tls-verify: specifying a root certificates file with the "
     "insecure flag is not allowed"},
    {"server: https://s", "token: t, username: me",
     "f: user u: more than one authentication method: token and basicAuth"},
    {"server: https://s", "client-certificate-data: QQ==",
     "f: user u: client certificate: client-key or client-key-data must be specified beside a "
     "client certificate"},
    {"server: https://s", "auth-provider: {name: gcp}",
     "f: user u: auth-provider: no longer supported; use an exec credential plugin"},
    {"server: https://s", "as-groups: [g]",
     "f: user u: as: uid, groups or user-extra without impersonating a user"},
    {"server: https://s", "exec: {command: x, apiVersion: client.authentication.k8s.io/v1}",
     "f: user u: exec.interactiveMode: must be Never, IfAvailable or Always"},
    {"server: https://s", "exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1}",
     ""},
    {"server: https://s", "exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}",
     "f: user u: exec.apiVersion: neither client.authentication.k8s.io/v1 nor v1beta1"},
    {"server: https://s", "exec: {apiVersion: client.authentication.k8s.io/v1}",
     "f: user u: exec.command: must be specified"},
};

TEST(ChooseContext, ChecksTheEntriesThatItNeeds) {
  for (const ChoiceRow& row : kChoices) {
    const auto config = parse_kubeconfig(
        "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
        "clusters: [{name: c, cluster: {" +
            std::string(row.cluster) + "}}]\nusers: [{name: u, user: {" + row.user + "}}]",
        "f");
    ASSERT_TRUE(config) << config.error().message;
    const auto connection = choose_context(*config, "");
    EXPECT_EQ(connection ? "" : connection.error().message, row.message);
  }
}

Connection chosen(const std::string& cluster, const std::string& user) {
  const auto config = parse_kubeconfig(
      "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
      "clusters: [{name: c, cluster: {" +
          cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]",
      "f");
  return choose_context(*config, "").value();
}

TEST(ChooseContext, WarnsWhenTheServerIsNotVerified) {
  const Connection insecure = chosen("server: s:6443, insecure-skip-tls-verify: true", "token: t");
  EXPECT_EQ(insecure.cluster.server, "https://s:6443");
  ASSERT_EQ(insecure.warnings.size(), 1U);
  EXPECT_NE(insecure.warnings[0].find("insecure-skip-tls-verify"), std::string::npos);
}

TEST(ChooseContext, SendsNoSecretsOverPlainHttp) {
  const Connection plain = chosen("server: 'localhost:8080'", "token: s3cret");
  EXPECT_EQ(plain.cluster.server, "http://localhost:8080");
  EXPECT_EQ(plain.user.token, "");
  EXPECT_EQ(plain.warnings.size(), 1U);
}

TEST(ChooseContext, NamesWhatAContextMissesAndWhere) {
  const auto config = parse_kubeconfig(
      "contexts: [{name: x, context: {cluster: c}}, {name: z, context: {user: u}}]", "f");
  EXPECT_EQ(choose_context(*config, "").error().message,
            "f: current-context: is empty; name a context with --context");
  EXPECT_EQ(choose_context(*config, "x").error().message,
            "f: context x: cluster: there is no \"c\"");
  EXPECT_EQ(choose_context(*config, "z").error().message, "f: context z: cluster: is empty");
}

}  // namespace
}  // namespace proxima::kube
