// SPDX-License-Identifier: Apache-2.0
#include "cli/sysdump_flags.h"

#include "cli/cluster_flags.h"
#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

FlagRows page_flags(SysdumpCommand& command) {
  const std::string group = "Pages of components";
  return {
      text_row("--controller", "ADDRESS", group, command.controller,
               "Ask the controller at this address: HOST, HOST:PORT (default 10267) or a URL; the "
               "one on this machine when not given"),
      text_row("--controller-token-file", "FILE", group, command.controller_token_file,
               "A token for the audience proxima-controller, which the controller wants to see "
               "unless it is on the same machine"),
      list_row("--node", "ADDRESS", group, command.nodes,
               "Ask the node proxy at this address: HOST, HOST:PORT (default 10249) or a URL; the "
               "one on this machine when not given"),
      text_row("--node-token-file", "FILE", group, command.node_token_file,
               "A token for the audience proxima-proxy, which node proxies want to see unless they "
               "are on the same machine"),
  };
}

}  // namespace

FlagRows sysdump_flags(SysdumpCommand& command) {
  FlagRows rows = {
      text_row("-o,--output", "FILE", "Output", command.output,
               "Write this file, which must not be there yet, or standard output (-); "
               "proxima-sysdump-TIME.tar.gz when not given"),
      text_row("-n,--namespace", "NAME", "What is collected", command.ns,
               "Services, EndpointSlices, Pods and Events of this namespace only"),
  };
  append(rows, cluster_flags(command.kube, "Live cluster", "the default",
                             ", then the lab that runs on this machine"));
  append(rows, page_flags(command));
  return rows;
}

}  // namespace proxima::cli
