// SPDX-License-Identifier: Apache-2.0

//go:build tools

// Package etcd names the programs that tools/peers/build builds from this module.
package etcd

import _ "go.etcd.io/etcd/server/v3"
