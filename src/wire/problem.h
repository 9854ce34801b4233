// SPDX-License-Identifier: Apache-2.0
// What was wrong with something that was read. One bad object does not stop the rest, so there may
// be many.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::wire {

struct Problem {
  std::string file;          // as given; "-" is standard input; empty: it came from a server
  std::size_t document = 0;  // counted from 1; 0: the file as a whole
  std::string object;        // "Pod shop/web-1", or "item 17" when it has no name; may be empty
  std::string field;         // "status.podIPs[1].ip"; empty: the object as a whole
  std::string message;
  friend bool operator==(const Problem&, const Problem&) = default;
};

// "dump.json: document 1: Pod shop/web-1: spec.nodeName: not a string"
std::string to_text(const Problem& problem);

// A dump with the same mistake in every object says nothing new after this many.
inline constexpr std::size_t kMaxProblems = 1000;

// Collects problems, naming the place that is being read.
class ProblemLog {
 public:
  void enter_file(std::string_view file);
  void enter_document(std::size_t number);
  // An item of a list that has not told its name yet; 0: a document that is no list.
  void enter_item(std::size_t number);
  // The names are borrowed until another place is entered. `ns` is empty for a cluster-wide kind.
  void enter_object(std::string_view kind, std::string_view ns, std::string_view name);
  // Control characters in what is quoted are escaped, and long texts cut.
  void add(const std::string& field, const std::string& message);

  const std::vector<Problem>& problems() const { return problems_; }
  std::size_t not_kept() const { return not_kept_; }

 private:
  std::string object() const;

  std::string file_;
  std::size_t document_ = 0;
  std::size_t item_ = 0;
  std::string_view kind_, ns_, name_;
  std::vector<Problem> problems_;
  std::size_t not_kept_ = 0;
};

}  // namespace proxima::wire
