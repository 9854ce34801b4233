// SPDX-License-Identifier: Apache-2.0

package hints

import (
	"slices"
	"strings"

	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"
)

// Answer has the shape of one accepted outcome of the recorded cases.
type Answer struct {
	HintsSet              bool           `json:"hintsSet"`
	EventReason           string         `json:"eventReason"`
	EventMessage          string         `json:"eventMessage"`
	EndpointsHintedToZone map[string]int `json:"endpointsHintedToZone,omitempty"`
	EndpointsHintedAway   int            `json:"endpointsHintedAway"`
	SlicesWritten         []string       `json:"slicesWritten"`
}

// Ask runs upstream once. Its order of hash maps differs from run to run, so equal questions may
// get different answers.
func (q *Question) Ask() (Answer, error) {
	logger := klog.New(nil) // upstream narrates every refusal; nobody reads it here
	cache, err := q.NewCache(logger)
	if err != nil {
		return Answer{}, err
	}
	info, err := q.SliceInfo()
	if err != nil {
		return Answer{}, err
	}
	created, updated, events := cache.AddHints(logger, info)
	answer := Answer{HintsSet: cache.HasPopulatedHints(info.ServiceKey), SlicesWritten: []string{}}
	for _, event := range events {
		answer.EventReason = event.Reason
		answer.EventMessage = strings.TrimSuffix(event.Message, ", addressType: IPv4")
	}
	answer.note(created, true)
	answer.note(updated, true)
	answer.note(info.Unchanged, false)
	slices.Sort(answer.SlicesWritten)
	return answer, nil
}

func (a *Answer) note(parts []*discovery.EndpointSlice, written bool) {
	for _, slice := range parts {
		if written {
			a.SlicesWritten = append(a.SlicesWritten, slice.Name)
		}
		for _, endpoint := range slice.Endpoints {
			if topologycache.EndpointReady(endpoint) && endpoint.Hints != nil {
				a.count(endpoint)
			}
		}
	}
}

func (a *Answer) count(endpoint discovery.Endpoint) {
	away := len(endpoint.Hints.ForZones) > 0
	for _, hint := range endpoint.Hints.ForZones {
		if a.EndpointsHintedToZone == nil {
			a.EndpointsHintedToZone = map[string]int{}
		}
		a.EndpointsHintedToZone[hint.Name]++
		if endpoint.Zone != nil && hint.Name == *endpoint.Zone {
			away = false
		}
	}
	if away {
		a.EndpointsHintedAway++
	}
}
