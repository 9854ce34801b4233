// SPDX-License-Identifier: Apache-2.0
#include "apiserver/list_body.h"

#include <utility>

#include "apiserver/continue_token.h"
#include "apiserver/json_indent.h"
#include "apiserver/object_meta.h"

namespace proxima::apiserver {
namespace {

// Writes a list's frame and its items, with the commas between them, plain or indented.
class ListWriter {
 public:
  ListWriter(ObjectEncoder encoder, bool pretty) : encoder_(std::move(encoder)), pretty_(pretty) {}

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
    bool more = false;
    store_.scan(range_.kind, range_.ns, range_.revision, after_,
                [&](const ObjectKey& key, const StoredObjectPtr& object) {
                  more = out.size() - before >= wanted;
                  if (more) return false;
                  after_ = {key.ns, key.name};
                  if (range_.selects(*object)) writer_.item(out, *object);
                  return true;
                });
    if (more) return net::Pull::More;
    writer_.end(out);
    return net::Pull::End;
  }

 private:
  const Store& store_;
  ListRange range_;
  ListWriter writer_;
  Store::Position after_;
  bool begun_ = false;
};

class PageList final : public net::BodySource {
 public:
  PageList(Page page, ObjectEncoder encoder, bool pretty)
      : page_(std::move(page)), writer_(std::move(encoder), pretty) {}

  net::Pull pull(std::string& out, std::size_t wanted) override {
    const std::size_t before = out.size();
    if (!std::exchange(begun_, true)) writer_.begin(out, page_.meta);
    for (; next_ < page_.objects.size(); ++next_) {
      if (out.size() - before >= wanted) return net::Pull::More;
      writer_.item(out, *page_.objects[next_]);
    }
    writer_.end(out);
    return net::Pull::End;
  }

 private:
  Page page_;
  ListWriter writer_;
  std::size_t next_ = 0;
  bool begun_ = false;
};

}  // namespace

bool ListRange::selects(const StoredObject& object) const {
  return selection.everything() || selection.matches(parse_stored(object.json));
}

std::unique_ptr<net::BodySource> list_body(const Store& store, ListRange range,
                                           ObjectEncoder encoder, bool pretty) {
  return std::make_unique<WholeList>(store, std::move(range), std::move(encoder), pretty);
}

Page read_page(const Store& store, const ListRange& range, const Store::Position& after,
               std::size_t limit, std::int64_t remaining) {
  Page page;
  page.meta.revision = range.revision;
  Store::Position last;
  std::int64_t beyond = 0;  // objects after the page
  const bool counting = range.selection.everything() && remaining < 0;
  store.scan(range.kind, range.ns, range.revision, after,
             [&](const ObjectKey& key, const StoredObjectPtr& object) {
               if (page.objects.size() < limit) {
                 if (!range.selects(*object)) return true;
                 page.objects.push_back(object);
                 last = {key.ns, key.name};
                 return true;
               }
               if (!counting && !range.selects(*object)) return true;
               ++beyond;
               return counting;
             });
  if (beyond == 0) return page;
  if (range.selection.everything()) {
    page.meta.remaining =
        counting ? beyond : remaining - static_cast<std::int64_t>(page.objects.size());
  }
  page.meta.continue_token =
      ContinueToken{static_cast<std::int64_t>(range.revision), last, page.meta.remaining}.encode();
  return page;
}

std::unique_ptr<net::BodySource> page_body(Page page, ObjectEncoder encoder, bool pretty) {
  return std::make_unique<PageList>(std::move(page), std::move(encoder), pretty);
}

}  // namespace proxima::apiserver
