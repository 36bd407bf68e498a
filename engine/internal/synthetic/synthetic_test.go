package synthetic

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/shapes"
)

// TestDumpEqualsTools: the dump parses to the definitions that Tools returns.
func TestDumpEqualsTools(t *testing.T) {
	const n = 500
	want := Tools(n, 3)
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "dump.json", Data: Dump(n, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if len(registry.Warnings) > 0 {
		t.Errorf("%d warnings, the first: %v", len(registry.Warnings), registry.Warnings[0])
	}
	if len(registry.Tools) != n {
		t.Fatalf("%d tools, want %d", len(registry.Tools), n)
	}
	for i, got := range registry.Tools {
		w := want[i]
		if got.Name != w.Name || got.Qualified != w.Qualified || got.Description != w.Description ||
			got.Toolset != w.Toolset || got.Server != w.Server || got.OriginalName != w.OriginalName || !got.Available {
			t.Fatalf("tool %d is %+v, want %+v", i, got, w)
		}
		if !bytes.Equal(got.Function, w.Function) || !bytes.Equal(got.Parameters, w.Parameters) {
			t.Fatalf("tool %d: %s, want %s", i, got.Function, w.Function)
		}
	}
}

func TestToolsDeterministic(t *testing.T) {
	a, b, other := Tools(200, 5), Tools(200, 5), Tools(200, 6)
	hashes := map[model.Hash]bool{}
	names := map[string]bool{}
	for i := range a {
		if a[i].Hash != b[i].Hash || !bytes.Equal(a[i].Function, b[i].Function) {
			t.Fatalf("tool %d differs", i)
		}
		hashes[a[i].Hash], names[a[i].Name] = true, true
	}
	if len(hashes) != 200 || len(names) != 200 {
		t.Errorf("%d hashes and %d names of 200 tools", len(hashes), len(names))
	}
	if a[0].Hash == other[0].Hash {
		t.Error("another seed, the same tool")
	}
	if len(Tools(0, 1)) != 0 || !json.Valid(Dump(0, 1)) {
		t.Error("nothing is not empty")
	}
}

// TestStatistics checks what the package promises of its catalogs.
func TestStatistics(t *testing.T) {
	tools := Tools(3000, 1)
	held := map[string]int{}
	for _, tool := range tools {
		if n := len(strings.Fields(tool.Description)); n < 8 || n > 60 {
			t.Fatalf("a description of %d words", n)
		}
		if n := len(tool.PropertyNames()); n < 1 || n > 12 {
			t.Fatalf("%d parameters", n)
		}
		distinct := words(tool)
		slices.Sort(distinct)
		for _, w := range slices.Compact(distinct) {
			held[w]++
		}
	}
	half, once := 0, 0
	for _, n := range held {
		if n > len(tools)/2 {
			half++
		}
		if n == 1 {
			once++
		}
	}
	if half < 3 || half > 12 {
		t.Errorf("%d words stand in half of the tools", half)
	}
	if once < len(held)/20 {
		t.Errorf("%d of %d words stand in one tool only", once, len(held))
	}
	if small := len(newGenerator(300, 1).lexicon); len(held) < 2*small {
		t.Errorf("%d words in 3000 tools, %d in 300", len(held), small)
	}
}

func TestRevise(t *testing.T) {
	tool := Tools(1, 1)[0]
	before := string(tool.Function)
	changed := Revise(tool, 7)
	if string(tool.Function) != before || changed.Hash == tool.Hash {
		t.Error("the tool was changed, or its revision was not")
	}
	if changed.Name != tool.Name || changed.Description != tool.Description+" rev7" ||
		!bytes.Equal(changed.Parameters, tool.Parameters) || !json.Valid(changed.Function) {
		t.Errorf("revised to %s", changed.Function)
	}
}

func TestQueries(t *testing.T) {
	tools := Tools(100, 1)
	for _, c := range []struct {
		kind        Kind
		least, most int
	}{{Mixed, 1, 6}, {Short, 1, 1}, {Long, 12, 30}, {Common, 3, 5}, {Exact, 1, 1}} {
		queries := Queries(c.kind, 50, 2, tools)
		if !slices.Equal(queries, Queries(c.kind, 50, 2, tools)) {
			t.Errorf("%s: not deterministic", c.kind)
		}
		for _, q := range queries {
			if n := len(strings.Fields(q)); n < c.least || n > c.most {
				t.Errorf("%s: %q has %d words", c.kind, q, n)
			}
		}
	}
}

func TestLabels(t *testing.T) {
	tools := Tools(100, 1)
	labels := Labels(50, 2, tools)
	if !slices.Equal(labels, Labels(50, 2, tools)) {
		t.Error("not deterministic")
	}
	for i, l := range labels {
		asked := strings.Fields(l.Query)
		least, most := 1, 6
		if i%2 == 1 {
			least, most = 12, 30
		}
		if len(asked) < least || len(asked) > most {
			t.Errorf("label %d: %q has %d words", i, l.Query, len(asked))
		}
		for _, w := range asked {
			if !slices.Contains(words(l.Tool), w) {
				t.Errorf("label %d: %q is no word of its tool", i, w)
			}
		}
	}
}
