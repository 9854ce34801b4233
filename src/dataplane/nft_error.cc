// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_error.h"

#include <cerrno>
#include <system_error>
#include <variant>

#include "base/check.h"

namespace proxima::dataplane {
namespace {

constexpr int kRestart = 85;  // ERESTART, which <cerrno> does not promise

ErrorCode code_of(int number) {
  switch (number) {
    case EPERM:
    case EACCES:
      return ErrorCode::Denied;
    case EBUSY:
    case EAGAIN:
    case EINTR:
    case ENOBUFS:
    case ENOMEM:
    case kRestart:
      return ErrorCode::Retry;
    case ENOENT:
      return ErrorCode::NotFound;
    case EEXIST:
      return ErrorCode::Conflict;
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
    case EAFNOSUPPORT:
      return ErrorCode::Unsupported;
    default:
      return ErrorCode::InvalidInput;
  }
}

std::string_view hint_of(int number) {
  switch (number) {
    case EPERM:
    case EACCES:
      return " (CAP_NET_ADMIN is needed in this network namespace)";
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
      return " (the kernel lacks nf_tables or this part of it)";
    case kRestart:
      return " (the rules were changed by somebody else meanwhile)";
    default:
      return {};
  }
}

// Keys in registers, so that eight digits are one part of an address, a protocol or a port.
std::string register_digits(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i != 0 && i % 4 == 0) text += ' ';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

struct OperationName {
  std::string operator()(const NftAddTable&) const { return "add table"; }
  std::string operator()(const NftDeleteTable&) const { return "delete table"; }
  std::string operator()(const NftAddChain& chain) const { return "add chain " + chain.name; }
  std::string operator()(const NftFlushChain& chain) const { return "flush chain " + chain.name; }
  std::string operator()(const NftDeleteChain& chain) const { return "delete chain " + chain.name; }
  std::string operator()(const NftAddRule& rule) const {
    const std::string& comment = rule.rule.comment;
    return "add rule to " + rule.chain + (comment.empty() ? "" : " (" + comment + ")");
  }
  std::string operator()(const NftDeleteRule& rule) const { return "delete rule of " + rule.chain; }
  std::string operator()(const NftAddSet& add) const { return "add set " + add.set.name; }
  std::string operator()(const NftDeleteSet& set) const { return "delete set " + set.name; }
  std::string operator()(const NftFlushSet& set) const { return "flush set " + set.name; }
  std::string operator()(const NftAddElements& add) const { return "add elements to " + add.set; }
  std::string operator()(const NftDeleteElements& remove) const {
    return "delete elements of " + remove.set;
  }
};

const std::vector<NftElement>* elements_of(const NftOperation& operation) {
  if (const auto* add = std::get_if<NftAddElements>(&operation)) return &add->elements;
  if (const auto* remove = std::get_if<NftDeleteElements>(&operation)) return &remove->elements;
  return nullptr;
}

std::string place_of(const NftTransaction& transaction, const NftBatch& batch,
                     const NftRefusal& refusal) {
  const std::size_t index = refusal.sequence - std::size_t{1};
  if (refusal.sequence == kBatchBegin || index >= batch.messages.size()) return "commit";
  const NftBatch::Message& message = batch.messages[index];
  const NftOperation& operation = transaction.operations[message.operation];
  std::string place = std::visit(OperationName(), operation);
  const std::vector<NftElement>* elements = elements_of(operation);
  if (elements == nullptr || !refusal.offset) return place;
  const auto element = element_at(batch, message, *refusal.offset);
  if (!element || *element >= elements->size()) return place;
  return place + ": element " + register_digits((*elements)[*element].key);
}

}  // namespace

Error kernel_error(int number, std::string_view text) {
  std::string message = std::generic_category().message(number);
  message += hint_of(number);
  if (!text.empty()) message.append(": ").append(text);
  return {code_of(number), std::move(message)};
}

Error transaction_error(const NftTransaction& transaction, const NftBatch& batch,
                        const std::vector<NftRefusal>& refusals) {
  PROXIMA_CHECK(!refusals.empty());
  const NftRefusal& first = refusals.front();
  Error error = kernel_error(first.number, first.text).in(place_of(transaction, batch, first));
  if (refusals.size() > 1) {
    error.message += ", and " + std::to_string(refusals.size() - 1) + " more refusals";
  }
  const std::string_view family = transaction.family == IpFamily::V4 ? "ip " : "ip6 ";
  return std::move(error).in("table " + std::string(family) + transaction.table);
}

}  // namespace proxima::dataplane
