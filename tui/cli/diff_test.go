package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/tui/cli/runner"
)

// plainTool is a tool of a dump, read without the importers.
type plainTool struct {
	name        string
	description string
	function    string // compact, in the order of the source
	parameters  string
	toolset     string
	terms       []string // what a search finds it by
}

// word is a run of letters and digits, in the sense of the reference ranker.
var word = regexp.MustCompile(`[a-z0-9]+`)

// plainDump reads a dump in the way the format is described.
func plainDump(t *testing.T, path string) []plainTool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var dump struct {
		Tools []struct {
			Toolset  string
			Function json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &dump); err != nil {
		t.Fatal(err)
	}
	tools := make([]plainTool, len(dump.Tools))
	for i, entry := range dump.Tools {
		var f struct {
			Name, Description string
			Parameters        json.RawMessage
		}
		if err := json.Unmarshal(entry.Function, &f); err != nil {
			t.Fatal(err)
		}
		var parameters struct{ Properties json.RawMessage }
		if err := json.Unmarshal(f.Parameters, &parameters); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("_", " ", ".", " ", "-", " ", ":", " ").Replace(f.Name) + " " + f.Description
		properties := map[string]json.RawMessage{}
		if parameters.Properties != nil {
			if err := json.Unmarshal(parameters.Properties, &properties); err != nil {
				t.Fatal(err)
			}
		}
		for name := range properties { // the order does not matter in a bag of words
			text += " " + name
		}
		tools[i] = plainTool{
			name: f.Name, description: f.Description, toolset: entry.Toolset,
			function: compacted(t, entry.Function), parameters: compacted(t, f.Parameters),
			terms: word.FindAllString(strings.ToLower(text), -1),
		}
	}
	return tools
}

// compacted returns JSON without white space.
func compacted(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plainTokens counts definitions by chars4. The dumps are written with raw
// characters and plain numbers, as the model is sent them.
func plainTokens(tools []plainTool) int {
	chars := 0
	for _, t := range tools {
		chars += utf8.RuneCountInString(`{"type":"function","function":` + t.function + `}`)
	}
	return (chars + 3) / 4
}

// plainIndex is the facts of a catalog that BM25 needs.
type plainIndex struct {
	names   []string
	tf      []map[string]float64 // of each tool
	length  []float64            // of each tool, in words
	df      map[string]float64
	average float64
}

// plainIndexOf counts the words of tools.
func plainIndexOf(tools []plainTool) plainIndex {
	x := plainIndex{df: map[string]float64{}}
	for _, t := range tools {
		tf := map[string]float64{}
		for _, term := range t.terms {
			tf[term]++
		}
		for term := range tf {
			x.df[term]++
		}
		x.names = append(x.names, t.name)
		x.tf = append(x.tf, tf)
		x.length = append(x.length, float64(len(t.terms)))
		x.average += float64(len(t.terms)) / float64(len(tools))
	}
	return x
}

// ranking returns the names that a query finds, by BM25 as it is written
// down, ties in the order of their names.
func (x plainIndex) ranking(query string) []string {
	n := float64(len(x.names))
	score := map[string]float64{}
	for i, name := range x.names {
		for _, term := range word.FindAllString(strings.ToLower(query), -1) {
			if tf := x.tf[i][term]; tf > 0 {
				idf := math.Log(1 + (n-x.df[term]+0.5)/(x.df[term]+0.5))
				score[name] += idf * tf * 2.5 / (tf + 1.5*(0.25+0.75*x.length[i]/x.average))
			}
		}
	}
	var found []string
	for name := range score {
		found = append(found, name)
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return found
}

// plainDiff computes what diff prints, from the tools of the dumps alone.
func plainDiff(t *testing.T, old, new []plainTool, queries [][2]string, limit int) diffResult {
	t.Helper()
	byName := func(tools []plainTool) map[string]plainTool {
		m := map[string]plainTool{}
		for _, tool := range tools {
			m[tool.name] = tool
		}
		if len(m) != len(tools) {
			t.Fatal("names are shared")
		}
		return m
	}
	was, now := byName(old), byName(new)
	out := diffResult{Added: []string{}, Removed: []string{}, Changed: []changedTool{}, Queries: []relevantTool{}}
	for name, tool := range now {
		before, ok := was[name]
		if !ok {
			out.Added = append(out.Added, name)
		} else if before.function != tool.function || before.toolset != tool.toolset {
			out.Changed = append(out.Changed, changedTool{Name: name})
		}
	}
	for name := range was {
		if _, ok := now[name]; !ok {
			out.Removed = append(out.Removed, name)
		}
	}
	slices.Sort(out.Added)
	slices.Sort(out.Removed)
	out.Tokens = oldNew[int]{plainTokens(old), plainTokens(new)}
	core := config.Default().Core
	deferrable := func(tools []plainTool) []plainTool {
		return slices.DeleteFunc(slices.Clone(tools), func(t plainTool) bool { return slices.Contains(core, t.name) })
	}
	oldCatalog, newCatalog := deferrable(old), deferrable(new)
	out.Active = oldNew[bool]{plainTokens(oldCatalog) >= 20_000, plainTokens(newCatalog) >= 20_000} // the context is unknown
	oldIndex, newIndex := plainIndexOf(oldCatalog), plainIndexOf(newCatalog)
	for _, q := range queries {
		before, after := oldIndex.ranking(q[0]), newIndex.ranking(q[0])
		if slices.Equal(before[:min(limit, len(before))], after[:min(limit, len(after))]) {
			continue
		}
		oldRank, newRank := slices.Index(before, q[1])+1, slices.Index(after, q[1])+1
		out.Queries = append(out.Queries, relevantTool{q[0], q[1], runner.RankOrNull(oldRank), runner.RankOrNull(newRank)})
		if oldRank > 0 && oldRank <= limit && (newRank == 0 || newRank > limit) {
			out.Regressions++
		}
	}
	return out
}

// The real registry against its small selection, and back, as computed here
// from the files alone.
func TestDiffOfRealRegistries(t *testing.T) {
	t.Parallel()
	full := realRegistry(t)
	small := filepath.Join(filepath.Dir(full), "registry.small.json")
	queries := [][2]string{
		{"create a pull request", "mcp_github_create_pull_request"},
		{"create a pull request", "mcp_github_legacy_create_pull_request"},
		{"post a message to a channel", "mcp_slack_slack_post_message"},
		{"read many files at once", "mcp_filesystem_read_multiple_files"},
		{"add observations to entities", "mcp_memory_add_observations"},
		{"list the pods of a namespace", "mcp_kubernetes_go_pods_list_in_namespace"},
		{"move a file", "mcp_filesystem_move_file"},
		{"search for code", "mcp_github_legacy_search_code"},
	}
	var lines strings.Builder
	for i, q := range queries {
		line, err := json.Marshal(map[string]any{"id": strconv.Itoa(i), "query": q[0], "relevant": []string{q[1]}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	file := write(t, "queries.jsonl", lines.String())
	dumps := map[string][]plainTool{full: plainDump(t, full), small: plainDump(t, small)}
	for _, tt := range []struct {
		old, new             string
		added, removed, lost int
	}{{full, small, 0, 743, 2}, {small, full, 743, 0, 0}, {full, full, 0, 0, 0}} {
		want := plainDiff(t, dumps[tt.old], dumps[tt.new], queries, config.Default().ToolSearch.DefaultLimit)
		code, out, complaints := command(t, "diff", tt.old, tt.new, "--queries", file, "--json")
		if code > 1 || code == 1 != (want.Regressions > 0) || complaints != "" {
			t.Errorf("exit code %d, %d regressions, %s", code, want.Regressions, complaints)
		}
		var got diffResult
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s:\n%s\nwant %+v", tt.old, tt.new, out, want)
		}
		if len(got.Added) != tt.added || len(got.Removed) != tt.removed || got.Regressions != tt.lost {
			t.Errorf("%s, %s: %d added, %d removed, %d regressions: %+v", tt.old, tt.new, len(got.Added), len(got.Removed), got.Regressions, got.Queries)
		}
	}
	if d := plainDiff(t, dumps[full], dumps[small], nil, 5); d.Tokens != (oldNew[int]{280_724, 13_906}) || d.Active != (oldNew[bool]{true, false}) {
		t.Errorf("%+v, %+v", d.Tokens, d.Active)
	}
}
