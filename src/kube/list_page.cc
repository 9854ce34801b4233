// SPDX-License-Identifier: Apache-2.0
#include "kube/list_page.h"

#include <simdjson.h>

#include "wire/json_scanner.h"

namespace proxima::kube {
namespace {

Error not_a_list(std::string_view why) {
  return {ErrorCode::Retry, "the answer is not a list: " + std::string(why)};
}

std::string text_in(simdjson::dom::object object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

}  // namespace

// An item is looked at again only when a quarter more of it is there: pieces may be small and items
// large.
Status ListPageReader::feed(std::string_view piece, const OnItem& on_item) {
  text_.append(piece);
  if (text_.size() < failed_size_ + failed_size_ / 4) return Unit{};
  return scan(on_item);
}

Status ListPageReader::scan(const OnItem& on_item) {
  Step done = Step::On;
  while (done == Step::On) {
    const std::size_t space = wire::skip_space(text_.text(), 0);
    text_.consume(space);
    done = text_.size() == 0 ? Step::NeedMore : step(on_item);
  }
  if (done == Step::Broken) return not_a_list("it is broken");
  failed_size_ = text_.size();
  if (failed_size_ > max_item_bytes_)
    return not_a_list("an item is larger than " + std::to_string(max_item_bytes_) + " bytes");
  return Unit{};
}

ListPageReader::Step ListPageReader::step(const OnItem& on_item) {
  switch (at_) {
    case At::Start:
      if (text_.text()[0] != '{') return Step::Broken;
      text_.consume(1);
      at_ = At::Member;
      return Step::On;
    case At::Member:
      return member();
    case At::AfterMember:
      return separator('}', At::Member, At::End);
    case At::Item:
      return item(on_item);
    case At::AfterItem:
      return separator(']', At::Item, At::AfterMember);
    case At::End:
      return Step::Broken;  // something stands behind the list
  }
  return Step::Broken;
}

ListPageReader::Step ListPageReader::separator(char close, At next, At closed) {
  const char c = text_.text()[0];
  if (c != ',' && c != close) return Step::Broken;
  text_.consume(1);
  at_ = c == ',' ? next : closed;
  return Step::On;
}

ListPageReader::Step ListPageReader::member() {
  const std::string_view text = text_.text();
  if (text[0] == '}') return separator('}', At::Member, At::End);
  if (text[0] != '"') return Step::Broken;
  const std::size_t key_end = wire::end_of_string(text, 0);
  if (key_end == std::string_view::npos) return Step::NeedMore;
  const std::size_t colon = wire::skip_space(text, key_end);
  if (colon == text.size()) return Step::NeedMore;
  if (text[colon] != ':') return Step::Broken;
  const std::size_t value = wire::skip_space(text, colon + 1);
  if (value == text.size()) return Step::NeedMore;
  return member_value(text.substr(1, key_end - 2), value);
}

ListPageReader::Step ListPageReader::member_value(std::string_view key, std::size_t value) {
  const std::string_view text = text_.text();
  if (key == "items" && text[value] == '[') {
    has_items_ = true;
    text_.consume(value + 1);
    at_ = At::Item;
    return Step::On;
  }
  const std::size_t end = wire::end_of_value(text, value);
  // A word may go on in the next piece.
  if (end == std::string_view::npos || end == text.size()) return Step::NeedMore;
  if (key == "metadata") metadata_ = text.substr(value, end - value);
  if (key == "items") has_items_ = true;  // null: Go's empty list
  text_.consume(end);
  at_ = At::AfterMember;
  return Step::On;
}

ListPageReader::Step ListPageReader::item(const OnItem& on_item) {
  const std::string_view text = text_.text();
  if (text[0] == ']') return separator(']', At::Item, At::AfterMember);
  if (text[0] != '{') return Step::Broken;
  const std::size_t end = wire::end_of_container(text, 0);
  if (end == std::string_view::npos) return Step::NeedMore;
  on_item(text.substr(0, end));
  text_.consume(end);
  at_ = At::AfterItem;
  return Step::On;
}

Result<ListMeta> ListPageReader::finish(const OnItem& on_item) {
  // A look may have been put off.
  if (auto scanned = scan(on_item); !scanned) return std::move(scanned).error();
  if (at_ != At::End) return not_a_list("it is cut off");
  if (!has_items_) return not_a_list("it has no items");
  simdjson::dom::parser parser;
  simdjson::dom::object metadata;
  if (parser.parse(metadata_).get(metadata) != simdjson::SUCCESS)
    return not_a_list("its metadata cannot be read");
  return ListMeta{text_in(metadata, "resourceVersion"), text_in(metadata, "continue")};
}

}  // namespace proxima::kube
