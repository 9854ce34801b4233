// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
)

// recording is one history: its objects have names of their own.
type recording struct {
	prefix    string
	began     time.Time
	values    atomic.Int64
	answers   atomic.Int64
	killAfter int64 // answers, while other requests are under way; 0: never

	mutex      sync.Mutex
	operations []porcupine.Operation
	seen       [keyCount]int64 // a version that somebody read, to be named by updates
}

func (r *recording) name(key int) string { return fmt.Sprintf("%s-%d", r.prefix, key) }

func (r *recording) draw(random *rand.Rand) input {
	verbs := []verb{create, create, update, update, update, patch, get, get, get, list, remove}
	in := input{Verb: verbs[random.Intn(len(verbs))], Key: random.Intn(keyCount)}
	in.Value = int(r.values.Add(1))
	if in.Verb == update && random.Intn(3) > 0 {
		r.mutex.Lock()
		in.Expected = r.seen[in.Key]
		r.mutex.Unlock()
	}
	return in
}

func parsed(text string) int64 {
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}

func valueOf(answer object) int { return int(parsed(answer.Data["value"])) }

// request is what is sent for an operation.
func (r *recording) request(server *server, in input) (int, object, error) {
	path := collection + "/" + r.name(in.Key)
	body := &object{Data: map[string]string{"value": strconv.Itoa(in.Value)}}
	body.Metadata.Name = r.name(in.Key)
	switch in.Verb {
	case create:
		return server.call("POST", collection, "application/json", body)
	case update:
		if in.Expected != 0 {
			body.Metadata.ResourceVersion = strconv.FormatInt(in.Expected, 10)
		}
		return server.call("PUT", path, "application/json", body)
	case patch:
		body.Metadata.Name = ""
		return server.call("PATCH", path, "application/merge-patch+json", body)
	case remove:
		return server.call("DELETE", path, "application/json", nil)
	case list:
		return server.call("GET", collection, "application/json", nil)
	default:
		return server.call("GET", path, "application/json", nil)
	}
}

func (r *recording) answer(in input, status int, found object) output {
	out := output{Status: status, Version: parsed(found.Metadata.ResourceVersion), Value: valueOf(found)}
	for _, item := range found.Items {
		for key := range keyCount {
			if item.Metadata.Name == r.name(key) {
				out.Entries[key] = entry{true, parsed(item.Metadata.ResourceVersion), valueOf(item)}
			}
		}
	}
	return out
}

// note keeps an operation, and what later ones need to know of it.
func (r *recording) note(operation porcupine.Operation) {
	in, out := operation.Input.(input), operation.Output.(output)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if in.Verb == get && out.Status == 200 {
		r.seen[in.Key] = out.Version
	}
	r.operations = append(r.operations, operation)
}

// ask does one operation and records it. False: the server is gone.
func (r *recording) ask(server *server, client int, in input) bool {
	begin := time.Since(r.began).Nanoseconds()
	status, found, err := r.request(server, in)
	end := time.Since(r.began).Nanoseconds()
	out := output{Lost: true}
	if err == nil {
		out = r.answer(in, status, found)
	}
	r.note(porcupine.Operation{ClientId: client, Input: in, Call: begin, Output: out, Return: end})
	if err == nil && r.answers.Add(1) == r.killAfter {
		server.kill()
	}
	return err == nil
}

// run has several clients do operations at the same time, each until it has done its part or the
// server is gone.
func (r *recording) run(server *server, clients, each int, random *rand.Rand) {
	var all sync.WaitGroup
	for client := range clients {
		own := rand.New(rand.NewSource(random.Int63()))
		all.Add(1)
		go func() {
			defer all.Done()
			for range each {
				if !r.ask(server, client, r.draw(own)) {
					return
				}
			}
		}()
	}
	all.Wait()
}

func (r *recording) text() string {
	lines := make([]string, 0, len(r.operations))
	for _, one := range r.operations {
		lines = append(lines, fmt.Sprintf("  client %d, %d to %d us: %s", one.ClientId, one.Call/1000,
			one.Return/1000, describe(one.Input.(input), one.Output.(output))))
	}
	return strings.Join(lines, "\n")
}
