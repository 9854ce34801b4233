// SPDX-License-Identifier: Apache-2.0

// Peer measures upstream's AddHints on the questions of a file, in nanoseconds an endpoint.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"time"

	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"

	"proxima.io/bench/peer/hints"
)

const (
	lineBytesMax = 64 << 20
	batches      = 15
	// One batch takes about this many endpoints through AddHints, so that small services are
	// repeated often enough to be measured.
	endpointsInBatch = 200_000
)

type measurement struct {
	Name          string  `json:"name"`
	NsPerEndpoint float64 `json:"nsPerEndpoint"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: peer QUESTIONS.jsonl")
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, lineBytesMax)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		result, err := measure(lines.Bytes())
		if err != nil {
			return err
		}
		if err := output.Encode(result); err != nil {
			return err
		}
	}
	return lines.Err()
}

func measure(line []byte) (measurement, error) {
	var question hints.Question
	if err := json.Unmarshal(line, &question); err != nil {
		return measurement{}, err
	}
	logger := klog.New(nil)
	cache, err := question.NewCache(logger)
	if err != nil {
		return measurement{}, err
	}
	endpoints := 0
	for _, slice := range question.Slices {
		endpoints += len(slice.Endpoints)
	}
	repeats := max(1, endpointsInBatch/max(1, endpoints))
	best := math.Inf(1) // the least disturbed batch: other programs can only add to it
	for range batches {
		batch, err := copies(&question, repeats)
		if err != nil {
			return measurement{}, err
		}
		runtime.GC() // what the copies left behind is not upstream's to clean
		start := time.Now()
		for _, info := range batch {
			cache.AddHints(logger, info)
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/float64(repeats*endpoints))
	}
	return measurement{Name: question.Name, NsPerEndpoint: best}, nil
}

// copies are made before the clock starts, because AddHints edits what it is given.
func copies(question *hints.Question, count int) ([]*topologycache.SliceInfo, error) {
	batch := make([]*topologycache.SliceInfo, 0, count)
	for range count {
		info, err := question.SliceInfo()
		if err != nil {
			return nil, err
		}
		batch = append(batch, info)
	}
	return batch, nil
}
