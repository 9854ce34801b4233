# SPDX-License-Identifier: Apache-2.0
"""A real Kubernetes cluster on one machine: real kubelets, containerd and Pods, without Docker and
without a registry. Every node has namespaces of its own. tools/cluster is the command."""
