// as: src/cli/lazy.cc
// breaks: no-using-namespace-std
// ---
// SPDX-License-Identifier: Apache-2.0
using namespace std;
