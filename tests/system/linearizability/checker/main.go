// SPDX-License-Identifier: Apache-2.0

// Records what concurrent clients of `proxima apiserver` ask and get, with and without kill -9 of the
// server in between, and checks that each history is linearizable.
//
//	checker PROXIMA HISTORIES SEED
package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	clients     = 5
	operations  = 14 // of each client, before and after a kill
	checkAtMost = time.Minute
)

type run struct {
	program   string
	directory string
	server    *server
	random    *rand.Rand
	kills     int
	lost      int
	checked   int
}

func (r *run) history(number int) (*recording, int64, error) {
	_, before, err := r.server.call("GET", collection, "application/json", nil)
	if err != nil {
		return nil, 0, err
	}
	one := &recording{prefix: fmt.Sprintf("h%d", number), began: time.Now()}
	if r.random.Intn(3) == 0 {
		one.killAfter = int64(1 + r.random.Intn(clients*operations-clients))
		one.run(r.server, clients, operations, r.random)
		r.kills++
		if r.server, err = start(r.program, r.directory); err != nil {
			return nil, 0, err
		}
	}
	one.run(r.server, clients, operations, r.random)
	for key := range keyCount { // what is there at the end counts as well, and is cleared away
		one.ask(r.server, 0, input{Verb: get, Key: key})
		one.ask(r.server, 0, input{Verb: remove, Key: key})
	}
	return one, parsed(before.Metadata.ResourceVersion), nil
}

func linearizable(one *recording, newest int64) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(model(newest), one.operations, checkAtMost)
}

// wrote says whether an operation gave an object a version, and which.
func wrote(operation porcupine.Operation, key int) (int64, bool) {
	in, out := operation.Input.(input), operation.Output.(output)
	writes := in.Verb == create || in.Verb == update || in.Verb == patch
	done := out.Status == 200 || out.Status == 201
	return out.Version, writes && done && !out.Lost && in.Key == key
}

// older is a write that was overwritten by another before a moment.
func older(one *recording, key int, before int64) (porcupine.Operation, bool) {
	for _, first := range one.operations {
		version, ok := wrote(first, key)
		if !ok {
			continue
		}
		for _, second := range one.operations {
			if later, ok := wrote(second, key); ok && later > version && second.Return < before {
				return first, true
			}
		}
	}
	return porcupine.Operation{}, false
}

// stale makes a read tell what had been overwritten before it began: a history that the checker must
// refuse, or the check proves nothing.
func stale(one *recording) bool {
	for i := range one.operations {
		read := &one.operations[i]
		in, out := read.Input.(input), read.Output.(output)
		if in.Verb != get || out.Status != 200 {
			continue
		}
		if first, ok := older(one, in.Key, read.Call); ok {
			out.Version, out.Value = first.Output.(output).Version, first.Input.(input).Value
			read.Output = out
			return true
		}
	}
	return false
}

func (r *run) all(histories int) error {
	planted, found := 0, 0
	for number := range histories {
		one, newest, err := r.history(number)
		if err != nil {
			return err
		}
		for _, operation := range one.operations {
			r.checked++
			if operation.Output.(output).Lost {
				r.lost++
			}
		}
		if result := linearizable(one, newest); result != porcupine.Ok {
			return fmt.Errorf("history %d is not linearizable (%s), from version %d:\n%s", number, result, newest,
				one.text())
		}
		if stale(one) {
			planted++
			if linearizable(one, newest) == porcupine.Illegal {
				found++
			}
		}
	}
	fmt.Printf("%d histories of %d operations are linearizable; %d kills, %d answers lost; "+
		"%d of %d planted stale reads are found\n", histories, r.checked, r.kills, r.lost, found, planted)
	if planted == 0 || found < planted {
		return fmt.Errorf("planted stale reads are not found")
	}
	return nil
}

func main() {
	histories, _ := strconv.Atoi(os.Args[2])
	seed, _ := strconv.ParseInt(os.Args[3], 10, 64)
	directory, err := os.MkdirTemp("", "proxima-linearizability-")
	if err == nil {
		r := &run{program: os.Args[1], directory: directory, random: rand.New(rand.NewSource(seed))}
		if r.server, err = start(r.program, directory); err == nil {
			err = r.all(histories)
		}
		if r.server != nil {
			r.server.kill()
		}
		os.RemoveAll(directory)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "linearizability:", err)
		os.Exit(1)
	}
}
