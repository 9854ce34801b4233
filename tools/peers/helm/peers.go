// SPDX-License-Identifier: Apache-2.0

//go:build tools

// Package helm names the programs that tools/peers/build builds from this module.
package helm

import _ "helm.sh/helm/v3/cmd/helm"
