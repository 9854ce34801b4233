// SPDX-License-Identifier: Apache-2.0
#include "apiserver/object_registry.h"

#include <boost/json/serialize.hpp>

#include "apiserver/event_faces.h"
#include "apiserver/object_meta.h"
#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"
#include "base/timestamp.h"

namespace proxima::apiserver {

ObjectRegistry::ObjectRegistry(Store& store, ServiceAllocator& allocator, const Clock& clock,
                               std::uint64_t seed, const policy::FeatureGates& gates)
    : store_(store), allocator_(allocator), clock_(clock), gates_(gates), random_(seed) {}

Outcome<Unit> ObjectRegistry::check_writable() const {
  const auto failure = store_.failure();
  if (!failure) return Unit{};
  return internal_error("the store has stopped writing: " + *failure);
}

void ObjectRegistry::tell(const ObjectKey& key, const Object* before, const Object* after) const {
  for (const Observer& observer : observers_) observer(key, before, after);
}

StoredObjectPtr ObjectRegistry::save(const ObjectKey& key, Object object, const Object* before,
                                     bool dry_run) {
  const Revision revision = dry_run ? store_.revision() : store_.next_revision();
  if (!dry_run) metadata_of(object)["resourceVersion"] = std::to_string(revision);
  object = rules::written_form(type_of(resource_of(key.kind)), std::move(object));
  auto stored = std::make_shared<StoredObject>(
      StoredObject{revision, stored_text(resource_of(key.kind), object)});
  if (dry_run) return stored;
  store_.put(key, stored);
  tell(key, before, &object);
  return stored;
}

StoredObjectPtr ObjectRegistry::erase(const ObjectKey& key, Object object, bool dry_run) {
  const Revision revision = dry_run ? store_.revision() : store_.next_revision();
  if (!dry_run) metadata_of(object)["resourceVersion"] = std::to_string(revision);
  auto last = std::make_shared<StoredObject>(
      StoredObject{revision, stored_text(resource_of(key.kind), object)});
  if (dry_run) return last;
  store_.remove(key, last);
  if (key.kind == Kind::Service) allocator_.release(object, nullptr);
  tell(key, &object, nullptr);
  // A Service that takes over the name must not inherit them. Nothing is lost when there are none.
  if (key.kind == Kind::Service)
    static_cast<void>(
        remove(resource_of(Kind::Endpoints), {Kind::Endpoints, key.ns, key.name}, {}));
  return last;
}

}  // namespace proxima::apiserver
