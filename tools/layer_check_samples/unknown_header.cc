// as: src/manifest/another_json.cc
// breaks: unknown-header
// ---
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
