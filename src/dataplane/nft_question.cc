// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_question.h"

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include <cstring>
#include <optional>

#include "dataplane/netlink_reader.h"
#include "dataplane/netlink_writer.h"
#include "dataplane/nft_error.h"

namespace proxima::dataplane {
namespace {

static_assert(NFTA_RULE_TABLE == 1 && NFTA_SET_TABLE == 1 && NFTA_SET_ELEM_LIST_TABLE == 1);
static_assert(NFTA_SET_ELEM_LIST_SET == 2);

std::string encode_question(const NftQuestion& question) {
  NetlinkWriter out;
  out.begin_message(
      {.type = static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8 | question.message),
       .flags = static_cast<std::uint16_t>(question.all ? NLM_F_DUMP : NLM_F_ACK),
       .family = question.family});
  if (!question.table.empty()) out.put_text(NFTA_RULE_TABLE, question.table);
  if (!question.name.empty()) out.put_text(NFTA_SET_ELEM_LIST_SET, question.name);
  out.end_message();
  return out.take();
}

// Of messages that end an answer; nothing for those that are the answer.
std::optional<Status> end_of_answer(const NetlinkMessage& message) {
  if (message.type != NLMSG_ERROR && message.type != NLMSG_DONE) return std::nullopt;
  int number = 0;
  if (message.payload.size() >= sizeof(number)) {
    std::memcpy(&number, message.payload.data(), sizeof(number));
  }
  if (number != 0) return Status(kernel_error(-number));
  return Status(Unit{});
}

}  // namespace

Result<NftWholeness> ask_kernel(NetlinkSocket& socket, const NftQuestion& question,
                                const NftAnswer& answer) {
  socket.drain();
  PROXIMA_TRY(const Unit sent, socket.send(encode_question(question)), "ask");
  static_cast<void>(sent);
  auto wholeness = NftWholeness::Whole;
  while (true) {
    PROXIMA_TRY(std::string_view piece, socket.receive(), "ask");
    if (piece.empty()) return Error{ErrorCode::Retry, "the kernel's answer has no end"};
    while (const auto message = next_message(piece)) {
      if ((message->flags & NLM_F_DUMP_INTR) != 0) wholeness = NftWholeness::Interrupted;
      const std::optional<Status> end = end_of_answer(*message);
      if (end && *end) return wholeness;
      if (end) return end->error();
      answer(attributes_of(*message));
    }
  }
}

}  // namespace proxima::dataplane
