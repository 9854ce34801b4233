// SPDX-License-Identifier: Apache-2.0
#include "apiserver/object_encoder.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/event_faces.h"
#include "apiserver/object_meta.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

json::object metadata_only(const json::object& object, const std::string& api_version) {
  return {{"kind", "PartialObjectMetadata"},
          {"apiVersion", api_version},
          {"metadata", metadata_of(object)}};
}

}  // namespace

ObjectEncoder::ObjectEncoder(const ResourceType& type, Representation representation)
    : type_(&type),
      representation_(std::move(representation)),
      copies_(representation_.view == View::Object && !has_own_face(type)),
      stored_prefix_(stored_prefix(resource_of(type.stored_as))) {}

json::object ObjectEncoder::shown(const StoredObject& object) const {
  return to_face(*type_, parse_stored(object.json));
}

json::object ObjectEncoder::row_of(const json::object& object) const {
  json::object row = table_row(*type_, object, representation_.include, now_);
  json::value* const carried = row.if_contains("object");
  if (representation_.include == IncludeObject::Metadata && carried != nullptr &&
      carried->is_object())
    carried->get_object()["apiVersion"] = "meta.k8s.io/" + representation_.meta_version;
  return row;
}

std::string ObjectEncoder::table_of(const json::object& object, bool with_columns) const {
  json::array rows;
  rows.push_back(row_of(object));
  json::object meta;
  const std::string_view revision = meta_text(object, "resourceVersion");
  if (!revision.empty())
    meta["resourceVersion"] = json::string_view(revision.data(), revision.size());
  json::object table = {{"kind", "Table"},
                        {"apiVersion", "meta.k8s.io/" + representation_.meta_version},
                        {"metadata", std::move(meta)}};
  table["columnDefinitions"] = with_columns ? json::value(table_columns(*type_)) : json::value();
  table["rows"] = std::move(rows);
  return json::serialize(table);
}

std::string ObjectEncoder::encode(const json::object& object) const {
  switch (representation_.view) {
    case View::Table:
      return table_of(object, true);
    case View::Metadata:
      return json::serialize(metadata_only(object, "meta.k8s.io/" + representation_.meta_version));
    case View::Object:
      break;
  }
  return json::serialize(object);
}

std::string ObjectEncoder::single(const StoredObject& object) const {
  return (copies() ? object.json : encode(shown(object))) + "\n";
}

std::string ObjectEncoder::single(const json::object& object) const {
  return encode(to_face(*type_, object)) + "\n";
}

std::string ObjectEncoder::list_begin(const ListMeta& meta) const {
  json::object fields = {{"resourceVersion", std::to_string(meta.revision)}};
  if (!meta.continue_token.empty()) fields["continue"] = meta.continue_token;
  if (meta.remaining > 0) fields["remainingItemCount"] = meta.remaining;
  std::string kind = std::string(type_->name) + "List";
  std::string version = type_->api_version();
  if (representation_.view != View::Object) {
    kind = representation_.view == View::Table ? "Table" : "PartialObjectMetadataList";
    version = "meta.k8s.io/" + representation_.meta_version;
  }
  std::string out = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + version +
                    "\",\"metadata\":" + json::serialize(fields);
  if (representation_.view != View::Table) return out + ",\"items\":[";
  return out + ",\"columnDefinitions\":" + json::serialize(table_columns(*type_)) + ",\"rows\":[";
}

void ObjectEncoder::append_item(std::string& out, const StoredObject& object) const {
  if (copies()) {
    // Items of a list do not repeat their kind.
    out += '{';
    out.append(object.json, stored_prefix_.size());
    return;
  }
  const json::object item = shown(object);
  switch (representation_.view) {
    case View::Table:
      out += json::serialize(row_of(item));
      return;
    case View::Metadata:
      out += json::serialize(metadata_only(item, "meta.k8s.io/" + representation_.meta_version));
      return;
    case View::Object:
      // The same text as if it were stored in this form.
      out += '{';
      out.append(stored_text(*type_, item), stored_prefix(*type_).size());
      return;
  }
}

void ObjectEncoder::append_event(std::string& out, std::string_view type,
                                 const StoredObject& object) {
  if (!copies()) return append_event(out, type, parse_stored(object.json));
  out.append("{\"type\":\"").append(type).append("\",\"object\":").append(object.json);
  out += "}\n";
}

void ObjectEncoder::append_event(std::string& out, std::string_view type,
                                 const json::object& object) {
  const json::object face = to_face(*type_, object);
  out.append("{\"type\":\"").append(type).append("\",\"object\":");
  out += representation_.view == View::Table ? table_of(face, !columns_sent_) : encode(face);
  columns_sent_ = true;
  out += "}\n";
}

void ObjectEncoder::append_bookmark(std::string& out, Revision revision,
                                    bool end_of_initial_events) {
  json::object meta = {{"resourceVersion", std::to_string(revision)}};
  if (end_of_initial_events)
    meta["annotations"] = json::object{{"k8s.io/initial-events-end", "true"}};
  json::object object = {{"kind", json::string_view(type_->name.data(), type_->name.size())},
                         {"apiVersion", type_->api_version()},
                         {"metadata", std::move(meta)}};
  append_event(out, "BOOKMARK", object);
}

}  // namespace proxima::apiserver
