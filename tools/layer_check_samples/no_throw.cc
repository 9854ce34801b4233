// as: src/manifest/thrower.cc
// breaks: no-throw
// ---
// SPDX-License-Identifier: Apache-2.0
void fail() { throw 1; }
