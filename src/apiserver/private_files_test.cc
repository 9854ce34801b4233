// SPDX-License-Identifier: Apache-2.0
// Names that can be guessed, in folders where others may write.
#include "apiserver/private_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "apiserver/data_directory.h"
#include "apiserver/revision_log.h"
#include "support/file_text.h"
#include "support/temp_folder.h"

namespace proxima::apiserver {
namespace {

namespace fs = std::filesystem;

class PrivateFilesTest : public ::testing::Test {
 protected:
  PrivateFilesTest() { std::ofstream(victim()) << "precious"; }
  std::string in(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string victim() const { return in("victim"); }
  void link(const std::string& name) const { fs::create_symlink(victim(), in(name)); }
  void expect_untouched() const { EXPECT_EQ(test::file_text(victim()), "precious"); }

  testing::TempFolder folder_;
};

TEST_F(PrivateFilesTest, WritesNoFileThroughALinkThatWasThereFirst) {
  link("kubeconfig.part");
  ASSERT_TRUE(write_private_file(in("kubeconfig"), "secret"));
  expect_untouched();
  EXPECT_EQ(test::file_text(in("kubeconfig")), "secret");
  EXPECT_FALSE(fs::is_symlink(in("kubeconfig")));
  struct stat status {};
  ASSERT_EQ(stat(in("kubeconfig").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(PrivateFilesTest, WritesNoBackupThroughALinkThatWasThereFirst) {
  auto store = std::move(Store::open({.path = in("proxima.db")})).value();
  link("copy.db.part");
  ASSERT_TRUE(store->backup(in("copy.db")));
  expect_untouched();
  fs::create_symlink(in("nowhere"), in("dangling.db"));
  EXPECT_FALSE(store->backup(in("dangling.db"))) << "a link is something that is there";
  EXPECT_FALSE(fs::exists(in("nowhere")));
}

TEST_F(PrivateFilesTest, TakesNoLockThroughALink) {
  link("proxima.db.lock");
  const auto store = Store::open({.path = in("proxima.db")});
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("proxima.db.lock: is a symbolic link"), std::string::npos)
      << store.error().message;
  expect_untouched();
  fs::create_directory(in("folder.lock"));
  EXPECT_FALSE(open_own_file(in("folder.lock")));
}

TEST_F(PrivateFilesTest, MakesFoldersForTheirOwnerAlone) {
  ASSERT_TRUE(make_private_folder(in("a/b")));
  for (const char* name : {"a", "a/b"}) {
    struct stat status {};
    ASSERT_EQ(stat(in(name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U) << name;
  }
}

TEST_F(PrivateFilesTest, RefusesAFolderOfAnotherUser) {
  fs::create_directory(in("theirs"));
  if (chown(in("theirs").c_str(), 12345, 12345) != 0) {
    // Only root can give a folder away; /proc/1 belongs to root, whom everybody trusts.
    EXPECT_TRUE(check_folder_owner("/proc/1"));
    return;
  }
  const auto refused = make_private_folder(in("theirs"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("theirs: belongs to another user (uid 12345)"),
            std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(DataDirectory::open(in("theirs")));
  fs::create_directory(in("theirs/own"));
  ASSERT_EQ(chown(in("theirs/own").c_str(), 12345, 12345), 0);
  EXPECT_TRUE(check_folder_owner(in("theirs/own"))) << "a home is its owner's all the way";
}

}  // namespace
}  // namespace proxima::apiserver
