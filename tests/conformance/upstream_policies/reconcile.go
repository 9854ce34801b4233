// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	endpointsliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"
)

const controllerName = "endpointslice-controller.k8s.io"

// reconcileQuestion holds Kubernetes objects as they are: the caches of the controller at one
// moment. Runs says how often upstream is asked, because it follows the order of hash maps.
type reconcileQuestion struct {
	Service v1.Service                 `json:"service"`
	Pods    []*v1.Pod                  `json:"pods"`
	Nodes   []*v1.Node                 `json:"nodes"`
	Slices  []*discovery.EndpointSlice `json:"slices"`
	Most    int32                      `json:"maxEndpointsPerSlice"`
	Runs    int                        `json:"runs"`
}

// reconcileAnswer is what was asked of the API server, and what it has afterwards.
type reconcileAnswer struct {
	Creates  int                        `json:"creates"`
	Updates  int                        `json:"updates"`
	Deletes  int                        `json:"deletes"`
	Problems []string                   `json:"problems"`
	Slices   []*discovery.EndpointSlice `json:"slices"`
}

type reconcileAnswers struct {
	Answers []reconcileAnswer `json:"answers"`
}

func answerReconcile(line []byte) (any, error) {
	var runs struct {
		Runs int `json:"runs"`
	}
	if err := json.Unmarshal(line, &runs); err != nil {
		return nil, err
	}
	var result reconcileAnswers
	for range max(runs.Runs, 1) {
		// Read anew each time: the code that is asked sorts what it is given.
		var question reconcileQuestion
		if err := json.Unmarshal(line, &question); err != nil {
			return nil, err
		}
		answer, err := question.reconcile()
		if err != nil {
			return nil, err
		}
		result.Answers = append(result.Answers, answer)
	}
	return result, nil
}

// apiServer is the little of one that the reconciler needs: it takes every write.
type apiServer struct {
	slices map[string]*discovery.EndpointSlice
	answer reconcileAnswer
}

func (s *apiServer) react(action clienttesting.Action) (bool, runtime.Object, error) {
	switch act := action.(type) {
	case clienttesting.UpdateActionImpl:
		slice := act.Object.(*discovery.EndpointSlice)
		if s.slices[slice.Name] == nil {
			return true, nil, fmt.Errorf("no slice %q to update", slice.Name)
		}
		s.answer.Updates++
		s.slices[slice.Name] = slice
		return true, slice, nil
	case clienttesting.CreateActionImpl:
		slice := act.Object.(*discovery.EndpointSlice)
		slice.Name = fmt.Sprintf("%supstream-%d", slice.GenerateName, s.answer.Creates)
		for s.slices[slice.Name] != nil {
			slice.Name += "x"
		}
		s.answer.Creates++
		s.slices[slice.Name] = slice
		return true, slice, nil
	case clienttesting.DeleteActionImpl:
		if s.slices[act.Name] == nil {
			return true, nil, fmt.Errorf("no slice %q to delete", act.Name)
		}
		s.answer.Deletes++
		delete(s.slices, act.Name)
		return true, nil, nil
	}
	return true, nil, fmt.Errorf("unexpected %s", action.GetVerb())
}

func (q *reconcileQuestion) reconcile() (reconcileAnswer, error) {
	server := apiServer{slices: map[string]*discovery.EndpointSlice{}}
	for _, slice := range q.Slices {
		slice.TypeMeta = metav1.TypeMeta{} // as a cache has it
		server.slices[slice.Name] = slice
	}
	client := &fake.Clientset{}
	client.AddReactor("*", "endpointslices", server.react)
	nodes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, node := range q.Nodes {
		if err := nodes.Add(node); err != nil {
			return reconcileAnswer{}, err
		}
	}
	reconciler := endpointslice.NewReconciler(client, corelisters.NewNodeLister(nodes), q.Most,
		endpointsliceutil.NewEndpointSliceTracker(), nil, &record.FakeRecorder{}, controllerName)
	err := reconciler.Reconcile(klog.Logger{}, &q.Service, q.Pods, q.Slices, time.Time{})
	answer := server.answer
	answer.Problems = problems(err)
	for _, slice := range server.slices {
		answer.Slices = append(answer.Slices, slice)
	}
	slices.SortFunc(answer.Slices, func(a, b *discovery.EndpointSlice) int {
		return cmp.Compare(a.Name, b.Name)
	})
	return answer, nil
}

// problems are the sentences about Pods; anything else the question was not made for.
func problems(err error) []string {
	found := []string{}
	var all utilerrors.Aggregate
	if errors.As(err, &all) {
		for _, one := range utilerrors.Flatten(all).Errors() {
			found = append(found, one.Error())
		}
	} else if err != nil {
		found = append(found, err.Error())
	}
	slices.Sort(found)
	return slices.CompactFunc(found, strings.EqualFold)
}
