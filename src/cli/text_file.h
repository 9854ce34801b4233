// SPDX-License-Identifier: Apache-2.0
// Small files as text. A file that is being replaced is complete at every moment.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::cli {

// At most 64 MB; the error names the file.
Result<std::string> read_text_file(const std::string& path);
// Written beside it first, then renamed, so that an interruption leaves the old file or none.
Status write_text_file(const std::string& path, std::string_view text);
// A file that is not there yet, for its owner alone. An error when something is there, whatever it
// is; a file that could not be written whole is removed.
Status write_new_file(const std::string& path, std::string_view bytes);

}  // namespace proxima::cli
