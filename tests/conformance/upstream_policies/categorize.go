// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/proxy"
)

type categorizeQuestion struct {
	Name                 string               `json:"name"`
	Node                 string               `json:"node"`
	NodeZone             *string              `json:"nodeZone"`
	InternalPolicyLocal  bool                 `json:"internalTrafficPolicyLocal"`
	ExternalPolicyLocal  bool                 `json:"externalTrafficPolicyLocal"`
	ExternallyAccessible bool                 `json:"externallyAccessible"`
	Endpoints            []categorizeEndpoint `json:"endpoints"`
}

type categorizeEndpoint struct {
	Endpoint    string   `json:"endpoint"`
	Ready       *bool    `json:"ready"`
	Serving     *bool    `json:"serving"`
	Terminating *bool    `json:"terminating"`
	OnThisNode  bool     `json:"onThisNode"`
	ForZones    []string `json:"forZones"`
	ForNodes    []string `json:"forNodes"`
}

type categorizeAnswer struct {
	Name        string   `json:"name"`
	UsesCluster bool     `json:"usesClusterEndpoints"`
	UsesLocal   bool     `json:"usesLocalEndpoints"`
	Cluster     []string `json:"clusterEndpoints"`
	Local       []string `json:"localEndpoints"`
	Reachable   []string `json:"allReachableEndpoints"`
	HasAny      bool     `json:"hasAnyEndpoints"`
}

const (
	serviceName = "web"
	portName    = "http"
)

func answerCategorize(line []byte) (any, error) {
	var question categorizeQuestion
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	port := question.servicePort()
	endpoints, err := question.endpoints()
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	if question.NodeZone != nil {
		labels[v1.LabelTopologyZone] = *question.NodeZone
	}
	cluster, local, reachable, hasAny := proxy.CategorizeEndpoints(endpoints, port, question.Node, labels)
	return categorizeAnswer{
		Name:        question.Name,
		UsesCluster: port.UsesClusterEndpoints(),
		UsesLocal:   port.UsesLocalEndpoints(),
		Cluster:     texts(cluster),
		Local:       texts(local),
		Reachable:   texts(reachable),
		HasAny:      hasAny,
	}, nil
}

// servicePort goes through kube-proxy's own reading of a Service, so that the rules about which
// lists are used at all are upstream's too. A load balancer without node port and address is the
// one that has an external policy but cannot be reached from outside.
func (q *categorizeQuestion) servicePort() proxy.ServicePort {
	cluster, local := v1.ServiceInternalTrafficPolicyCluster, v1.ServiceInternalTrafficPolicyLocal
	service := &v1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: serviceName},
		Spec: v1.ServiceSpec{
			Type:                  v1.ServiceTypeLoadBalancer,
			ClusterIP:             "172.30.0.1",
			Ports:                 []v1.ServicePort{{Name: portName, Port: 80, Protocol: v1.ProtocolTCP}},
			InternalTrafficPolicy: &cluster,
			ExternalTrafficPolicy: v1.ServiceExternalTrafficPolicyCluster,
			HealthCheckNodePort:   30001,
		},
	}
	if q.InternalPolicyLocal {
		service.Spec.InternalTrafficPolicy = &local
	}
	if q.ExternalPolicyLocal {
		service.Spec.ExternalTrafficPolicy = v1.ServiceExternalTrafficPolicyLocal
	}
	if q.ExternallyAccessible {
		service.Spec.Ports[0].NodePort = 30080
	}
	tracker := proxy.NewServiceChangeTracker(v1.IPv4Protocol, nil, nil)
	tracker.Update(nil, service)
	ports := proxy.ServicePortMap{}
	ports.Update(tracker)
	for _, port := range ports {
		return port
	}
	panic("kube-proxy took no port from the Service")
}

// endpoints goes through kube-proxy's own reading of EndpointSlices: what a missing condition
// means, what is local, which endpoints count as one.
func (q *categorizeQuestion) endpoints() ([]proxy.Endpoint, error) {
	tracker := proxy.NewEndpointsChangeTracker(v1.IPv4Protocol, q.Node, nil, nil)
	byPort := map[int32]*discovery.EndpointSlice{}
	for _, e := range q.Endpoints {
		host, port, err := e.address()
		if err != nil {
			return nil, err
		}
		if byPort[port] == nil {
			byPort[port] = newSlice(port)
		}
		byPort[port].Endpoints = append(byPort[port].Endpoints, e.toObject(host, q.Node))
	}
	for _, slice := range byPort {
		tracker.EndpointSliceUpdate(slice, false)
	}
	all := proxy.EndpointsMap{}
	all.Update(tracker)
	for _, endpoints := range all {
		return endpoints, nil
	}
	return nil, nil
}

func (e categorizeEndpoint) address() (string, int32, error) {
	host, text, err := net.SplitHostPort(e.Endpoint)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return "", 0, fmt.Errorf("endpoint %s: %w", e.Endpoint, err)
	}
	return host, int32(port), nil
}

func newSlice(port int32) *discovery.EndpointSlice {
	name, protocol := portName, v1.ProtocolTCP
	return &discovery.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceDefault,
			Name:      fmt.Sprintf("web-%d", port),
			Labels:    map[string]string{discovery.LabelServiceName: serviceName},
		},
		AddressType: discovery.AddressTypeIPv4,
		Ports:       []discovery.EndpointPort{{Name: &name, Port: &port, Protocol: &protocol}},
	}
}

func (e categorizeEndpoint) toObject(host, node string) discovery.Endpoint {
	endpoint := discovery.Endpoint{
		Addresses:  []string{host},
		Conditions: discovery.EndpointConditions{Ready: e.Ready, Serving: e.Serving, Terminating: e.Terminating},
	}
	if e.OnThisNode {
		endpoint.NodeName = &node
	}
	if len(e.ForZones)+len(e.ForNodes) > 0 {
		endpoint.Hints = &discovery.EndpointHints{}
	}
	for _, zone := range e.ForZones {
		endpoint.Hints.ForZones = append(endpoint.Hints.ForZones, discovery.ForZone{Name: zone})
	}
	for _, name := range e.ForNodes {
		endpoint.Hints.ForNodes = append(endpoint.Hints.ForNodes, discovery.ForNode{Name: name})
	}
	return endpoint
}

// texts sorts, because upstream lists the union of two lists in the order of a hash map.
func texts(endpoints []proxy.Endpoint) []string {
	result := make([]string, 0, len(endpoints))
	for _, endpoint := range endpoints {
		result = append(result, endpoint.String())
	}
	slices.Sort(result)
	return result
}
