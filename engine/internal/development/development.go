// Package development reads the public sets of labelled queries that rankings are
// developed on, for tests. The sets are in the shared folder, which a clone may lack:
// what needs them is skipped then.
//
// Non-goals: the other halves of these sets, which nothing is tuned on.
package development

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/shapes"
)

// Sets are the names of all sets.
var Sets = []string{
	"livemcpbench", "mcpproxy_golden", "metatool", "sealtools", "bfcl",
	"learn/livemcp_agentq", "learn/livemcp_xl", "learn/metatool_multi", "learn/toolbench",
}

// Set is one set of labelled queries.
type Set struct {
	Name     string
	Registry *model.Registry
	Queries  []Query

	toolsets map[string]*model.Toolset
}

// Query is a labelled query.
type Query struct {
	ID, Query, Group string
	Relevant         []string
	Groups           [][]string
	Grades           map[string]float64
}

// Label returns the needed capabilities of a query.
func (q Query) Label() retrieval.Label {
	groups := q.Groups
	if groups == nil {
		for _, name := range q.Relevant {
			groups = append(groups, []string{name})
		}
	}
	return retrieval.Label{Groups: groups, Grades: q.Grades}
}

// Toolset returns a toolset of the set with its texts.
func (s *Set) Toolset(name string) (*model.Toolset, bool) {
	if t, ok := s.toolsets[name]; ok {
		return t, true
	}
	return s.Registry.Toolset(name)
}

// Item returns a hit as it is measured.
func (s *Set) Item(doc int) retrieval.RankedItem {
	tool := s.Registry.Tools[doc]
	return retrieval.RankedItem{Name: tool.Name, Qualified: tool.Qualified}
}

// toolsOf has the sets with the tools of another set.
var toolsOf = map[string]string{"learn/livemcp_agentq": "livemcpbench", "learn/metatool_multi": "metatool"}

// withToolsets are the sets of tools that have texts of toolsets.
var withToolsets = []string{"livemcpbench", "learn/livemcp_xl", "learn/toolbench"}

// File reads a file of the shared folder, and skips the test when there is none.
func File(t testing.TB, name string) []byte {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(here), "../../../../shared", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no shared folder")
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Parse parses a registry.
func Parse(t testing.TB, data []byte) *model.Registry {
	t.Helper()
	r, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Read reads a set.
func Read(t testing.TB, name string) *Set {
	t.Helper()
	tools := cmp.Or(toolsOf[name], name)
	s := &Set{Name: name, Registry: Parse(t, File(t, "eval/"+tools+"/tools.json"))}
	if slices.Contains(withToolsets, tools) {
		if err := json.Unmarshal(File(t, "eval/"+tools+"/toolsets.json"), &s.toolsets); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(File(t, "eval/"+name+"/queries.jsonl")))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var q Query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		s.Queries = append(s.Queries, q)
	}
	return s
}
