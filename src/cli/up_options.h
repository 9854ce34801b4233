// SPDX-License-Identifier: Apache-2.0
// What `proxima up` and `proxima lab` are asked for, as plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace proxima::cli {

// Where the page of a lab is served.
struct WebAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
};

struct UpCommand {
  std::string data_directory;  // "": a folder that is removed at the end
  std::string scenario;        // a file; "": the example cluster
  std::optional<std::size_t> zones;
  std::optional<std::size_t> nodes_per_zone;
  std::optional<double> rate;  // requests a second of all clients
  bool traffic = true;
  bool simulator = false;  // no namespaces, even where they could be made
  bool open = false;       // the page, in the user's browser
  WebAddress web;
  std::uint16_t api_port = 0;                        // 0: any free one
  std::optional<std::chrono::nanoseconds> for_time;  // none: until it is asked to end
  std::uint64_t seed = 1;
  int verbosity = 0;
};

enum class LabAction : std::uint8_t {
  Status,
  AddNode,
  Scale,
  KillNode,
  FailZone,
  Heal,
  Demand,
  Policy,
};

struct LabCommand {
  LabAction action = LabAction::Status;
  std::vector<std::string> words;  // what the action is about, as it was written
  std::optional<double> overload;
  bool json = false;
  std::string data_directory;  // "": the lab that this user runs
};

}  // namespace proxima::cli
