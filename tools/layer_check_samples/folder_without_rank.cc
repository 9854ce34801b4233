// as: src/pigeons/counter.cc
// breaks: folder
// ---
// SPDX-License-Identifier: Apache-2.0
int counter() { return 0; }
