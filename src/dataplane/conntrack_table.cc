// SPDX-License-Identifier: Apache-2.0
#include "dataplane/conntrack_table.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <linux/netlink.h>

namespace proxima::dataplane {
namespace {

// The kernel answers at once or not at all.
constexpr std::chrono::milliseconds kAnswerTime{5'000};
constexpr int kListTries = 5;

// Of an error message or the end of a list, whose body begins with the number: 0 is success.
int error_number(const NetlinkMessage& message) {
  int number = 0;
  if (message.payload.size() >= sizeof number) {
    std::memcpy(&number, message.payload.data(), sizeof number);
  }
  return -number;
}

Error answer_error(int number) {
  return Error{number == EPERM ? ErrorCode::Denied : ErrorCode::Retry,
               "the kernel answers: " + std::system_category().message(number)};
}

// How the answers to one question ended.
struct Answers {
  bool done = false;
  bool interrupted = false;
  int error = 0;
};

template <class Take>
void read_datagram(std::string_view bytes, std::uint32_t sequence, Answers& answers,
                   const Take& take) {
  while (!answers.done) {
    const std::optional<NetlinkMessage> message = next_message(bytes);
    if (!message) return;
    if (message->sequence != sequence) continue;  // of a question that was given up
    if ((message->flags & NLM_F_DUMP_INTR) != 0) answers.interrupted = true;
    if (message->type == NLMSG_ERROR || message->type == NLMSG_DONE) {
      answers.done = true;
      answers.error = error_number(*message);
    } else {
      take(*message);
    }
  }
}

template <class Take>
Result<Answers> read_answers(const ConntrackDatagrams& next, std::uint32_t sequence,
                             const Take& take) {
  Answers answers;
  while (!answers.done) {
    const auto datagram = next();
    if (!datagram) return datagram.error();
    read_datagram(*datagram, sequence, answers, take);
  }
  return answers;
}

}  // namespace

Result<std::vector<ConntrackEntry>> list_in_one_pass(const ConntrackPass& pass) {
  for (int tries = 0; tries < kListTries; ++tries) {
    std::vector<ConntrackEntry> entries;
    PROXIMA_TRY(const bool whole,
                pass([&](const ConntrackEntry& entry) { entries.push_back(entry); }),
                "connection tracking");
    if (whole) return entries;
  }
  return Error{ErrorCode::Retry, "connection tracking: list connections: interrupted " +
                                     std::to_string(kListTries) + " times in a row"};
}

ConntrackTable::ConntrackTable(ConntrackSocket socket)
    : socket_(std::move(socket)), buffer_(ConntrackSocket::kDatagramBytes) {}

Result<ConntrackTable> ConntrackTable::open() {
  PROXIMA_TRY(ConntrackSocket socket, ConntrackSocket::open(0), "connection tracking");
  return ConntrackTable(std::move(socket));
}

Result<bool> read_conntrack_list(const ConntrackDatagrams& next, const ConntrackQuery& query,
                                 std::uint32_t sequence, const ConntrackVisitor& visitor) {
  PROXIMA_TRY(const Answers answers,
              read_answers(next, sequence,
                           [&](const NetlinkMessage& message) {
                             const std::optional<ConntrackEntry> entry = decode_conntrack(message);
                             if (entry && matches(query, *entry)) visitor(*entry);
                           }),
              "list connections");
  if (answers.error == EINTR) return false;
  if (answers.error != 0) return answer_error(answers.error).in("list connections");
  return !answers.interrupted;
}

Result<std::string_view> ConntrackTable::next_datagram() {
  PROXIMA_TRY(const ConntrackSocket::Read read, socket_.read(buffer_, kAnswerTime), "read");
  if (read.outcome == ConntrackSocket::Read::Outcome::Data) return read.bytes;
  return Error{ErrorCode::Retry, "the connection tracking does not answer"};
}

Result<bool> ConntrackTable::visit(const ConntrackQuery& query, const ConntrackVisitor& visitor) {
  PROXIMA_TRY(Unit sent, socket_.send(encode_conntrack_list(query, ++sequence_)),
              "list connections");
  static_cast<void>(sent);
  return read_conntrack_list([this] { return next_datagram(); }, query, sequence_, visitor);
}

Result<std::vector<ConntrackEntry>> ConntrackTable::list(const ConntrackQuery& query) {
  return list_in_one_pass([&](const ConntrackVisitor& visitor) { return visit(query, visitor); });
}

Result<bool> ConntrackTable::remove(const ConntrackEntry& entry) {
  PROXIMA_TRY(Unit sent, socket_.send(encode_conntrack_delete(entry, ++sequence_)),
              "forget a connection");
  static_cast<void>(sent);
  PROXIMA_TRY(
      const Answers answers,
      read_answers([this] { return next_datagram(); }, sequence_, [](const NetlinkMessage&) {}),
      "forget a connection");
  if (answers.error == ENOENT) return false;
  if (answers.error != 0) return answer_error(answers.error).in("forget a connection");
  return true;
}

}  // namespace proxima::dataplane
