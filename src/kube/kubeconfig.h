// SPDX-License-Identifier: Apache-2.0
// What a kubeconfig says, as values. Nothing is opened here: certificates and tokens in files stay
// paths, made absolute so that they mean the same everywhere.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace proxima::kube {

// A cluster: where its server is, and how it proves who it is.
struct ClusterEntry {
  std::string server;
  std::string tls_server_name;
  std::string ca_file;
  std::string ca_pem;  // counts before the file
  std::string proxy_url;
  bool insecure_skip_tls_verify = false;
  bool disable_compression = false;
  std::string exec_config;  // JSON that plugins of this cluster get, or empty
};

enum class InteractiveMode { Never, IfAvailable, Always };

// A program that hands out credentials.
struct ExecEntry {
  std::string api_version;
  std::string command;  // with a slash: a path; without: looked up in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string install_hint;
  bool provide_cluster_info = false;
  std::optional<InteractiveMode> interactive_mode;  // none: not said, or not a mode
};

// Whom a request asks to be taken for.
struct Impersonation {
  std::string user;  // empty: nobody
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

// Who the client is. The texts are secrets, all but the names of files.
struct UserEntry {
  std::string token;
  std::string token_file;  // counts before the token once it could be read
  std::string certificate_file;
  std::string certificate_pem;  // counts before the file
  std::string key_file;
  std::string key_pem;  // counts before the file
  std::string username;
  std::string password;
  std::optional<ExecEntry> exec;
  std::string auth_provider;  // the name of one of the old providers, which are refused
  Impersonation impersonation;
};

struct ContextEntry {
  std::string cluster;
  std::string user;
  std::string ns;  // empty: not said
};

template <class Entry>
struct FromFile {
  std::string file;  // where it was written, for messages
  Entry entry;
};

struct Kubeconfig {
  std::string files;  // where it comes from, as KUBECONFIG would list them
  std::map<std::string, FromFile<ClusterEntry>> clusters;
  std::map<std::string, FromFile<UserEntry>> users;
  std::map<std::string, FromFile<ContextEntry>> contexts;
  std::string current_context;
};

// Reads one file's text; `file` is its name. The error names file, entry and field, never a value.
Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& file);

// Adds what `config` lacks: of an entry that both have, and of the current context, the first
// counts as a whole.
void merge_kubeconfig(Kubeconfig& config, Kubeconfig other);

}  // namespace proxima::kube
