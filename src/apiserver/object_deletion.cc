// SPDX-License-Identifier: Apache-2.0
// ObjectRegistry: how an object goes, at once or after a while.
#include <algorithm>
#include <boost/json/array.hpp>
#include <limits>

#include "apiserver/object_meta.h"
#include "apiserver/object_registry.h"
#include "base/timestamp.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

// What a grace period is cut to. A time that far away can still be told as a timestamp.
constexpr std::int64_t kMaxGraceSeconds = 100LL * 365 * 24 * 3600;

constexpr std::string_view kImmortal[] = {"default", "kube-system", "kube-public"};

// Upstream names the kind here, not the plural.
StatusError precondition_failed(const ResourceType& type, std::string_view name,
                                std::string_view message) {
  ResourceType shown = type;
  shown.plural = type.name;
  return conflict(shown, name, message);
}

Outcome<Unit> check(const ResourceType& type, const json::object& object,
                    const DeleteOptions& options) {
  const std::string_view name = meta_text(object, "name");
  const std::string uid(meta_text(object, "uid"));
  const std::string revision(meta_text(object, "resourceVersion"));
  if (!options.uid.empty() && options.uid != uid) {
    return precondition_failed(type, name,
                               "the UID in the precondition (" + options.uid +
                                   ") does not match the UID in record (" + uid +
                                   "). The object might have been deleted and then recreated");
  }
  if (!options.resource_version.empty() && options.resource_version != revision) {
    return precondition_failed(type, name,
                               "the ResourceVersion in the precondition (" +
                                   options.resource_version +
                                   ") does not match the ResourceVersion in record (" + revision +
                                   "). The object might have been modified");
  }
  return Unit{};
}

StatusError immortal(std::string_view name) {
  StatusError error = not_found(resource_of(Kind::Namespace), name);
  error.code = 403;
  error.reason = "Forbidden";
  error.message =
      "namespaces \"" + std::string(name) + "\" is forbidden: this namespace may not be deleted";
  return error;
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// What the garbage collector has to do before the object may go.
struct Dependents {
  bool orphan = false;
  bool foreground = false;
};

Dependents dependents_wish(const DeleteOptions& options, const std::vector<std::string>& present) {
  if (options.orphan) return {*options.orphan, false};
  if (options.propagation)
    return {*options.propagation == Propagation::Orphan,
            *options.propagation == Propagation::Foreground};
  if (contains(present, kOrphanFinalizer)) return {true, false};
  return {false, contains(present, kForegroundFinalizer)};
}

std::vector<std::string> with_wish(const std::vector<std::string>& present, Dependents wish) {
  std::vector<std::string> out;
  for (const std::string& finalizer : present)
    if (finalizer != kOrphanFinalizer && finalizer != kForegroundFinalizer)
      out.push_back(finalizer);
  if (wish.orphan) out.emplace_back(kOrphanFinalizer);
  if (wish.foreground) out.emplace_back(kForegroundFinalizer);
  return out;
}

void raise_generation(json::object& object) {
  const auto generation = integer_field(metadata_of(object), "generation");
  if (generation && *generation > 0 && *generation < std::numeric_limits<std::int64_t>::max())
    metadata_of(object)["generation"] = *generation + 1;
}

void mark_deleting(json::object& object, WallTime now) {
  json::object& meta = metadata_of(object);
  if (!is_deleting(object)) raise_generation(object);
  const auto present = parse_time(text_field(meta, "deletionTimestamp"));
  if (!present || *present > now) meta["deletionTimestamp"] = time_text(now);
  meta["deletionGracePeriodSeconds"] = 0;
}

// How long a Pod that is deleted for the first time may take.
std::int64_t pod_grace(const json::object& pod, const DeleteOptions& options) {
  const json::object& spec = child_object(pod, "spec");
  const std::string_view phase = text_field(child_object(pod, "status"), "phase");
  if (text_field(spec, "nodeName").empty() || phase == "Failed" || phase == "Succeeded") return 0;
  const std::int64_t seconds = options.grace_seconds.value_or(
      integer_field(spec, "terminationGracePeriodSeconds").value_or(0));
  return seconds < 0 ? 1 : std::min(seconds, kMaxGraceSeconds);
}

// Dead earlier than first said; never in the past.
void shorten_grace(json::object& object, std::int64_t present, std::int64_t wanted, WallTime now) {
  json::object& meta = metadata_of(object);
  const auto end = parse_time(text_field(meta, "deletionTimestamp"));
  WallTime moved =
      (end ? *end : now) - std::chrono::seconds(present) + std::chrono::seconds(wanted);
  if (moved < now) {
    moved = now;
    if (wanted != 0) wanted = 1;
  }
  meta["deletionTimestamp"] = time_text(moved);
  meta["deletionGracePeriodSeconds"] = wanted;
}

}  // namespace

ObjectRegistry::Grace ObjectRegistry::prepare_grace(Object& object, DeleteOptions& options) const {
  json::object& meta = metadata_of(object);
  if (is_deleting(object)) {
    const std::int64_t present =
        std::min(integer_field(meta, "deletionGracePeriodSeconds").value_or(0), kMaxGraceSeconds);
    if (present == 0) return Grace::None;
    if (!options.grace_seconds || *options.grace_seconds >= present) return Grace::Pending;
    shorten_grace(object, present, *options.grace_seconds, clock_.wall_now());
    options.grace_seconds = integer_field(meta, "deletionGracePeriodSeconds");
    return Grace::Begins;
  }
  const std::int64_t seconds = pod_grace(object, options);
  options.grace_seconds = seconds;
  meta["deletionTimestamp"] = time_text(clock_.wall_now() + std::chrono::seconds(seconds));
  meta["deletionGracePeriodSeconds"] = seconds;
  raise_generation(object);
  return Grace::Begins;
}

Outcome<Deleted> ObjectRegistry::remove(const ResourceType& type, const ObjectKey& key,
                                        DeleteOptions options) {
  auto checked = check_writable();
  if (!checked) return std::move(checked).error();
  if (type.kind == Kind::Namespace &&
      std::find(std::begin(kImmortal), std::end(kImmortal), key.name) != std::end(kImmortal))
    return immortal(key.name);
  StoredObjectPtr stored = store_.find(key);
  if (!stored) return not_found(type, key.name);
  Object object = parse_stored(stored->json);
  if (options.grace_seconds && *options.grace_seconds < 0) options.grace_seconds = 1;
  checked = check(type, object, options);
  if (!checked) return std::move(checked).error();
  if (type.kind == Kind::Namespace)
    return remove_namespace(key, std::move(object), std::move(stored), options);
  return remove_object(type, key, std::move(object), options);
}

Outcome<Deleted> ObjectRegistry::remove_namespace(const ObjectKey& key, Object object,
                                                  StoredObjectPtr stored,
                                                  const DeleteOptions& options) {
  if (is_deleting(object)) {
    const json::value* held = child_object(object, "spec").if_contains("finalizers");
    if (held != nullptr && held->is_array() && !held->get_array().empty())
      return Deleted{std::move(stored), false};
    return remove_object(resource_of(Kind::Namespace), key, std::move(object), options);
  }
  const Object before = object;
  metadata_of(object)["deletionTimestamp"] = time_text(clock_.wall_now());
  json::value& status = object["status"];
  if (!status.is_object()) status.emplace_object();
  status.get_object()["phase"] = "Terminating";
  const auto present = finalizers_of(object);
  set_finalizers(object, with_wish(present, dependents_wish(options, present)));
  return Deleted{save(key, std::move(object), &before, options.dry_run), false};
}

Outcome<Deleted> ObjectRegistry::remove_object(const ResourceType& type, const ObjectKey& key,
                                               Object object, const DeleteOptions& asked) {
  DeleteOptions options = asked;
  const Object before = object;
  const Grace grace = type.kind == Kind::Pod ? prepare_grace(object, options) : Grace::None;
  if (grace == Grace::Pending) return Deleted{store_.find(key), false};
  const auto present = finalizers_of(object);
  const bool collects = key.kind != Kind::Event;
  const auto finalizers =
      collects ? with_wish(present, dependents_wish(options, present)) : present;
  set_finalizers(object, finalizers);
  if (grace == Grace::None) {
    if (finalizers.empty()) return Deleted{erase(key, std::move(object), options.dry_run), true};
    mark_deleting(object, clock_.wall_now());
  }
  StoredObjectPtr marked;
  if (object == before) {
    marked = store_.find(key);
  } else {
    marked = save(key, object, &before, options.dry_run);
  }
  const bool waits =
      !finalizers.empty() || (grace == Grace::Begins && options.grace_seconds.value_or(0) > 0);
  if (waits) return Deleted{std::move(marked), false};
  if (options.dry_run) return Deleted{std::move(marked), true};
  return Deleted{erase(key, std::move(object), false), true};
}

}  // namespace proxima::apiserver
