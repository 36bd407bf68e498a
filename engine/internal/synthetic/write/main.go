// Command write writes a synthetic registry of a size and what the commands of
// caliper are measured with, into a folder:
//
//	registry.json   the registry
//	revised.json    the same with one tool in a hundred edited
//	queries.jsonl   50 labelled queries
//	queries.txt     the same queries, one a line
//	config-3.yaml   a configuration with three sessions
//	config-10.yaml  a configuration with ten
//	tool.txt        the name of the tool of the first query
//
// The same size gives the same bytes.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"caliper/engine/internal/synthetic"
	"caliper/model"
)

const (
	seed    = 1
	queries = 50
	edited  = 100 // one tool in so many is edited
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(2)
	}
}

// run writes the files of "FOLDER TOOLS".
func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: write FOLDER TOOLS")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of tools", args[1])
	}
	tools := synthetic.Tools(n, seed)
	registry := synthetic.Dump(n, seed)
	labels := synthetic.Labels(queries, seed, tools)
	for name, data := range map[string][]byte{
		"registry.json":  registry,
		"revised.json":   revised(registry, tools),
		"queries.jsonl":  labelled(labels),
		"queries.txt":    asked(labels),
		"config-3.yaml":  configuration(3, tools),
		"config-10.yaml": configuration(10, tools),
		"tool.txt":       []byte(labels[0].Tool.Name),
	} {
		if err := os.WriteFile(filepath.Join(args[0], name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// revised returns the registry with one tool in a hundred edited.
func revised(registry []byte, tools []*model.Tool) []byte {
	lines := bytes.SplitAfter(registry, []byte("\n"))
	for i := 0; i < len(tools); i += edited {
		changed := synthetic.Revise(tools[i], 1)
		lines[i+1] = bytes.Replace(lines[i+1], tools[i].Function, changed.Function, 1)
	}
	return bytes.Join(lines, nil)
}

// labelled returns the labels as caliper eval reads them.
func labelled(labels []synthetic.Label) []byte {
	var out bytes.Buffer
	for i, l := range labels {
		line, _ := json.Marshal(map[string]any{"id": "q" + strconv.Itoa(i), "query": l.Query, "relevant": []string{l.Tool.Name}})
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}

// asked returns the queries of the labels, one a line.
func asked(labels []synthetic.Label) []byte {
	var out bytes.Buffer
	for _, l := range labels {
		out.WriteString(l.Query + "\n")
	}
	return out.Bytes()
}

// configuration returns a configuration of so many sessions. The first is
// granted everything; of the others every second is granted a tenth of the
// toolsets, and the rest everything but a tenth.
func configuration(sessions int, tools []*model.Tool) []byte {
	var toolsets []string
	for i, t := range tools {
		if i == 0 || t.Toolset != tools[i-1].Toolset {
			toolsets = append(toolsets, t.Toolset)
		}
	}
	var out strings.Builder
	out.WriteString("model: {default: anthropic/claude-sonnet-4.5}\nsessions:\n  default: {}\n")
	for s := 1; s < sessions; s++ {
		key := "enabled_toolsets"
		if s%2 == 0 {
			key = "disabled_toolsets"
		}
		fmt.Fprintf(&out, "  session-%d:\n    %s:\n", s, key)
		for i := s; i < len(toolsets); i += 10 {
			fmt.Fprintf(&out, "      - %s\n", toolsets[i])
		}
		if len(toolsets) <= s {
			fmt.Fprintf(&out, "      - %s\n", toolsets[0])
		}
	}
	return []byte(out.String())
}
