// SPDX-License-Identifier: Apache-2.0
#include "apiserver/list_body.h"

#include <utility>
#include <vector>

#include "apiserver/continue_token.h"
#include "apiserver/json_indent.h"
#include "apiserver/object_meta.h"
#include "base/clock.h"

namespace proxima::apiserver {
namespace {

// Writes a list's frame and its items, with the commas between them, plain or indented.
class ListWriter {
 public:
  ListWriter(ObjectEncoder encoder, bool pretty) : encoder_(std::move(encoder)), pretty_(pretty) {}

  Showing showing() const { return encoder_.showing(); }
  void begin(std::string& out, const ListMeta& meta) { write(out, encoder_.list_begin(meta)); }
  void item(std::string& out, const StoredObject& object) {
    if (!pretty_) {
      if (any_) out += ',';
      encoder_.append_item(out, object);
    } else {
      std::string text = any_ ? "," : "";
      encoder_.append_item(text, object);
      indenter_.append(text, out);
    }
    any_ = true;
  }
  void end(std::string& out) { write(out, ObjectEncoder::list_end()); }

 private:
  void write(std::string& out, std::string_view text) {
    if (pretty_) {
      indenter_.append(text, out);
    } else {
      out += text;
    }
  }

  ObjectEncoder encoder_;
  bool pretty_;
  bool any_ = false;
  JsonIndenter indenter_;
};

class WholeList final : public net::BodySource {
 public:
  WholeList(const Store& store, ListRange range, ObjectEncoder encoder, bool pretty)
      : store_(store), range_(std::move(range)), writer_(std::move(encoder), pretty) {}

  net::Pull pull(std::string& out, std::size_t wanted) override {
    if (range_.revision < store_.compacted()) return net::Pull::Cut;
    const std::size_t before = out.size();
    if (!std::exchange(begun_, true)) writer_.begin(out, {.revision = range_.revision});
    Share share(range_.selection, writer_.showing());
    bool more = false;
    store_.scan(range_.kind, range_.ns, range_.revision, after_,
                [&](const ObjectKey& key, const StoredObjectPtr& object) {
                  more = out.size() - before >= wanted || !share.take(*object);
                  if (more) return false;
                  after_ = {key.ns, key.name};
                  if (range_.selects(*object)) writer_.item(out, *object);
                  return true;
                });
    if (more) return share.done() ? net::Pull::Wait : net::Pull::More;
    writer_.end(out);
    return net::Pull::End;
  }

  // It waits for nothing but its turn.
  Clock::SteadyTime next_deadline() const override { return kAtOnce; }

 private:
  const Store& store_;
  ListRange range_;
  ListWriter writer_;
  Store::Position after_;
  bool begun_ = false;
};

// What is in a page is known before its first byte is sent: the head says how to go on.
class PageList final : public net::BodySource {
 public:
  PageList(const Store& store, ListRange range, PageRequest page, ObjectEncoder encoder,
           bool pretty)
      : store_(store),
        range_(std::move(range)),
        page_(std::move(page)),
        looked_at_(page_.after),
        writer_(std::move(encoder), pretty) {}

  net::Pull pull(std::string& out, std::size_t wanted) override {
    if (!gathered_ && !gather())
      return range_.revision < store_.compacted() ? net::Pull::Cut : net::Pull::Wait;
    const std::size_t before = out.size();
    if (!std::exchange(begun_, true)) writer_.begin(out, meta());
    Share share({}, writer_.showing());
    for (; next_ < objects_.size(); ++next_) {
      if (out.size() - before >= wanted) return net::Pull::More;
      if (!share.take(*objects_[next_])) return net::Pull::Wait;
      writer_.item(out, *objects_[next_]);
    }
    writer_.end(out);
    return net::Pull::End;
  }

  Clock::SteadyTime next_deadline() const override { return kAtOnce; }

 private:
  // Whether the page is whole.
  bool gather() {
    if (range_.revision < store_.compacted()) return false;
    Share share(range_.selection, Showing::AsStored);  // they are shown later
    const bool counting = range_.selection.everything() && page_.remaining < 0;
    bool more = false;
    store_.scan(range_.kind, range_.ns, range_.revision, looked_at_,
                [&](const ObjectKey& key, const StoredObjectPtr& object) {
                  more = !share.take(*object);
                  if (more) return false;
                  looked_at_ = {key.ns, key.name};
                  const bool selected = range_.selects(*object);
                  if (objects_.size() == page_.limit) {
                    if (selected) ++beyond_;
                    return counting || beyond_ == 0;
                  }
                  page_.after = looked_at_;
                  if (selected) objects_.push_back(object);
                  return true;
                });
    gathered_ = !more;
    return gathered_;
  }

  ListMeta meta() const {
    ListMeta out{.revision = range_.revision};
    if (beyond_ == 0) return out;
    if (range_.selection.everything()) {
      out.remaining = page_.remaining < 0
                          ? beyond_
                          : page_.remaining - static_cast<std::int64_t>(objects_.size());
    }
    out.continue_token =
        ContinueToken{static_cast<std::int64_t>(range_.revision), page_.after, out.remaining}
            .encode();
    return out;
  }

  const Store& store_;
  ListRange range_;
  PageRequest page_;           // `after`: where the page ends, as far as it is known
  Store::Position looked_at_;  // the last one, also beyond the page
  ListWriter writer_;
  std::vector<StoredObjectPtr> objects_;
  std::int64_t beyond_ = 0;  // objects after the page: all of them, or one
  std::size_t next_ = 0;
  bool gathered_ = false;
  bool begun_ = false;
};

}  // namespace

bool Share::take(const StoredObject& object) {
  const std::size_t cost = parses_ ? object.json.size() + extra_ : 0;
  done_ = objects_ > 0 && (objects_ == kObjectsAtOnce || bytes_ + cost > kParsedBytesAtOnce);
  if (done_) return false;
  ++objects_;
  bytes_ += cost;
  return true;
}

bool ListRange::selects(const StoredObject& object) const {
  return selection.everything() || selection.matches(parse_stored(object.json));
}

std::unique_ptr<net::BodySource> list_body(const Store& store, ListRange range,
                                           ObjectEncoder encoder, bool pretty) {
  return std::make_unique<WholeList>(store, std::move(range), std::move(encoder), pretty);
}

std::unique_ptr<net::BodySource> page_body(const Store& store, ListRange range, PageRequest page,
                                           ObjectEncoder encoder, bool pretty) {
  return std::make_unique<PageList>(store, std::move(range), std::move(page), std::move(encoder),
                                    pretty);
}

}  // namespace proxima::apiserver
