// SPDX-License-Identifier: Apache-2.0

// Oracle answers conformance questions with upstream's own code: one JSON object a line in, one a
// line out, as `proxima-conformance` does, so that both can be asked the same.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"proxima.io/bench/peer/hints"
)

// Questions may hold many endpoints on one line.
const lineBytesMax = 64 << 20

var answerers = map[string]func(line []byte) (any, error){
	"hints":      answerHints,
	"categorize": answerCategorize,
	"reconcile":  answerReconcile,
}

func main() {
	if len(os.Args) != 2 || answerers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: oracle hints|categorize|reconcile < questions.jsonl > answers.jsonl")
		os.Exit(2)
	}
	answer := answerers[os.Args[1]]
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, lineBytesMax)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		reply, err := answer(lines.Bytes())
		if err != nil {
			reply = map[string]string{"error": err.Error()}
		}
		if err := answers.Encode(reply); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hintsQuestion says how often upstream is asked: it follows the order of hash maps, so every
// answer it gave is listed once.
type hintsQuestion struct {
	hints.Question
	Runs int `json:"runs"`
}

type hintsAnswer struct {
	Name     string         `json:"name"`
	Outcomes []hints.Answer `json:"acceptedOutcomes"`
}

func answerHints(line []byte) (any, error) {
	question := hintsQuestion{Runs: 1}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	result := hintsAnswer{Name: question.Name}
	seen := map[string]bool{}
	for range question.Runs {
		answer, err := question.Ask()
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			result.Outcomes = append(result.Outcomes, answer)
		}
	}
	return result, nil
}
