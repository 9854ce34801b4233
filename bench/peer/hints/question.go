// SPDX-License-Identifier: Apache-2.0

// Package hints puts a question of the `hints` format to upstream's topology cache.
package hints

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"
)

// Question is one line of the `hints` format, without recorded answers.
type Question struct {
	Name   string  `json:"name"`
	Nodes  []Node  `json:"nodes"`
	Slices []Slice `json:"slices"`
}

// Node has no zone or CPU where the text is absent or empty.
type Node struct {
	Name           string `json:"name"`
	Zone           string `json:"zone"`
	AllocatableCPU string `json:"allocatableCpu"`
	Ready          bool   `json:"ready"`
	ControlPlane   bool   `json:"controlPlane"`
}

// Slice is written anyway when its state is `create` or `update`.
type Slice struct {
	Name      string     `json:"name"`
	State     string     `json:"state"`
	Endpoints []Endpoint `json:"endpoints"`
}

// Endpoint has the hints of an earlier run, if any.
type Endpoint struct {
	Address  string   `json:"address"`
	Zone     *string  `json:"zone"`
	Ready    *bool    `json:"ready"`
	ForZones []string `json:"forZones"`
	ForNodes []string `json:"forNodes"`
}

// NewCache is a topology cache that has seen the nodes of the question and nothing else.
func (q *Question) NewCache(logger klog.Logger) (*topologycache.TopologyCache, error) {
	nodes := make([]*v1.Node, 0, len(q.Nodes))
	for _, n := range q.Nodes {
		node, err := n.toObject()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	cache := topologycache.NewTopologyCache()
	cache.SetNodes(logger, nodes)
	return cache, nil
}

// SliceInfo is a fresh copy each time, because AddHints edits what it is given.
func (q *Question) SliceInfo() (*topologycache.SliceInfo, error) {
	info := &topologycache.SliceInfo{ServiceKey: "default/web", AddressType: discovery.AddressTypeIPv4}
	for _, s := range q.Slices {
		slice := s.toObject()
		switch s.State {
		case "create":
			info.ToCreate = append(info.ToCreate, slice)
		case "update":
			info.ToUpdate = append(info.ToUpdate, slice)
		case "unchanged":
			info.Unchanged = append(info.Unchanged, slice)
		default:
			return nil, fmt.Errorf("slice %s: unknown state %q", s.Name, s.State)
		}
	}
	return info, nil
}

func (n Node) toObject() (*v1.Node, error) {
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: map[string]string{}}}
	if n.Zone != "" {
		node.Labels[v1.LabelTopologyZone] = n.Zone
	}
	if n.ControlPlane {
		node.Labels["node-role.kubernetes.io/control-plane"] = ""
	}
	if n.AllocatableCPU != "" {
		cpu, err := resource.ParseQuantity(n.AllocatableCPU)
		if err != nil {
			return nil, fmt.Errorf("node %s: allocatableCpu: %w", n.Name, err)
		}
		node.Status.Allocatable = v1.ResourceList{v1.ResourceCPU: cpu}
	}
	ready := v1.ConditionFalse
	if n.Ready {
		ready = v1.ConditionTrue
	}
	node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: ready}}
	return node, nil
}

func (s Slice) toObject() *discovery.EndpointSlice {
	slice := &discovery.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: s.Name},
		AddressType: discovery.AddressTypeIPv4,
		Endpoints:   make([]discovery.Endpoint, 0, len(s.Endpoints)),
	}
	for _, e := range s.Endpoints {
		slice.Endpoints = append(slice.Endpoints, discovery.Endpoint{
			Addresses:  []string{e.Address},
			Zone:       e.Zone,
			Conditions: discovery.EndpointConditions{Ready: e.Ready},
			Hints:      e.hints(),
		})
	}
	return slice
}

func (e Endpoint) hints() *discovery.EndpointHints {
	if len(e.ForZones)+len(e.ForNodes) == 0 {
		return nil
	}
	hints := &discovery.EndpointHints{}
	for _, zone := range e.ForZones {
		hints.ForZones = append(hints.ForZones, discovery.ForZone{Name: zone})
	}
	for _, node := range e.ForNodes {
		hints.ForNodes = append(hints.ForNodes, discovery.ForNode{Name: node})
	}
	return hints
}
