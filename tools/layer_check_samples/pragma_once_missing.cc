// as: src/base/unguarded.h
// breaks: pragma-once
// ---
// SPDX-License-Identifier: Apache-2.0
int unguarded();
