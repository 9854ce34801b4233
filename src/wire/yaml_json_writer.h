// SPDX-License-Identifier: Apache-2.0
// Writes JSON from YAML's events. A call that returns text found a mistake; the writer must not be
// used after that.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wire/yaml_scalar.h"

namespace proxima::wire {

class YamlJsonWriter {
 public:
  using Mistake = std::optional<std::string>;

  // `anchor` is empty when there is none.
  Mistake scalar(const YamlScalar& value, bool is_merge_key, std::string_view anchor);
  Mistake alias(std::string_view anchor);
  Mistake begin(bool mapping, std::string_view anchor);
  Mistake end();

  // The whole document; the writer is empty afterwards.
  std::string take();

 private:
  struct Open {
    bool mapping = false;
    bool expects_key = false;
    bool merging = false;  // the key was "<<": the value's members go to this mapping
    bool any = false;
    std::size_t start = 0;        // of its text in out_
    std::size_t value_start = 0;  // of the value being written, in a mapping
    std::string anchor;
    std::set<std::string, std::less<>> keys;
    std::string merged;  // ",\"a\":1": members of merged mappings, to come after its own
  };

  bool expects_key() const { return !open_.empty() && open_.back().expects_key; }
  Mistake key(std::string_view text);
  void before_value();
  Mistake after_value(std::size_t start, std::string_view anchor);
  Mistake merge(Open& into, std::string_view value);
  Mistake spend(std::size_t bytes);

  std::string out_;
  std::vector<Open> open_;
  std::map<std::string, std::string, std::less<>> anchors_;
  std::size_t spent_ = 0;
};

}  // namespace proxima::wire
