// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_socket.h"

#include <linux/netlink.h>

#include <algorithm>
#include <cstring>
#include <variant>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_encode.h"
#include "dataplane/nft_error.h"
#include "dataplane/nft_numbers.h"
#include "dataplane/nft_question.h"
#include "dataplane/nft_table_reader.h"
#include "dataplane/nft_watch.h"

namespace proxima::dataplane {
namespace {

// What the kernel said to a batch.
struct BatchAnswers {
  std::vector<NftRefusal> refusals;
  bool acknowledged = false;  // the last message was carried out
};

// Numbers of netlink itself, unlike those of netfilter, are as the host has them.
std::optional<std::uint32_t> host_u32(std::string_view attributes, std::uint16_t type) {
  const auto bytes = find_bytes(attributes, type);
  std::uint32_t value = 0;
  if (!bytes || bytes->size() != sizeof(value)) return std::nullopt;
  std::memcpy(&value, bytes->data(), sizeof(value));
  return value;
}

void add_answer(BatchAnswers& answers, const NetlinkMessage& message) {
  int number = 0;
  if (message.type != NLMSG_ERROR || message.payload.size() < sizeof(nlmsgerr)) return;
  std::memcpy(&number, message.payload.data(), sizeof(number));
  if (number == 0) {
    answers.acknowledged = true;
    return;
  }
  NftRefusal refusal{.sequence = message.sequence, .number = -number};
  if ((message.flags & NLM_F_ACK_TLVS) != 0) {
    // NLM_F_CAPPED: only the refused message's header is repeated, words follow at once.
    const std::string_view attributes = message.payload.substr(sizeof(nlmsgerr));
    refusal.text = find_text(attributes, NLMSGERR_ATTR_MSG);
    refusal.offset = host_u32(attributes, NLMSGERR_ATTR_OFFS);
  }
  answers.refusals.push_back(std::move(refusal));
}

// Kernels count a batch that changes something. Adding what is there and flushing what is empty
// changes nothing.
bool surely_changes(const NftOperation& operation) {
  if (const auto* add = std::get_if<NftAddElements>(&operation)) return !add->elements.empty();
  if (const auto* remove = std::get_if<NftDeleteElements>(&operation)) {
    return !remove->elements.empty();
  }
  return std::holds_alternative<NftAddRule>(operation) ||
         std::holds_alternative<NftDeleteRule>(operation) ||
         std::holds_alternative<NftDeleteChain>(operation) ||
         std::holds_alternative<NftDeleteSet>(operation) ||
         std::holds_alternative<NftDeleteTable>(operation);
}

// Only changes to the table itself spoil what was read, and its writer is who reads it.
constexpr int kReadAttempts = 8;

}  // namespace

Result<NftSocket> NftSocket::open() {
  PROXIMA_TRY(NetlinkSocket socket, NetlinkSocket::open(), "nftables");
  PROXIMA_TRY(NetlinkSocket news, NetlinkSocket::open(), "nftables");
  return NftSocket(std::move(socket), std::move(news));
}

Status NftSocket::send(const NftTransaction& transaction, std::optional<std::uint32_t> generation) {
  if (transaction.empty()) return Unit{};
  const NftBatch batch = encode_transaction(transaction, generation);
  if (batch.messages.empty()) return Unit{};  // lists of no elements
  socket_.drain();
  PROXIMA_TRY(const Unit sent, socket_.send(batch.bytes), "nftables");
  static_cast<void>(sent);
  BatchAnswers answers;
  std::optional<Error> lost;
  while (true) {
    Result<std::string_view> piece = socket_.receive();
    if (!piece) {
      // More refusals than the buffer holds: those that are there are read all the same.
      if (lost) break;
      lost = std::move(piece).error();
      continue;
    }
    if (piece->empty()) break;
    std::string_view bytes = *piece;
    while (const auto message = next_message(bytes)) add_answer(answers, *message);
  }
  if (!answers.refusals.empty()) return transaction_error(transaction, batch, answers.refusals);
  if (answers.acknowledged) {
    ++(std::ranges::any_of(transaction.operations, surely_changes) ? commits_ : unclear_);
    return Unit{};
  }
  ++unclear_;
  if (lost) return *std::move(lost);
  return Error{ErrorCode::Retry, "nftables: the kernel did not answer"};
}

Result<std::optional<NftTableContent>> NftSocket::read_table(IpFamily family,
                                                             std::string_view table) {
  const std::string context = "read table " + std::string(table);
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    PROXIMA_TRY(NftWatch watch, NftWatch::begin(news_, family, table), context);
    PROXIMA_TRY(const std::uint32_t before, generation(), context);
    PROXIMA_TRY(const std::vector<std::string> names, tables(family), context);
    if (!std::ranges::binary_search(names, table)) return std::optional<NftTableContent>();
    NftTableReader reader(socket_, family, table);
    Result<NftTableContent> content = read_once(reader);
    PROXIMA_TRY(const std::uint32_t after, generation(), context);
    const bool still = before == after && !reader.interrupted();
    // Errors of a moment that has passed say nothing: what was asked for may just have gone.
    if (!still && !watch.is_untouched(after)) continue;
    if (content) return std::optional(std::move(content).value());
    if (content.error().code != ErrorCode::Retry) return std::move(content).error().in(context);
  }
  return Error{ErrorCode::Retry, context + ": it changes faster than it can be read"};
}

Result<NftTableContent> NftSocket::read_once(NftTableReader& reader) {
  PROXIMA_TRY(std::vector<NftChain> chains, reader.chains(), "chains");
  PROXIMA_TRY(std::vector<NftSetContent> sets, reader.sets(), "sets");
  return NftTableContent{.chains = std::move(chains), .sets = std::move(sets)};
}

Result<std::vector<std::string>> NftSocket::tables(IpFamily family) {
  std::vector<std::string> names;
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    names.clear();
    PROXIMA_TRY(const NftWholeness read,
                ask_kernel(socket_, {.message = NFT_MSG_GETTABLE, .family = family_number(family)},
                           [&](std::string_view attributes) {
                             names.emplace_back(find_text(attributes, NFTA_TABLE_NAME));
                           }),
                "list tables");
    if (read == NftWholeness::Interrupted) continue;
    std::ranges::sort(names);
    return names;
  }
  return Error{ErrorCode::Retry, "list tables: they change faster than they can be read"};
}

Result<std::vector<NftChainJumps>> NftSocket::jumps(IpFamily family, std::string_view table) {
  return NftTableReader(socket_, family, table).jumps();
}

Result<std::uint32_t> NftSocket::generation() {
  std::optional<std::uint32_t> generation;
  const auto asked = ask_kernel(
      socket_, {.message = NFT_MSG_GETGEN, .all = false},
      [&](std::string_view attributes) { generation = find_u32(attributes, NFTA_GEN_ID); });
  if (!asked) return Error(asked.error()).in("generation of the rules");
  if (!generation) return Error{ErrorCode::Unsupported, "generation of the rules: not told"};
  return *generation;
}

Result<NftMoment> NftSocket::now() {
  PROXIMA_TRY(const std::uint32_t current, generation(), "now");
  return NftMoment{.generation = current, .commits = commits_, .unclear = unclear_};
}

bool NftSocket::is_alone_since(const NftMoment& moment) {
  const Result<std::uint32_t> current = generation();
  return current && *current - moment.generation == commits_ - moment.commits &&
         unclear_ == moment.unclear;
}

}  // namespace proxima::dataplane
