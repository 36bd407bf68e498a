package main

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// results are what one step of go test said.
type results struct {
	Step     string
	Packages []result
	Failed   []string // "package test"
	Skipped  []skip
}

// result is the line of one package: "ok caliper/model 0.5s".
type result struct {
	Line    string
	Name    string
	Seconds float64
	OK      bool
}

// skip is one skipped test.
type skip struct{ Package, Test, Reason string }

// event is one line of go test -json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// reader turns the output of go test into results.
type reader struct {
	log     io.Writer
	output  map[[2]string]*strings.Builder // of tests that have not ended
	results results
}

// newReader returns a reader that writes what a plain go test prints to log.
func newReader(step string, log io.Writer) *reader {
	return &reader{log: log, output: map[[2]string]*strings.Builder{}, results: results{Step: step}}
}

// packageLine is what go test prints when a package has ended.
var packageLine = regexp.MustCompile(`^(ok  |FAIL)\t(\S+)(?:[\t ]+(\S+))?`)

// failedTest is what a failed test prints in plain output.
var failedTest = regexp.MustCompile(`^\s*--- FAIL: (\S+)`)

// line reads one line, its newline included.
func (r *reader) line(line []byte) {
	var e event
	if !bytes.HasPrefix(line, []byte(`{"`)) || json.Unmarshal(line, &e) != nil || e.Action == "" {
		if m := failedTest.FindSubmatch(line); m != nil {
			r.results.Failed = append(r.results.Failed, string(m[1]))
		}
		r.plain(string(line))
		return
	}
	id := [2]string{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		r.plain(e.Output)
	case e.Action == "output" && e.Test == "":
		if e.Output != "PASS\n" {
			r.plain(e.Output)
		}
	case e.Action == "output":
		if r.output[id] == nil {
			r.output[id] = &strings.Builder{}
		}
		r.output[id].WriteString(e.Output)
	case e.Test == "":
	case e.Action == "fail":
		r.results.Failed = append(r.results.Failed, e.Package+" "+e.Test)
		_, _ = io.WriteString(r.log, r.take(id))
	case e.Action == "skip":
		r.results.Skipped = append(r.results.Skipped, skip{e.Package, e.Test, reason(r.take(id))})
	case e.Action == "pass":
		delete(r.output, id)
	}
}

// take returns what a test printed, and forgets it.
func (r *reader) take(id [2]string) string {
	b := r.output[id]
	delete(r.output, id)
	if b == nil {
		return ""
	}
	return b.String()
}

// plain writes a line that go test prints without -json, and keeps it when it
// is a package's result.
func (r *reader) plain(line string) {
	_, _ = io.WriteString(r.log, line)
	m := packageLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(m[3], "s"), 64)
	if err != nil {
		seconds = 0 // (cached), [build failed]
	}
	r.results.Packages = append(r.results.Packages, result{Line: strings.TrimRight(line, "\n"), Name: m[2], Seconds: seconds, OK: m[1] == "ok  "})
}

// position is where a test logged its message.
var position = regexp.MustCompile(`^\s*\S+_test\.go:\d+: `)

// reason returns the message of a skipped test.
func reason(output string) string {
	var words []string
	for line := range strings.Lines(output) {
		if trimmed := strings.TrimSpace(line); !strings.HasPrefix(trimmed, "=== ") && !strings.HasPrefix(trimmed, "--- ") {
			words = append(words, strings.TrimSpace(position.ReplaceAllString(line, "")))
		}
	}
	if text := strings.TrimSpace(strings.Join(words, " ")); text != "" {
		return text
	}
	return "no reason given"
}
