// as: src/cli/lab_status.cc
// breaks: number-without-bounds
// ---
// SPDX-License-Identifier: Apache-2.0
int nothing() { return 0; }
