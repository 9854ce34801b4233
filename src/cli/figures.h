// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace proxima::cli {

// 0.5 → "50%", 0.333 → "33.3%". What is not quite nothing or everything never looks like it:
// "<0.1%", ">99.9%".
std::string percent_text(double share);
// 0.2 → "+20%", 0 → "0%".
std::string overload_text(double overload);
// A bound on overload: 0.2 → "20%", infinity → "inf".
std::string bound_text(double bound);

// Amounts of one column, all with as many decimals as the largest needs: "$1,204", "$12.50",
// "$0.0040".
std::vector<std::string> money_texts(const std::vector<double>& amounts);
std::string money_text(double amount);
// 1 → "1 GB", 0.25 → "0.25 GB", 12345.6 → "12,346 GB".
std::string gigabytes_text(double gigabytes);

// "1 zone", "3 zones".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace proxima::cli
