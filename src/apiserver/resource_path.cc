// SPDX-License-Identifier: Apache-2.0
#include "apiserver/resource_path.h"

#include <vector>

#include "net/http_message.h"

namespace proxima::apiserver {
namespace {

struct GroupPath {
  std::string_view group;
  std::string_view version;
  std::string_view rest;  // after the version, without its slash
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view take_segment(std::string_view& text) {
  const std::size_t slash = text.find('/');
  const std::string_view segment = text.substr(0, slash);
  text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
  return segment;
}

std::optional<GroupPath> parse_group(std::string_view path) {
  GroupPath out;
  if (take(path, "/apis/")) {
    out.group = take_segment(path);
    if (out.group.empty()) return std::nullopt;
  } else if (!take(path, "/api/")) {
    return std::nullopt;
  }
  out.version = take_segment(path);
  out.rest = path;
  return out;
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) out.push_back(take_segment(path));
  return out;
}

std::optional<PathPart> parse_part(const ResourceType& type, std::string_view text) {
  if (text == "status" && type.has_status) return PathPart::Status;
  if (text == "finalize" && type.kind == Kind::Namespace) return PathPart::Finalize;
  if (text == "binding" && type.kind == Kind::Pod) return PathPart::Binding;
  return std::nullopt;
}

// PLURAL[/NAME[/PART]], in a namespace or not.
std::optional<ResourcePath> parse_rest(const GroupPath& group, std::string_view ns,
                                       std::vector<std::string_view> segments) {
  if (segments.empty() || segments.size() > 3) return std::nullopt;
  ResourcePath out;
  out.type = find_resource(group.group, group.version, segments[0]);
  if (out.type == nullptr) return std::nullopt;
  if (out.type->namespaced != !ns.empty() && (segments.size() > 1 || !ns.empty()))
    return std::nullopt;
  const auto space = net::percent_decode(ns, net::PlusSign::Itself);
  if (!space) return std::nullopt;
  out.ns = *space;
  if (segments.size() == 1) return out;
  const auto name = net::percent_decode(segments[1], net::PlusSign::Itself);
  if (!name || name->empty()) return std::nullopt;
  out.name = *name;
  if (segments.size() == 2) return out;
  const auto part = parse_part(*out.type, segments[2]);
  if (!part) return std::nullopt;
  out.part = *part;
  return out;
}

}  // namespace

bool in_served_group(std::string_view path) {
  const auto group = parse_group(path);
  if (!group) return false;
  for (const ResourceType& type : served_resources())
    if (type.group == group->group) return true;
  return false;
}

std::optional<ResourcePath> parse_resource_path(std::string_view path) {
  const auto group = parse_group(path);
  if (!group) return std::nullopt;
  std::vector<std::string_view> segments = segments_of(group->rest);
  // A third segment is a kind in a namespace, unless it is a part of the namespace itself.
  const bool in_namespace = segments.size() >= 3 && segments[0] == "namespaces" &&
                            !parse_part(resource_of(Kind::Namespace), segments[2]);
  if (!in_namespace) return parse_rest(*group, {}, std::move(segments));
  const std::string_view ns = segments[1];
  if (ns.empty()) return std::nullopt;
  segments.erase(segments.begin(), segments.begin() + 2);
  return parse_rest(*group, ns, std::move(segments));
}

}  // namespace proxima::apiserver
