// SPDX-License-Identifier: Apache-2.0
// Our rules beside what a real kube-apiserver answered (recording.jsonl, made by ./record): the
// same code, message, causes, warnings and object for every row. What differs on purpose is listed
// here and nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "apiserver/object_rules.h"
#include "apiserver/rules/json_fields.h"
#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"
#include "apiserver/service_allocation.h"
#include "support/source_folder.h"

namespace proxima::apiserver {

using namespace rules;

namespace {

namespace json = boost::json;

// Rows whose answer is another one on purpose, and why.
const std::map<std::string, std::string> kDeliberate = {
    {"Service create (dual): a node port out of range",
     "upstream's dry run does not look at the range; ours refuses what a real write would"},
    {"Service update (dual): a node port out of range", "the same"},
    {"Pod create (dual): a scheduling gate",
     "the condition has no time: rules know no clock, and nobody here schedules"},
    {"Lease update (dual): without a resourceVersion",
     "upstream names the resource where all other refusals name the kind"},
};
// Not in the recording, because upstream refuses the fields as unknown: spec.topologyKeys and
// spec.trafficPolicy of a Service. topology_field_rules_test.cc has their rules.

struct Answer {
  int code = 200;
  std::string message;
  std::string reason;
  JsonArray causes;
  JsonFields object;
  JsonArray warnings;
};

const ResourceType& type_named(std::string_view kind) {
  if (kind == "EventsV1") return resource_of(Kind::EventsV1);
  for (const ResourceType& type : served_resources())
    if (type.name == kind) return type;
  ADD_FAILURE() << "unknown kind " << kind;
  return resource_of(Kind::Pod);
}

std::string body_of(const JsonFields& row) {
  std::string body(text_at(row, "body"));
  const JsonArray& run = array_at(row, "run");
  if (run.empty()) return body;
  const std::size_t at = body.find("@RUN@");
  return body.replace(at, 5, static_cast<std::size_t>(run[1].as_int64()), text_of(run[0]).front());
}

Answer refused(const StatusError& error) {
  Answer answer;
  answer.code = error.code;
  answer.message = error.message;
  answer.reason = error.reason;
  for (const StatusCause& cause : error.causes)
    answer.causes.push_back(
        {json::string(cause.reason), json::string(cause.message), json::string(cause.field)});
  return answer;
}

// What the REST layer will do, in its order.
class Server {
 public:
  explicit Server(std::string_view world) {
    AllocationRanges ranges;
    if (world == "dual") ranges.service_cidrs = {"10.96.0.0/16", "fd00:10:96::/112"};
    allocator_ = std::move(ServiceAllocator::create(ranges)).value();
  }

  Answer write(const ResourceType& type, const JsonFields& row) {
    auto decoded = decode_body(type, body_of(row), BodyFormat::Json);
    if (!decoded) return refused(decoded.error());
    if (!decoded->findings.empty()) return refused(strict_decoding_error(type, decoded->findings));
    JsonFields object = std::move(decoded->object);
    const JsonFields* const old = row.contains("old") ? &object_at(row, "old") : nullptr;
    const auto subresource =
        text_at(row, "do") == "status" ? Subresource::Status : Subresource::None;
    apply_defaults(type, object);
    JsonFields& metadata = make_object(object, "metadata");
    if (type.namespaced) default_text(metadata, "namespace", "default");
    if (old == nullptr) {
      metadata.erase("uid");
      metadata.erase("creationTimestamp");
      if (!text_at(metadata, "generateName").empty() && text_at(metadata, "name").empty())
        metadata["name"] = std::string(text_at(metadata, "generateName")) + "x1x2x";
    }
    if (type.kind == Kind::Service && subresource == Subresource::None) {
      if (old != nullptr) allocator_->adopt(*old);
      const auto errors = allocator_->allocate(object, old, true);
      if (old != nullptr) allocator_->release(*old, nullptr);
      if (!errors.empty()) return refused(allocation_refusal(text_at(metadata, "name"), errors));
    }
    return checked(type, subresource, std::move(object), old);
  }

 private:
  static Answer checked(const ResourceType& type, Subresource subresource, JsonFields object,
                        const JsonFields* old) {
    std::vector<FieldError> errors;
    if (old == nullptr) {
      prepare_create(type, {}, object);
      errors = validate_create(type, object);
    } else {
      prepare_update(type, {}, subresource, object, *old);
      errors = validate_update(type, subresource, object, *old);
    }
    if (!errors.empty())
      return refused(invalid_object(type, text_at(object_at(object, "metadata"), "name"), errors));
    Answer answer;
    answer.code = old == nullptr ? 201 : 200;
    for (const std::string& warning : warnings_of(type, object, old))
      answer.warnings.emplace_back(json::string(warning));
    answer.object = written_form(type_of(type), std::move(object));
    return answer;
  }

  std::unique_ptr<ServiceAllocator> allocator_;
};

// Equal, where the recording says that anything of a kind will do.
bool matches(const json::value& expected, const json::value& actual) {
  if (expected == json::value("<ip>")) return actual.is_string();
  if (expected == json::value("<generated>")) return actual.is_string();
  if (expected == json::value(-1))
    return actual.is_int64() && actual.as_int64() >= 30000 && actual.as_int64() <= 32767;
  if (expected.is_object() && actual.is_object()) {
    if (expected.as_object().size() != actual.as_object().size()) return false;
    return std::all_of(
        expected.as_object().begin(), expected.as_object().end(), [&](const auto& member) {
          const json::value* const other = actual.as_object().if_contains(member.key());
          return other != nullptr && matches(member.value(), *other);
        });
  }
  if (expected.is_array() && actual.is_array()) {
    const auto& left = expected.as_array();
    const auto& right = actual.as_array();
    return left.size() == right.size() &&
           std::equal(left.begin(), left.end(), right.begin(), matches);
  }
  return expected == actual;
}

// Up to the first line's end: what upstream prints behind it is a diff of Go structs.
std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

JsonArray first_lines(const JsonArray& causes) {
  JsonArray out;
  for (const json::value& cause : causes) {
    JsonArray copy = cause.as_array();
    copy[1] = first_line(text_of(copy[1]));
    out.push_back(std::move(copy));
  }
  return out;
}

std::string shown(const JsonArray& list) { return json::serialize(list); }

std::vector<JsonFields> rows() {
  std::ifstream file(test::source_folder() + "/tests/conformance/api_rules/recording.jsonl");
  EXPECT_TRUE(file.is_open());
  std::vector<JsonFields> out;
  for (std::string line; std::getline(file, line);) out.push_back(json::parse(line).as_object());
  return out;
}

void compare(const JsonFields& row, const Answer& ours) {
  const int code = static_cast<int>(number_at(row, "code"));
  EXPECT_EQ(ours.code, code) << ours.message;
  EXPECT_EQ(first_line(ours.message), first_line(text_at(row, "message")));
  if (ours.code != code || code >= 400) {
    EXPECT_EQ(ours.reason, text_at(row, "reason"));
    EXPECT_EQ(shown(first_lines(ours.causes)), shown(first_lines(array_at(row, "causes"))));
    return;
  }
  EXPECT_EQ(shown(ours.warnings), shown(array_at(row, "warnings")));
  EXPECT_TRUE(matches(value_at(row, "object"), ours.object))
      << "theirs: " << json::serialize(value_at(row, "object"))
      << "\nours:   " << json::serialize(ours.object);
}

TEST(RulesRecording, AnswersAsTheRealServerDid) {
  std::map<std::string, Server> servers;
  const auto all = rows();
  EXPECT_GT(all.size(), 400U);
  for (const JsonFields& row : all) {
    const std::string world(text_at(row, "world"));
    const std::string title = std::string(text_at(row, "kind")) + " " +
                              std::string(text_at(row, "do")) + " (" + world +
                              "): " + std::string(text_at(row, "name"));
    SCOPED_TRACE(title);
    if (kDeliberate.contains(title)) continue;
    Server& server = servers.try_emplace(world, world).first->second;
    compare(row, server.write(type_named(text_at(row, "kind")), row));
  }
}

// A list of exceptions that nobody needs any more is a lie.
TEST(RulesRecording, ListsOnlyDifferencesThatExist) {
  std::set<std::string> titles;
  for (const JsonFields& row : rows())
    titles.insert(std::string(text_at(row, "kind")) + " " + std::string(text_at(row, "do")) + " (" +
                  std::string(text_at(row, "world")) + "): " + std::string(text_at(row, "name")));
  for (const auto& [title, why] : kDeliberate) EXPECT_TRUE(titles.contains(title)) << title;
}

}  // namespace
}  // namespace proxima::apiserver
