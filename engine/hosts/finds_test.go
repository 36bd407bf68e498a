package hosts

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	_ "caliper/model/require"
)

// word draws a word of names, descriptions and queries.
var word = rapid.SampledFrom([]string{"ship", "list", "sink", "harbour", "moor", "a"})

// drawTool draws the description of the tool of an index.
func drawTool(t *rapid.T, i int, name string) *model.Tool {
	return &model.Tool{Name: "mcp_port_" + name, Qualified: fmt.Sprint("q", i), Server: "port", OriginalName: name, Toolset: "mcp-port", Description: word.Draw(t, "first") + " the " + word.Draw(t, "second"), Available: true, Index: i}
}

// TestFinds: a query finds a tool where the tool is among the hits without a limit, and
// Explain gives points for words to those alone.
func TestFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tools []*model.Tool
		for i := range rapid.IntRange(1, 14).Draw(t, "tools") {
			tools = append(tools, drawTool(t, i, fmt.Sprint(word.Draw(t, "name"), "_", i)))
		}
		query := word.Draw(t, "asked") + " " + word.Draw(t, "also")
		for _, h := range All {
			if h.Generation != "" {
				continue
			}
			x := New(h, tools)
			hits := x.Search(query, -1)
			for _, tool := range tools {
				hit := slices.ContainsFunc(hits, func(h Hit) bool { return h.Tool == tool })
				if got := x.Finds(query, tool); got != hit {
					t.Fatalf("%s: %q finds %s: %v, it is a hit: %v", h.Name, query, tool.Name, got, hit)
				}
			}
		}
	})
}

// TestReworded: an index in which a tool is reworded finds what a new one does, and is alike only
// where the order stays.
func TestReworded(t *testing.T) {
	alike := 0
	rapid.Check(t, func(t *rapid.T) {
		var tools []*model.Tool
		for i := range rapid.IntRange(1, 9).Draw(t, "tools") {
			tools = append(tools, drawTool(t, i, fmt.Sprint(word.Draw(t, "name"), "_", i)))
		}
		at := rapid.IntRange(0, len(tools)-1).Draw(t, "reworded")
		name := tools[at].OriginalName
		if rapid.Bool().Draw(t, "renamed") {
			name = fmt.Sprint(word.Draw(t, "other"), "_", at)
		}
		as := drawTool(t, at, name)
		now := slices.Clone(tools)
		now[at] = as
		query := word.Draw(t, "asked") + " " + word.Draw(t, "also")
		for _, h := range All {
			if h.Generation != "" {
				continue
			}
			x := New(h, tools)
			y := x.Reworded(tools[at], as)
			got, want, before := y.Search(query, -1), New(h, now).Search(query, -1), x.Search(query, -1)
			for i := range want {
				if want[i].Tool == as {
					want[i].Tool = tools[at]
				}
			}
			same := func(a, b Hit) bool { return a.Tool == b.Tool && a.Name == b.Name && a.Score == b.Score }
			if !slices.EqualFunc(got, want, same) {
				t.Fatalf("%s: %q finds %v, want %v", h.Name, query, got, want)
			}
			if y.Alike(query) {
				alike++
				if !slices.EqualFunc(got, before, func(a, b Hit) bool { return a.Tool == b.Tool }) {
					t.Fatalf("%s: %q is alike and finds %v, before %v", h.Name, query, got, before)
				}
			}
			if !x.Alike(query) || x.Reworded(&model.Tool{Qualified: "none"}, as) != x {
				t.Fatalf("%s: an index that is not reworded", h.Name)
			}
			if wire := h.FullName(tools[at]); !x.Called("none", wire) || x.Called("none") {
				t.Fatalf("%s: %s is called: %v", h.Name, wire, x.Called(wire))
			}
		}
	})
	if alike == 0 {
		t.Error("no query is alike")
	}
}

// TestItself: the query by which a tool's own name finds it.
func TestItself(t *testing.T) {
	tool := &model.Tool{Name: "mcp__port__list", Qualified: "mcp-port/list", Server: "port", OriginalName: "list"}
	for _, h := range All {
		want := h.FullName(tool)
		switch {
		case h.Generation != "":
			want = "mcp-port/list"
		case h.Grouped:
			want = "list"
		}
		if got := h.Itself(tool); got != want {
			t.Errorf("%s: %s, want %s", h.Name, got, want)
		}
	}
}
