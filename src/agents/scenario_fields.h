// SPDX-License-Identifier: Apache-2.0
// The members of one mapping in a scenario. What is wrong is reported with line and field, the
// first fault counts, and the value is as if it were empty: whoever reads goes on to the end and
// then asks whether there was a fault.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/yaml_lines.h"

namespace proxima::agents {

class ScenarioFaults {
 public:
  explicit ScenarioFaults(wire::YamlLines lines) : lines_(std::move(lines)) {}
  // "line 3: cluster.zones: MESSAGE"
  void add(const std::string& path, const std::string& message);
  const std::optional<Error>& first() const { return first_; }

 private:
  wire::YamlLines lines_;
  std::optional<Error> first_;
};

class ScenarioFields {
 public:
  // Borrows everything. `path` is "" at the top.
  ScenarioFields(const boost::json::object& object, std::string path, ScenarioFaults& faults)
      : object_(&object), path_(std::move(path)), faults_(&faults) {}

  // Not null.
  bool has(std::string_view key) const;
  bool is_text(std::string_view key) const;
  std::vector<std::string> names() const;
  // Any other member is a fault.
  void only(const std::vector<std::string>& keys) const;
  // About a member, or about the mapping itself when `key` is empty.
  void fault(std::string_view key, const std::string& message) const;

  // A member that is missing is a fault here …
  std::string text(std::string_view key) const;
  double number(std::string_view key) const;
  // … also as a percentage: "80%" is 0.8 …
  double share(std::string_view key) const;
  std::size_t count(std::string_view key) const;
  // … and here it is as if it were empty. Entries of a list must be mappings.
  ScenarioFields child(std::string_view key) const;
  std::vector<ScenarioFields> entries(std::string_view key) const;

 private:
  std::string path_of(std::string_view key) const;
  double bounded(std::string_view key, double number) const;

  const boost::json::object* object_;
  std::string path_;
  ScenarioFaults* faults_;
};

}  // namespace proxima::agents
