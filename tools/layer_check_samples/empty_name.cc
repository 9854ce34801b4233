// as: src/base/string_utils.cc
// breaks: empty-name
// ---
// SPDX-License-Identifier: Apache-2.0
int nothing() { return 0; }
