// SPDX-License-Identifier: Apache-2.0

//go:build tools

// Package peers names the older Kubernetes programs that tests run beside ours, so that go.mod pins
// them.
package peers

import (
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-proxy"
)
