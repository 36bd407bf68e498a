package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// equivalents are the mutants that change nothing a test could see, by key.
type equivalents struct {
	reason map[string]string
	met    map[string]bool
}

// readEquivalent reads the list: blocks of four lines, the file and function,
// the line before, the line after, and the reason, with blank lines between;
// lines with # are comments.
func readEquivalent(file string) (*equivalents, error) {
	e := &equivalents{reason: map[string]string{}, met: map[string]bool{}}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	var block []string
	for i, line := range strings.Split(string(data)+"\n", "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case line != "":
			block = append(block, line)
			continue
		case len(block) == 0:
			continue
		}
		if len(block) < 4 || !strings.HasPrefix(block[1], "- ") || !strings.HasPrefix(block[2], "+") {
			return nil, fmt.Errorf("%s:%d: want file and function, - line, + line, reason", file, i+1)
		}
		e.reason[strings.Join(block[:3], "\n")] = strings.Join(block[3:], " ")
		block = nil
	}
	return e, nil
}

// holds reports whether a mutant is on the list.
func (e *equivalents) holds(m *mutant) bool {
	key := strings.ReplaceAll(strings.TrimSpace(m.key()), " \n", "\n") // outside functions the first line ends with its file
	_, ok := e.reason[key]
	if ok {
		e.met[key] = true
	}
	return ok
}

// unused returns the entries that no mutant has any more; nil when only part
// of the code was looked at.
func (e *equivalents) unused(o options) []string {
	if o.files.String()+o.match.String() != "" || len(o.patterns) != 3 {
		return nil
	}
	var out []string
	for key := range e.reason {
		looked := slices.ContainsFunc(o.patterns, func(p string) bool {
			return strings.HasPrefix("./"+key, strings.TrimSuffix(p, "..."))
		})
		if looked && !e.met[key] {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
