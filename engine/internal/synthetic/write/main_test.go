package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/shapes"
)

// TestRun: every file is read by what reads its kind, without a warning, and
// says what the package promises.
func TestRun(t *testing.T) {
	const n = 300
	folder := t.TempDir()
	if err := run([]string{folder, strconv.Itoa(n)}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	parse := func(name string) *model.Registry {
		r, err := shapes.Parse(t.Context(), model.Source{Name: name, Data: read(name)})
		if err != nil || len(r.Warnings) > 0 || len(r.Tools) != n {
			t.Fatalf("%s: %d tools, %v, %v", name, len(r.Tools), r.Warnings, err)
		}
		return r
	}
	old, revised := parse("registry.json"), parse("revised.json")
	changed := 0
	for i, tool := range old.Tools {
		if tool.Name != revised.Tools[i].Name {
			t.Errorf("tool %d has another name", i)
		}
		if tool.Hash != revised.Tools[i].Hash {
			changed++
		}
	}
	if changed != n/edited {
		t.Errorf("%d tools are edited, not %d", changed, n/edited)
	}
	asked, faults := labels.Parse("queries.jsonl", read("queries.jsonl"))
	if len(asked) != queries || len(faults) > 0 {
		t.Errorf("%d labelled queries, %v", len(asked), faults)
	}
	if got := bytes.Count(read("queries.txt"), []byte("\n")); got != queries {
		t.Errorf("%d queries", got)
	}
	if string(read("tool.txt")) != asked[0].Relevant[0] {
		t.Error("tool.txt does not name the tool of the first query")
	}
	for _, sessions := range []int{3, 10} {
		name := "config-" + strconv.Itoa(sessions) + ".yaml"
		c, err := config.Parse(name, read(name))
		if err != nil || len(c.Warnings) > 0 || len(c.Sessions) != sessions {
			t.Errorf("%s: %d sessions, %v, %v", name, len(c.Sessions), c.Warnings, err)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"folder"}, {"folder", "none"}, {"folder", "0"}} {
		if run(args) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
