// SPDX-License-Identifier: Apache-2.0
// Rights are taken in children, because taking them changes a process for good.
#include "lab/user_namespace.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>

#include "lab/lab_network.h"
#include "support/lab_probes.h"
#include "support/temp_folder.h"

namespace proxima::lab {
namespace {

constexpr unsigned kNobody = 65534;

// What `work` says, in a child of its own.
std::string in_a_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string said = work();
    [[maybe_unused]] const ssize_t size = write(ends[1], said.data(), said.size());
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> buffer{};
  for (ssize_t size = 0; (size = read(ends[0], buffer.data(), buffer.size())) > 0;)
    said.append(buffer.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return said;
}

// As a user without any rights; who is one already stays who he is.
bool become_nobody() {
  if (geteuid() != 0) return true;
  // A process that changed its user may not look at itself in /proc before it executes something.
  return setgroups(0, nullptr) == 0 && setresgid(kNobody, kNobody, kNobody) == 0 &&
         setresuid(kNobody, kNobody, kNobody) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0;
}

std::string told(const LabRights& taken) {
  switch (taken.rights) {
    case Rights::Root:
      return "root";
    case Rights::UserNamespace:
      return "user namespace";
    case Rights::None:
      return "none: " + taken.why_not;
  }
  return "?";
}

bool not_shown(const std::string& said) {
  if (!said.starts_with("none: ")) return false;
  std::printf("not shown: %s\n", said.c_str());
  return true;
}

TEST(TakeLabRights, RootHasThem) {
  if (geteuid() != 0) {
    std::printf("not shown: this test does not run as root\n");
    return;
  }
  const std::string said = in_a_child([] { return told(take_lab_rights()); });
  if (not_shown(said)) return;
  EXPECT_EQ(said, "root");
}

TEST(TakeLabRights, AUserBecomesRootOfAUserNamespaceAndHasALab) {
  const proxima::testing::TempFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  const std::string file = folder.path() + "/made";
  const std::string said = in_a_child([&]() -> std::string {
    if (!become_nobody()) return "could not become nobody";
    const LabRights taken = take_lab_rights();
    if (taken.rights != Rights::UserNamespace) return told(taken);
    std::ofstream(file) << "text";
    auto network = LabNetwork::create();
    if (!network) return network.error().message;
    for (const std::string node : {"node-1", "node-2"})
      if (!network->add_node(node) || !network->add_pod(node, node + "/pod")) return "no " + node;
    const auto from = network->host("node-1/pod");
    const auto to = network->host("node-2/pod");
    const auto v6 = IpAddress::parse("fd00:10:180:2::10").value();
    if (!test::datagrams_pass(**from, **to, v6)) return "nothing passes";
    return "user namespace, uid " + std::to_string(getuid());
  });
  if (not_shown(said)) return;
  EXPECT_EQ(said, "user namespace, uid 0");
  struct stat made {};
  ASSERT_EQ(stat(file.c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, geteuid() == 0 ? kNobody : geteuid()) << "files stay the caller's";
}

// A user namespace can forbid others inside it, as a system can.
bool forbid_namespaces() {
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER) != 0) return false;
  const auto put = [](const char* at, const std::string& text) {
    std::ofstream out(at);
    out << text << std::flush;
    return out.good();
  };
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", "0 " + user + " 1") &&
         put("/proc/self/gid_map", "0 " + group + " 1") &&
         put("/proc/sys/user/max_user_namespaces", "0") &&
         put("/proc/sys/user/max_net_namespaces", "0");
}

TEST(TakeLabRights, WhereTheyAreRefusedItSaysWhyAndWhatHelps) {
  const std::string said = in_a_child([]() -> std::string {
    if (!become_nobody()) return "could not become nobody";
    if (!forbid_namespaces()) return "none: there are no user namespaces to forbid others in";
    const std::string before = std::to_string(getuid());
    const LabRights taken = take_lab_rights();
    if (std::to_string(getuid()) != before) return "it changed the process";
    return told(taken);
  });
  ASSERT_TRUE(said.starts_with("none: ")) << said;
  if (said.find("there are no user namespaces") != std::string::npos) {
    not_shown(said);
    return;
  }
  EXPECT_NE(said.find("make a user namespace: No space left on device"), std::string::npos) << said;
  EXPECT_NE(said.find("sysctl -w user.max_user_namespaces=10000"), std::string::npos) << said;
}

}  // namespace
}  // namespace proxima::lab
