// SPDX-License-Identifier: Apache-2.0
// The rights that a lab needs: to make network namespaces and to be their root.
#pragma once

#include <string>

namespace proxima::lab {

enum class Rights {
  Root,           // the caller's own
  UserNamespace,  // root of a user namespace that the process has entered
  None,
};

struct LabRights {
  Rights rights = Rights::None;
  std::string why_not;  // for None: sentences that say what was refused and what helps
};

// To be called before the process has a second thread: entering a user namespace is refused later.
// In a user namespace the caller's files stay the caller's, and so does the host's network; only
// what the process makes belongs to its root. The process may then open as many files as the
// system lets it. With None nothing has changed.
LabRights take_lab_rights();

}  // namespace proxima::lab
