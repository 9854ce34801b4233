// SPDX-License-Identifier: Apache-2.0
#include "kube/credentials.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace proxima::kube {
namespace {

using std::chrono::seconds;
using testing::FakeClock;
using testing::TempFolder;

struct CredentialWorld {
  std::unique_ptr<CredentialSource> source(const UserEntry& user) {
    Connection connection;
    connection.user = user;
    return make_credential_source(connection, {}, clock);
  }
  std::string authorization(CredentialSource& from) {
    const auto credentials = from.current({});
    return credentials ? credentials->authorization : "error: " + credentials.error().message;
  }
  FakeClock clock;
  TempFolder folder;
};

TEST(Credentials, ComeFromTokenOrUserAndPassword) {
  CredentialWorld world;
  EXPECT_EQ(world.authorization(*world.source({})), "");
  EXPECT_EQ(world.authorization(*world.source({.token = "t"})), "Bearer t");
  EXPECT_EQ(world.authorization(*world.source({.username = "admin", .password = "s3cret"})),
            "Basic YWRtaW46czNjcmV0");
}

TEST(Credentials, ATokenFileIsReadAgainAfterAWhile) {
  CredentialWorld world;
  const std::string path = world.folder.write("token", " one\n");
  const auto source = world.source({.token_file = path});
  EXPECT_EQ(world.authorization(*source), "Bearer one");
  world.folder.write("token", "two");
  EXPECT_EQ(world.authorization(*source), "Bearer one");
  world.clock.advance(seconds(61));
  EXPECT_EQ(world.authorization(*source), "Bearer two");
}

TEST(Credentials, ATokenFileIsReadAtOnceAfterARefusal) {
  CredentialWorld world;
  const auto source = world.source({.token_file = world.folder.write("token", "one")});
  const auto first = source->current({});
  ASSERT_TRUE(first);
  world.folder.write("token", "two");
  source->refuse(*first);
  EXPECT_EQ(world.authorization(*source), "Bearer two");
}

TEST(Credentials, ATokenFileThatIsGoneForAMomentKeepsItsToken) {
  CredentialWorld world;
  const std::string path = world.folder.write("token", "one");
  const auto source = world.source({.token_file = path});
  EXPECT_EQ(world.authorization(*source), "Bearer one");
  std::filesystem::remove(path);
  world.clock.advance(seconds(61));
  EXPECT_EQ(world.authorization(*source), "Bearer one");
}

TEST(Credentials, TheTokenCountsUntilItsFileCanBeRead) {
  CredentialWorld world;
  const auto source = world.source({.token = "t", .token_file = world.folder.file("token")});
  EXPECT_EQ(world.authorization(*source), "Bearer t");
  world.folder.write("token", "from file");
  EXPECT_EQ(world.authorization(*source), "Bearer from file");
}

TEST(Credentials, ErrorsNameTheFileAndNotItsContent) {
  CredentialWorld world;
  const std::string empty = world.folder.write("empty", "\n");
  EXPECT_EQ(world.authorization(*world.source({.token_file = empty})),
            "error: credentials: " + empty + ": holds no token");
  const std::string lines = world.folder.write("lines", "s3cret\nX-Evil: 1");
  EXPECT_EQ(world.authorization(*world.source({.token_file = lines})),
            "error: credentials: token: has several lines");
  EXPECT_EQ(world.authorization(*world.source({.token_file = "/nowhere"})),
            "error: credentials: tokenFile: /nowhere: No such file or directory");
}

TEST(Credentials, CertificatesAreReadFromFilesAndRotate) {
  CredentialWorld world;
  const auto source =
      world.source({.certificate_file = world.folder.write("crt", "C1"), .key_pem = "K"});
  EXPECT_EQ(*source->current({}), (Credentials{"", "C1", "K"}));
  world.folder.write("crt", "C2");
  world.clock.advance(seconds(61));
  EXPECT_EQ(*source->current({}), (Credentials{"", "C2", "K"}));
}

}  // namespace
}  // namespace proxima::kube
