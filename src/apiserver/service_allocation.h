// SPDX-License-Identifier: Apache-2.0
// Cluster IPs and node ports: which are taken, which a Service gets.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/field_error.h"
#include "apiserver/server_options.h"
#include "base/result.h"

namespace proxima::apiserver {

// Not safe for concurrent use.
class ServiceAllocator {
 public:
  // An error: a range that makes no sense.
  static Result<std::unique_ptr<ServiceAllocator>> create(const AllocationRanges& ranges);
  virtual ~ServiceAllocator() = default;

  // Marks what a stored Service holds; for loading.
  virtual void adopt(const boost::json::object& service) = 0;

  // Completes `service` (families, family policy, cluster IPs, node ports, health check node port)
  // as upstream's REST layer does after defaulting and before prepare_…() and validation, and takes
  // what it gave. `old` is null on create. On errors nothing is taken. With `dry_run` nothing is
  // taken either.
  virtual std::vector<FieldError> allocate(boost::json::object& service,
                                           const boost::json::object* old, bool dry_run) = 0;
  // Gives back what `before` holds and `after` (null: deleted) does not. Call it for a create that
  // was refused later, too, with before = the refused object.
  virtual void release(const boost::json::object& before, const boost::json::object* after) = 0;
};

// How allocate()'s errors are answered: 422, or 500 when a range is full.
StatusError allocation_refusal(std::string_view name, const std::vector<FieldError>& errors);

}  // namespace proxima::apiserver
