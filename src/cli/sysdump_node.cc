// SPDX-License-Identifier: Apache-2.0
#include "cli/sysdump_node.h"

#include <sys/utsname.h>

#include "dataplane/nft_socket.h"
#include "proxy/node_planes.h"

namespace proxima::cli {
namespace {

constexpr const char* kNftablesFile = "node/nftables.txt";

std::string kernel_text() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown\n";
  return std::string(name.sysname) + " " + name.release + " " + name.machine + "\n";
}

bool is_ours(std::string_view table) {
  const std::string ours = proxy::table_name("");
  return table == ours || table.starts_with(ours + "-");
}

// Of all tables of ours in a family; "" when there is none.
Result<std::string> sizes_of_family(dataplane::NftSocket& socket, IpFamily family) {
  PROXIMA_TRY(const std::vector<std::string> tables, socket.tables(family), to_text(family));
  std::string text;
  for (const std::string& table : tables) {
    if (!is_ours(table)) continue;
    PROXIMA_TRY(const auto content, socket.read_table(family, table), table);
    if (content) text += nft_table_sizes(family, table, *content);
  }
  return text;
}

Result<std::string> table_sizes() {
  PROXIMA_TRY(dataplane::NftSocket socket, dataplane::NftSocket::open(), "nftables");
  PROXIMA_TRY(const std::string v4, sizes_of_family(socket, IpFamily::V4), "nftables");
  PROXIMA_TRY(const std::string v6, sizes_of_family(socket, IpFamily::V6), "nftables");
  return v4 + v6;
}

}  // namespace

std::string nft_table_sizes(IpFamily family, std::string_view table,
                            const dataplane::NftTableContent& content) {
  const auto line = [](std::string_view kind, const std::string& name, std::size_t count,
                       std::string_view things) {
    return "  " + std::string(kind) + " " + name + ": " + std::to_string(count) + " " +
           std::string(things) + "\n";
  };
  std::string text = std::string(family == IpFamily::V4 ? "ip " : "ip6 ") + std::string(table);
  text += "\n";
  for (const dataplane::NftChain& chain : content.chains)
    text += line("chain", chain.name, chain.rules.size(), "rules");
  for (const dataplane::NftSetContent& set : content.sets)
    text += line("set", set.set.name, set.elements.size(), "elements");
  return text;
}

void collect_node(bool has_node_proxy, sysdump::SysdumpArchive& archive) {
  const auto sizes = table_sizes();
  const bool has_tables = sizes && !sizes->empty();
  if (!has_node_proxy && !has_tables) return;
  archive.add_page("node/kernel.txt", kernel_text());
  if (has_tables) {
    archive.add_page(kNftablesFile, *sizes);
  } else {
    archive.add_missing(kNftablesFile,
                        sizes ? "no table of Proxima is here" : sizes.error().message);
  }
}

}  // namespace proxima::cli
