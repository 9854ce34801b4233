// as: src/base/upward.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "core/model/snapshot.h"
