// SPDX-License-Identifier: Apache-2.0
// Every write goes through here: what a request brings becomes an object of its kind, complete and
// checked, and is stored; or it is refused in upstream's words and nothing has changed.
//
// Objects come and go in the face of the type that the request names; see event_faces.h. Used on
// the server's loop only.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request_options.h"
#include "apiserver/resource_path.h"
#include "apiserver/service_allocation.h"
#include "apiserver/status_error.h"
#include "apiserver/store.h"
#include "base/clock.h"
#include "base/split_mix.h"
#include "core/policy/feature_gates.h"

namespace proxima::apiserver {

struct Written {
  StoredObjectPtr object;  // with a dry run: as it would be stored
  bool created = false;
  bool gone = false;  // the last finalizer went, and the object with it
  std::vector<std::string> warnings;
};

struct Deleted {
  StoredObjectPtr object;  // its last state, or the one that now waits for its end
  bool gone = false;
};

class ObjectRegistry {
 public:
  // All must outlive it. `seed` is for names and uids.
  ObjectRegistry(Store& store, ServiceAllocator& allocator, const Clock& clock, std::uint64_t seed,
                 const policy::FeatureGates& gates = {});

  // `before` and `after` are in the stored form; null: was not, is not there.
  using Observer = std::function<void(const ObjectKey& key, const boost::json::object* before,
                                      const boost::json::object* after)>;
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }

  Outcome<Written> create(const ResourceType& type, std::string_view ns, boost::json::object object,
                          const WriteOptions& options);

  // Makes the new object out of the present one; null: there is none.
  using Change = std::function<Outcome<boost::json::object>(const boost::json::object* present)>;
  // `path` names an object.
  Outcome<Written> update(const ResourcePath& path, const Change& change,
                          const WriteOptions& options);

  Outcome<Deleted> remove(const ResourceType& type, const ObjectKey& key, DeleteOptions options);

  const Store& store() const { return store_; }
  // A number for whoever needs one that is not the same every time.
  std::uint64_t random() { return random_.next(); }

 private:
  using Object = boost::json::object;

  // Creating.
  Outcome<Unit> check_namespace(const ResourceType& type, const Object& object,
                                std::string_view ns) const;
  void generate_name(const ResourceType& type, Object& object, std::string_view ns);
  Outcome<Unit> complete_new(const ResourceType& type, Object& object, const WriteOptions& options);
  Outcome<Unit> refuse_taken_name(const ResourceType& type, const Object& object,
                                  std::string_view ns) const;
  std::string make_uid();

  // Updating.
  struct Present {
    StoredObjectPtr stored;
    Object object;  // in the face of the request
  };
  Outcome<Unit> check_preconditions(const ResourcePath& path, const Object& object,
                                    const Present& present) const;
  Outcome<Unit> complete_changed(const ResourcePath& path, Object& object, const Present& present,
                                 const WriteOptions& options);
  Outcome<Written> store_changed(const ResourcePath& path, Object object, const Present& present,
                                 const WriteOptions& options);

  // Deleting.
  Outcome<Deleted> remove_namespace(const ObjectKey& key, Object object, StoredObjectPtr stored,
                                    const DeleteOptions& options);
  Outcome<Deleted> remove_object(const ResourceType& type, const ObjectKey& key, Object object,
                                 const DeleteOptions& asked);
  enum class Grace { None, Begins, Pending };
  Grace prepare_grace(Object& object, DeleteOptions& options) const;

  // Storing; everything above ends in one of these. Objects are in the stored form from here on.
  StoredObjectPtr save(const ObjectKey& key, Object object, const Object* before, bool dry_run);
  StoredObjectPtr erase(const ObjectKey& key, Object object, bool dry_run);
  void tell(const ObjectKey& key, const Object* before, const Object* after) const;
  Outcome<Unit> check_writable() const;

  Store& store_;
  ServiceAllocator& allocator_;
  const Clock& clock_;
  policy::FeatureGates gates_;
  SplitMix random_;
  std::vector<Observer> observers_;
};

}  // namespace proxima::apiserver
