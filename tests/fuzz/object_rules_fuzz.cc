// SPDX-License-Identifier: Apache-2.0
// Any body through decoding, defaults, allocation and validation of every kind, as a create and as
// an update of itself. Nothing brings the program down; what is accepted reads back as it was
// written, and is accepted again.
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/object_rules.h"
#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"
#include "apiserver/service_allocation.h"
#include "base/check.h"

namespace {

using namespace proxima::apiserver;
using boost::json::object;

// As the server does it before it asks the rules.
void name(const ResourceType& type, object& thing) {
  boost::json::value& metadata = thing["metadata"];
  if (!metadata.is_object()) metadata = object();
  metadata.as_object()["resourceVersion"] = "1";
  if (type.namespaced) metadata.as_object()["namespace"] = "default";
}

void update_with_itself(const ResourceType& type, const object& stored) {
  for (const Subresource part : {Subresource::None, Subresource::Status}) {
    object again = stored;
    prepare_update(type, {}, part, again, stored);
    (void)validate_update(type, part, again, stored);
    (void)warnings_of(type, again, &stored);
  }
}

void create(const ResourceType& type, std::string_view text) {
  auto decoded = decode_body(type, text, BodyFormat::Json);
  if (!decoded) return;
  object thing = std::move(decoded->object);
  apply_defaults(type, thing);
  name(type, thing);
  if (type.kind == Kind::Service) {
    AllocationRanges ranges;
    ranges.service_cidrs = {"10.96.0.0/24", "fd00::/120"};
    auto allocator = ServiceAllocator::create(ranges);
    PROXIMA_CHECK(allocator.has_value());
    if (!(*allocator)->allocate(thing, nullptr, false).empty()) return;
    (*allocator)->release(thing, nullptr);
  }
  prepare_create(type, {}, thing);
  const auto errors = validate_create(type, thing);
  (void)warnings_of(type, thing, nullptr);
  update_with_itself(type, thing);
  if (!errors.empty()) {
    (void)to_json(invalid_object(type, "fuzz", errors));
    return;
  }
  const object written = rules::written_form(type_of(type), thing);
  const auto back = decode_body(type, boost::json::serialize(written), BodyFormat::Json);
  PROXIMA_CHECK(back.has_value());
  PROXIMA_CHECK(back->findings.empty());
  PROXIMA_CHECK(back->object == written);
  object again = back->object;
  apply_defaults(type, again);
  PROXIMA_CHECK(validate_create(type, again).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ResourceType& type : served_resources()) create(type, text);
  if (size < 4096) (void)decode_body(resource_of(Kind::Service), text, BodyFormat::Yaml);
  return 0;
}
