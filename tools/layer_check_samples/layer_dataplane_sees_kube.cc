// as: src/dataplane/nftables/sideways.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "kube/list_watch.h"
