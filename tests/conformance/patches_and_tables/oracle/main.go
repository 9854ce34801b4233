// SPDX-License-Identifier: Apache-2.0

// Answers the questions of patch_test.py with upstream's own code: a line in, a line out. Upstream
// walks hash maps, so that some questions have several answers: all that were seen are given.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// What the API server shows instead of errors that it keeps to itself.
const hidden = "the server rejected our request due to an error in our request"

// The API server's limit for copies.
const copiedBytesMax = 3 << 20

type question struct {
	Do         string              `json:"do"`
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"`
	Object     json.RawMessage     `json:"object"`
	Patch      json.RawMessage     `json:"patch"`
	Text       string              `json:"text"`
	Labels     []map[string]string `json:"labels"`
	Objects    []corev1.Pod        `json:"objects"`
	Runs       int                 `json:"runs"`
}

type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
	Panic  bool            `json:"panic,omitempty"`
}

func structFor(kind string) any {
	switch kind {
	case "Pod":
		return &corev1.Pod{}
	case "Service":
		return &corev1.Service{}
	case "Node":
		return &corev1.Node{}
	case "Namespace":
		return &corev1.Namespace{}
	case "ConfigMap":
		return &corev1.ConfigMap{}
	case "EndpointSlice":
		return &discoveryv1.EndpointSlice{}
	case "Lease":
		return &coordinationv1.Lease{}
	case "ServiceCIDR":
		return &networkingv1.ServiceCIDR{}
	}
	panic("unknown kind " + kind)
}

func strategic(q question) (any, error) {
	var object, patch map[string]any
	if err := kjson.Unmarshal(q.Object, &object); err != nil {
		return nil, err
	}
	if err := kjson.Unmarshal(q.Patch, &patch); err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergeMapPatch(object, patch, structFor(q.Kind))
	if errors.Is(err, mergepatch.ErrNoListOfLists) || errors.Is(err, mergepatch.ErrPatchContentNotMatchRetainKeys) {
		return nil, errors.New(hidden)
	}
	return merged, err
}

func jsonPatch(q question) (any, error) {
	patch, err := jsonpatch.DecodePatch(q.Patch)
	if err != nil {
		return nil, err
	}
	patched, err := patch.Apply(q.Object)
	return json.RawMessage(patched), err
}

func matchLabels(q question) (any, error) {
	selector, err := labels.Parse(q.Text)
	if err != nil {
		return nil, err
	}
	matches := []bool{}
	for _, set := range q.Labels {
		matches = append(matches, selector.Matches(labels.Set(set)))
	}
	return matches, nil
}

func podField(label, value string) (string, string, error) {
	switch label {
	case "metadata.name", "metadata.namespace", "spec.nodeName", "status.phase":
		return label, value, nil
	}
	return "", "", fmt.Errorf("field label not supported: %s", label)
}

func matchFields(q question) (any, error) {
	selector, err := fields.ParseAndTransformSelector(q.Text, podField)
	if err != nil {
		return nil, err
	}
	matches := []bool{}
	for _, pod := range q.Objects {
		matches = append(matches, selector.Matches(fields.Set{
			"metadata.name":      pod.Name,
			"metadata.namespace": pod.Namespace,
			"spec.nodeName":      pod.Spec.NodeName,
			"status.phase":       string(pod.Status.Phase),
		}))
	}
	return matches, nil
}

func ask(q question) (any, error) {
	switch q.Do {
	case "strategic-patch":
		return strategic(q)
	case "json-patch":
		return jsonPatch(q)
	case "merge-patch":
		patched, err := jsonpatch.MergePatch(q.Object, q.Patch)
		return json.RawMessage(patched), err
	case "labels":
		return matchLabels(q)
	case "fields":
		return matchFields(q)
	}
	return nil, fmt.Errorf("no such question")
}

func once(q question) (out answer) {
	defer func() {
		if recover() != nil {
			out = answer{Panic: true}
		}
	}()
	result, err := ask(q)
	if err != nil {
		return answer{Error: err.Error()}
	}
	text, err := json.Marshal(result)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Result: text}
}

func all(q question) []answer {
	seen := map[string]bool{}
	answers := []answer{}
	for range max(q.Runs, 1) {
		one := once(q)
		text, _ := json.Marshal(one)
		if !seen[string(text)] {
			seen[string(text)] = true
			answers = append(answers, one)
		}
	}
	return answers
}

func main() {
	jsonpatch.AccumulatedCopySizeLimit = copiedBytesMax
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Encode(all(q)); err != nil {
			os.Exit(1)
		}
	}
}
