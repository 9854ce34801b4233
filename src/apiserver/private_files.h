// SPDX-License-Identifier: Apache-2.0
// Files and folders of one user, in places where others may write as well: names can be guessed, so
// somebody else may have put a symbolic link or a folder of his own there first.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace proxima::apiserver {

// A new, empty file for its owner alone. What stood there, which may be a link, is removed first
// and never written to.
Result<Descriptor> create_private_file(const std::string& path);
// For reading and writing; made when missing. Refused: a link, or anything but a plain file.
Result<Descriptor> open_own_file(const std::string& path);

// Made when missing, with all folders above it, for its owner alone.
Status make_private_folder(const std::string& path);
// Fails if the folder belongs to another user. Root and the owner of the parent folder are allowed.
Status check_folder_owner(const std::string& path);

}  // namespace proxima::apiserver
