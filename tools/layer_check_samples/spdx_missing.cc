// as: src/base/bare.cc
// breaks: spdx
// ---
int bare() { return 0; }
