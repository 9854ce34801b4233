// SPDX-License-Identifier: Apache-2.0
// Which texts may be names, labels and ports. Each answers with what is wrong, in upstream's words;
// nothing when all is well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxima::apiserver::rules {

using Faults = std::vector<std::string>;

Faults dns_label_faults(std::string_view text);
Faults dns_subdomain_faults(std::string_view text);
// A label's key: an optional DNS prefix, a slash, a name.
Faults qualified_name_faults(std::string_view text);
Faults label_value_faults(std::string_view text);
// IANA's service names.
Faults port_name_faults(std::string_view text);
Faults port_number_faults(long long number);
Faults config_map_key_faults(std::string_view text);
// What cannot be a part of a path.
Faults path_segment_faults(std::string_view text);
Faults path_prefix_faults(std::string_view text);

// What generateName is checked as: a '-' at its end will be followed by more.
std::string without_trailing_dash(std::string_view text);
std::string joined(const Faults& faults, std::string_view separator);

}  // namespace proxima::apiserver::rules
