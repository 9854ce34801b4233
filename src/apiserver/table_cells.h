// SPDX-License-Identifier: Apache-2.0
// The cells of a Table's row, one function a kind. They follow upstream's printers to the letter:
// scripts read what kubectl prints.
#pragma once

#include <boost/json/fwd.hpp>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::apiserver {

using TableTime = std::chrono::system_clock::time_point;

// How long ago a timestamp was; "<unknown>" for none.
std::string age_of(std::string_view timestamp, TableTime now);
// Since metadata.creationTimestamp.
std::string object_age(const boost::json::object& object, TableTime now);
// "<none>" and the like where there is no text.
std::string_view or_else(std::string_view text, std::string_view otherwise);
std::string lower_case(std::string_view text);  // ASCII
std::string join(std::span<const std::string> parts, std::string_view separator);
// Items that are texts.
std::vector<std::string> texts_of(const boost::json::array& items);

// The first three, and how many more there are.
class ShortList {
 public:
  void add(std::string item);
  // `empty` is what an empty list shows.
  std::string text(std::string_view empty) const;

 private:
  static constexpr std::size_t kShown = 3;
  std::vector<std::string> shown_;
  std::size_t count_ = 0;
};

boost::json::array pod_cells(const boost::json::object& pod, TableTime now);
// Tells kubectl that a Pod is done with; empty while it is not.
boost::json::array pod_row_conditions(const boost::json::object& pod);
boost::json::array node_cells(const boost::json::object& node, TableTime now);
boost::json::array service_cells(const boost::json::object& service, TableTime now);
boost::json::array endpoints_cells(const boost::json::object& endpoints, TableTime now);
boost::json::array endpoint_slice_cells(const boost::json::object& slice, TableTime now);
// Of either group.
boost::json::array event_cells(const boost::json::object& event, TableTime now);
boost::json::array namespace_cells(const boost::json::object& ns, TableTime now);
boost::json::array config_map_cells(const boost::json::object& map, TableTime now);
boost::json::array lease_cells(const boost::json::object& lease, TableTime now);
boost::json::array service_cidr_cells(const boost::json::object& cidr, TableTime now);
boost::json::array ip_address_cells(const boost::json::object& address, TableTime now);

}  // namespace proxima::apiserver
