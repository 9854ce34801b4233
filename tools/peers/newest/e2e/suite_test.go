// SPDX-License-Identifier: Apache-2.0

// Package e2e is the part of Kubernetes' own e2e suite that is about the network: the specs of upstream's
// package, unchanged, without those of storage, cloud providers and the rest, which take far longer to
// build.
package e2e

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-base/logs"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"
	e2enode "k8s.io/kubernetes/test/e2e/framework/node"
	e2epod "k8s.io/kubernetes/test/e2e/framework/pod"
	"k8s.io/kubernetes/test/e2e/framework/testfiles"
	manifests "k8s.io/kubernetes/test/e2e/testing-manifests"

	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/network"
)

const nodesSchedulableWithin = 5 * time.Minute

func TestMain(m *testing.M) {
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	testfiles.AddFileSource(manifests.GetE2ETestingManifestsFS())
	framework.AfterReadingAllFlags(&framework.TestContext)
	os.Exit(m.Run())
}

func TestNetwork(t *testing.T) {
	logs.InitLogs()
	defer logs.FlushLogs()
	klog.EnableContextualLogging(true)
	gomega.RegisterFailHandler(framework.Fail)
	suite, reporter := framework.CreateGinkgoConfig()
	ginkgo.RunSpecs(t, "Kubernetes e2e suite, network", suite, reporter)
}

// The first process waits for the cluster. The IP family is asked for by each, as specs read it.
var _ = ginkgo.SynchronizedBeforeSuite(func(ctx context.Context) {
	client, err := framework.LoadClientset()
	framework.ExpectNoError(err, "load the kubeconfig")
	framework.ExpectNoError(e2enode.WaitForAllNodesSchedulable(ctx, client, nodesSchedulableWithin))
	timeouts := framework.NewTimeoutContext()
	framework.ExpectNoError(e2epod.WaitForAlmostAllPodsReady(ctx, client, metav1.NamespaceSystem,
		framework.TestContext.MinStartupPods, framework.TestContext.AllowedNotReadyNodes,
		timeouts.SystemPodsStartup))
}, func(ctx context.Context) {
	client, err := framework.LoadClientset()
	framework.ExpectNoError(err, "load the kubeconfig")
	nodes, err := e2enode.GetReadySchedulableNodes(ctx, client)
	framework.ExpectNoError(err, "list nodes")
	framework.TestContext.CloudConfig.NumNodes = len(nodes.Items)
	service, err := client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	framework.ExpectNoError(err, "get the Service kubernetes")
	framework.TestContext.IPFamily = "ipv4"
	if len(service.Spec.IPFamilies) > 0 && service.Spec.IPFamilies[0] == "IPv6" {
		framework.TestContext.IPFamily = "ipv6"
	}
})
