// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace proxima::dataplane {
namespace {

struct ErrorRow {
  int number;
  ErrorCode code;
  const char* message;
};

constexpr ErrorRow kErrors[] = {
    {EPERM, ErrorCode::Denied,
     "Operation not permitted (CAP_NET_ADMIN is needed in this network namespace)"},
    {EACCES, ErrorCode::Denied,
     "Permission denied (CAP_NET_ADMIN is needed in this network namespace)"},
    {EBUSY, ErrorCode::Retry, "Device or resource busy"},
    {EAGAIN, ErrorCode::Retry, "Resource temporarily unavailable"},
    {ENOBUFS, ErrorCode::Retry, "No buffer space available"},
    {ENOMEM, ErrorCode::Retry, "Cannot allocate memory"},
    {ERESTART, ErrorCode::Retry,
     "Interrupted system call should be restarted (the rules were changed by somebody else "
     "meanwhile)"},
    {ENOENT, ErrorCode::NotFound, "No such file or directory"},
    {EEXIST, ErrorCode::Conflict, "File exists"},
    {EOPNOTSUPP, ErrorCode::Unsupported,
     "Operation not supported (the kernel lacks nf_tables or this part of it)"},
    {EINVAL, ErrorCode::InvalidInput, "Invalid argument"},
};

TEST(NftError, TheCodeSaysWhatToDoNext) {
  for (const ErrorRow& row : kErrors) {
    const Error error = kernel_error(row.number);
    EXPECT_EQ(error.message, row.message);
    EXPECT_EQ(error.code, row.code) << row.message;
  }
}

TEST(NftError, TheKernelsOwnWordsComeLast) {
  EXPECT_EQ(kernel_error(EINVAL, "size too large").message, "Invalid argument: size too large");
}

TEST(NftError, AnAnswerToNoMessageIsAboutTheWhole) {
  const NftTransaction transaction{
      .family = IpFamily::V6, .table = "t", .operations = {NftAddTable{}}};
  const NftBatch batch = encode_transaction(transaction);
  for (const std::uint32_t sequence : {0U, 2U, 4711U}) {
    const NftRefusal refusal{.sequence = sequence, .number = EBUSY};
    EXPECT_EQ(transaction_error(transaction, batch, {refusal}).message,
              "table ip6 t: commit: Device or resource busy");
  }
}

TEST(NftError, EveryOperationIsNamed) {
  const NftTransaction transaction{
      .table = "t",
      .operations = {NftAddTable{}, NftDeleteTable{}, NftAddChain{"c", {}}, NftFlushChain{"c"},
                     NftDeleteChain{"c"}, NftAddRule{"c", {}}, NftAddRule{"c", {.comment = "why"}},
                     NftAddSet{{.name = "s", .key = {NftType::Address}}}, NftDeleteSet{"s"},
                     NftFlushSet{"s"}, NftAddElements{"s", {{"key"}}},
                     NftDeleteElements{"s", {{"key"}}}}};
  constexpr const char* kNames[] = {
      "add table",      "delete table",  "add chain c",         "flush chain c",
      "delete chain c", "add rule to c", "add rule to c (why)", "add set s",
      "delete set s",   "flush set s",   "add elements to s",   "delete elements of s"};
  const NftBatch batch = encode_transaction(transaction);
  ASSERT_EQ(batch.messages.size(), std::size(kNames));
  for (std::uint32_t i = 0; i < std::size(kNames); ++i) {
    const Error error =
        transaction_error(transaction, batch, {{.sequence = i + 1, .number = EINVAL}});
    EXPECT_EQ(error.message, "table ip t: " + std::string(kNames[i]) + ": Invalid argument");
  }
}

}  // namespace
}  // namespace proxima::dataplane
