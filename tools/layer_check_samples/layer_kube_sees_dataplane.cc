// as: src/kube/sideways.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "dataplane/dataplane.h"
