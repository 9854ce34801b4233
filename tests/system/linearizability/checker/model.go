// SPDX-License-Identifier: Apache-2.0

// What a correct server may answer: one copy of a few objects that operations change one at a time.
package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

const keyCount = 4

// entry is one object. A version of unknown says that it was written by a request whose answer was
// lost, so that its version is not known before somebody reads it.
type entry struct {
	There   bool
	Version int64
	Value   int
}

const unknown = -1

type state struct {
	Newest  int64 // version that was given last, as far as it is known
	Entries [keyCount]entry
}

type verb string

const (
	create verb = "create"
	update verb = "update"
	patch  verb = "patch"
	get    verb = "get"
	list   verb = "list"
	remove verb = "delete"
)

type input struct {
	Verb     verb
	Key      int
	Value    int
	Expected int64 // version that an update names; 0: none
}

type output struct {
	Lost    bool // the server was killed before it answered
	Status  int
	Version int64 // of the object, or of a list
	Value   int
	Entries [keyCount]entry // of a list
}

// takes says whether a version that was read can be that of an entry.
func (s state) takes(have entry, version int64) bool {
	if have.Version == unknown {
		return true
	}
	return have.Version == version
}

func (s state) with(key int, changed entry) state {
	s.Entries[key] = changed
	s.Newest = max(s.Newest, changed.Version)
	return s
}

// written is the state after a write that was acknowledged with a version, if it may have it.
func (s state) written(in input, version int64) []state {
	if version <= s.Newest {
		return nil
	}
	return []state{s.with(in.Key, entry{There: true, Version: version, Value: in.Value})}
}

func (s state) writes(in input) bool {
	have := s.Entries[in.Key]
	switch in.Verb {
	case create:
		return !have.There
	case update:
		return have.There && (in.Expected == 0 || s.takes(have, in.Expected))
	default:
		return have.There
	}
}

// lost are the states after a request whose answer nobody has seen.
func (s state) lost(in input) []state {
	out := []state{s}
	if in.Verb == get || in.Verb == list || !s.writes(in) {
		return out
	}
	if in.Verb == remove {
		return append(out, s.with(in.Key, entry{}))
	}
	return append(out, s.with(in.Key, entry{There: true, Version: unknown, Value: in.Value}))
}

func (s state) readEntry(key int, seen entry) []state {
	have := s.Entries[key]
	if have.There != seen.There {
		return nil
	}
	if !have.There {
		return []state{s}
	}
	if have.Value != seen.Value || !s.takes(have, seen.Version) {
		return nil
	}
	return []state{s.with(key, seen)}
}

func (s state) listed(out output) []state {
	for key := range s.Entries {
		next := s.readEntry(key, out.Entries[key])
		if next == nil {
			return nil
		}
		s = next[0]
	}
	if out.Version < s.Newest {
		return nil
	}
	return []state{s}
}

func (s state) after(in input, out output) []state {
	have := s.Entries[in.Key]
	if out.Lost {
		return s.lost(in)
	}
	if in.Verb == list {
		return s.listed(out)
	}
	switch {
	case in.Verb == get && out.Status == 200:
		return s.readEntry(in.Key, entry{There: true, Version: out.Version, Value: out.Value})
	case out.Status == 404 && in.Verb != create:
		return s.readEntry(in.Key, entry{})
	case out.Status == 409 && in.Verb == create && have.There:
		return []state{s}
	case out.Status == 409 && in.Verb == update && have.There && in.Expected != have.Version:
		return []state{s}
	case in.Verb == remove && out.Status == 200 && have.There:
		return []state{s.with(in.Key, entry{})}
	case in.Verb == create && out.Status == 201 && s.writes(in):
		return s.written(in, out.Version)
	case (in.Verb == update || in.Verb == patch) && out.Status == 200 && s.writes(in):
		return s.written(in, out.Version)
	}
	return nil
}

func describe(in input, out output) string {
	if out.Lost {
		return fmt.Sprintf("%s %d value=%d expected=%d -> lost", in.Verb, in.Key, in.Value, in.Expected)
	}
	if in.Verb == list {
		return fmt.Sprintf("list -> %d version=%d %v", out.Status, out.Version, out.Entries)
	}
	return fmt.Sprintf("%s %d value=%d expected=%d -> %d version=%d value=%d", in.Verb, in.Key, in.Value,
		in.Expected, out.Status, out.Version, out.Value)
}

// model of a history that begins with nothing, at a version.
func model(newest int64) porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{state{Newest: newest}} },
		Step: func(from, in, out interface{}) []interface{} {
			var next []interface{}
			for _, one := range from.(state).after(in.(input), out.(output)) {
				next = append(next, one)
			}
			return next
		},
		Equal:             func(one, other interface{}) bool { return one == other },
		DescribeOperation: func(in, out interface{}) string { return describe(in.(input), out.(output)) },
	}
	return nondeterministic.ToModel()
}
