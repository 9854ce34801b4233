// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const collection = "/api/v1/namespaces/default/configmaps"

// server is one process of the program; its data directory outlives it.
type server struct {
	command *exec.Cmd
	url     string
	token   string
	client  *http.Client
}

var address = regexp.MustCompile(`https://127\.0\.0\.1:\d+`)

func start(program, directory string) (*server, error) {
	command := exec.Command(program, "apiserver", "--data-dir", directory, "--secure-port", "0",
		"--durability", "normal")
	command.Stderr = os.Stderr
	pipe, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, _ := bufio.NewReader(pipe).ReadString('\n')
	url := address.FindString(line)
	if url == "" {
		command.Process.Kill()
		return nil, fmt.Errorf("the server did not start: %q", line)
	}
	token, err := os.ReadFile(filepath.Join(directory, "pki", "admin.token"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(filepath.Join(directory, "pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: 16}
	return &server{command, url, strings.TrimSpace(string(token)),
		&http.Client{Transport: transport, Timeout: time.Minute}}, nil
}

func (s *server) kill() {
	s.command.Process.Kill()
	s.command.Wait()
	s.client.CloseIdleConnections()
}

type object struct {
	Metadata struct {
		Name            string `json:"name,omitempty"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Data  map[string]string `json:"data,omitempty"`
	Items []object          `json:"items,omitempty"`
}

func (s *server) call(method, path, contentType string, body *object) (int, object, error) {
	var answer object
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, answer, err
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, s.url+path, reader)
	if err != nil {
		return 0, answer, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", contentType)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, answer, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, answer, err
	}
	return response.StatusCode, answer, json.Unmarshal(text, &answer)
}
