// SPDX-License-Identifier: Apache-2.0
// The connections that the kernel tracks: to read them, and to make it forget some. Of the network
// namespace of the thread that opened it; for one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dataplane/conntrack_entry.h"
#include "dataplane/conntrack_message.h"
#include "dataplane/conntrack_socket.h"

namespace proxima::dataplane {

using ConntrackVisitor = std::function<void(const ConntrackEntry&)>;
// One pass over a table. False: it was interrupted, so entries may be missing or come twice.
using ConntrackPass = std::function<Result<bool>(const ConntrackVisitor&)>;

// What a pass that was not interrupted has found. Begins anew a few times; then it is an error
// (Retry), and never a list that lacks some.
Result<std::vector<ConntrackEntry>> list_in_one_pass(const ConntrackPass& pass);

// The next datagram of an answer, good until the next call; an error when none comes.
using ConntrackDatagrams = std::function<Result<std::string_view>()>;
// One pass: what the kernel answers to encode_conntrack_list(query, sequence), up to its end.
// Answers to other questions are passed over.
Result<bool> read_conntrack_list(const ConntrackDatagrams& next, const ConntrackQuery& query,
                                 std::uint32_t sequence, const ConntrackVisitor& visitor);

class ConntrackTable {
 public:
  static Result<ConntrackTable> open();

  // False: the table changed so much meanwhile that some may be missing or come twice.
  Result<bool> visit(const ConntrackQuery& query, const ConntrackVisitor& visitor);
  // All that match, see list_in_one_pass().
  Result<std::vector<ConntrackEntry>> list(const ConntrackQuery& query);
  // False: it was no longer there.
  Result<bool> remove(const ConntrackEntry& entry);

 private:
  explicit ConntrackTable(ConntrackSocket socket);
  Result<std::string_view> next_datagram();

  ConntrackSocket socket_;
  std::vector<char> buffer_;
  std::uint32_t sequence_ = 0;
};

}  // namespace proxima::dataplane
