// SPDX-License-Identifier: Apache-2.0
// The part of a sysdump that controller and node proxies tell about themselves.
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/options.h"
#include "sysdump/sysdump_archive.h"

namespace proxima::cli {

// A component that was named and does not answer is a warning; one that is not on this machine is
// only noted. What answers there and is not Proxima is left alone. Whether a node proxy of this
// machine answered.
bool collect_pages(const SysdumpCommand& command, sysdump::SysdumpArchive& archive,
                   Console& console);

// "fd00::5" → "proxy-fd00--5": a folder for the pages of a node proxy.
std::string node_folder(const std::string& address);
// "/readyz?verbose" → "readyz.txt".
std::string page_file(std::string_view target);

}  // namespace proxima::cli
