package lint_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/lint"
	"caliper/engine/tokens"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
)

var slow = lint.Slow

// Every remedy, applied to the dump by other means and read as a new registry,
// has the ranks and tokens that the finding says.
func TestRemediesHold(t *testing.T) {
	t.Run("demo", func(t *testing.T) { remediesHold(t, demo.Registry(), demoConfig(t), 6) })
	t.Run("faults", func(t *testing.T) { remediesHold(t, []byte(faultyDump), faultyConfig(), 1000) })
	t.Run("fielded", func(t *testing.T) {
		c := faultyConfig()
		c.ToolSearch.Ranker = config.RankerFielded
		remediesHold(t, []byte(faultyDump), c, 20)
	})
	t.Run("real", func(t *testing.T) {
		if testing.Short() {
			t.Skip("half a minute under the race detector, and the others run beside each other too")
		}
		remediesHold(t, fixture.SharedFile(t, "registries/registry.json"), config.Default(), 7)
	})
}

// remediesHold tries at most some remedies of a dump, of every code.
func remediesHold(t *testing.T, dump []byte, c config.Config, most int) {
	s := snapshot(t, dump, c)
	report, err := lint.Run(t.Context(), s, lint.Options{})
	require.NoError(t, err)
	byCode := map[lint.Code][]lint.Finding{}
	for _, f := range report.Findings {
		if f.Remedy != nil && f.Remedy.Edits != nil { // what cannot be tried in memory is advice
			byCode[f.Code] = append(byCode[f.Code], f)
		}
	}
	if len(byCode) == 0 {
		t.Fatal("no remedies")
	}
	if *slow {
		most *= 5
	}
	each := max(1, most/len(byCode))
	for n, code := range slices.Sorted(maps.Keys(byCode)) {
		if n%((len(byCode)+most-1)/most) > 0 {
			continue
		}
		list := byCode[code]
		for i := 0; i < len(list); i += max(1, len(list)/each) {
			remedyHolds(t, dump, c, s, report, list[i])
		}
	}
}

// remedyHolds applies one remedy: its figures hold, the finding is gone, no
// other as severe is found of the tool, and its rank is no worse unless that is
// said and saves tokens.
func remedyHolds(t *testing.T, dump []byte, c config.Config, s *engine.Snapshot, report lint.Report, f lint.Finding) {
	t.Helper()
	r := f.Remedy
	after := snapshot(t, rewriteDump(t, dump, r.Edits), c)
	findingGone(t, after, report, f)
	if r.RankBefore > 0 && (r.RankAfter == 0 || r.RankAfter > r.RankBefore) &&
		(r.TokensAfter >= r.TokensBefore || r.RankAfter > report.Limit || !strings.Contains(r.Change, "its rank falls")) {
		t.Errorf("%s %+v: the rank falls", f.Code, r)
	}
	unitsBefore, unitsAfter := 0, 0
	index := func(old *model.Tool) int { // in the new registry
		n := old.Index
		for _, e := range r.Edits {
			if e.Remove && e.Tool.Index < old.Index {
				n--
			}
		}
		return n
	}
	for _, e := range r.Edits {
		unitsBefore += s.Tokenizer.Units(tokens.Definition(e.Tool))
		if !e.Remove {
			unitsAfter += s.Tokenizer.Units(tokens.Definition(after.Registry.Tools[index(e.Tool)]))
		}
	}
	if got := s.Tokenizer.Tokens(unitsBefore); got != r.TokensBefore {
		t.Errorf("%s %+v: %d tokens before, said %d", f.Code, r, got, r.TokensBefore)
	}
	if got := s.Tokenizer.Tokens(unitsAfter); got != r.TokensAfter {
		t.Errorf("%s %+v: %d tokens after, said %d", f.Code, r, got, r.TokensAfter)
	}
	if !r.Ranked() {
		return
	}
	within := func(rank int) bool { return rank > 0 && rank <= report.Limit }
	if r.Enters != (within(r.RankAfter) && !within(r.RankBefore)) {
		t.Errorf("%s %+v: enters %t", f.Code, r, r.Enters)
	}
	var displaced *model.Tool
	for _, h := range s.Search(r.Query, report.Limit, report.Limit).Hits {
		rank, _, _ := after.Rank(r.Query, after.Registry.Tools[index(h.Tool)])
		if r.Enters && within(h.Rank) && !within(rank) && displaced == nil {
			displaced = h.Tool
		}
	}
	if displaced != r.Displaced {
		t.Errorf("%s %+v: displaces %v", f.Code, r, displaced)
	}
	if got, _, _ := s.Rank(r.Query, r.Subject); got != r.RankBefore {
		t.Errorf("%s %+v: rank %d before, said %d", f.Code, r, got, r.RankBefore)
	}
	if got, _, _ := after.Rank(r.Query, after.Registry.Tools[index(r.Subject)]); got != r.RankAfter {
		t.Errorf("%s %+v: rank %d after, said %d", f.Code, r, got, r.RankAfter)
	}
}

// findingGone looks for a finding in the registry that its remedy has made.
func findingGone(t *testing.T, after *engine.Snapshot, report lint.Report, f lint.Finding) {
	t.Helper()
	if f.Tool != nil && f.Remedy.Edits[0].Remove {
		return // with its tool
	}
	index := -1
	if f.Tool != nil {
		index = f.Tool.Index
	}
	of := func(g lint.Finding) bool { return g.Tool == nil && index < 0 || g.Tool != nil && g.Tool.Index == index }
	now, err := lint.Run(t.Context(), after, lint.Options{
		Keep: func(g lint.Finding) bool {
			if !of(g) {
				return false
			}
			if g.Code == f.Code && (f.Tool != nil || g.Message == f.Message) {
				t.Errorf("%s of %s is there behind %q: %s", f.Code, f.Tool.Qualified, f.Remedy.Change, g.Message)
				return false
			}
			known := slices.ContainsFunc(report.Findings, func(o lint.Finding) bool {
				return of(o) && o.Code == g.Code && o.Severity.AtLeast(g.Severity)
			})
			shorter := g.Code == lint.CutDescription // which was a long description
			if !known && !shorter && f.Tool != nil && g.Severity.AtLeast(f.Severity) {
				t.Errorf("%s of %s: behind %q comes %s: %s", f.Code, f.Tool.Qualified, f.Remedy.Change, g.Code, g.Message)
			}
			return false
		},
	})
	if err != nil || len(now.Findings) > 0 {
		t.Errorf("%v, %d findings", err, len(now.Findings))
	}
}

// rewriteDump applies edits to a dump by decoding and encoding it.
func rewriteDump(t *testing.T, dump []byte, edits []whatif.Edit) []byte {
	t.Helper()
	var d struct {
		Toolsets json.RawMessage              `json:"toolsets,omitempty"`
		Tools    []map[string]json.RawMessage `json:"tools"`
	}
	require.NoError(t, json.Unmarshal(dump, &d))
	encode := func(v any) []byte {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(v))
		return b.Bytes()
	}
	gone := map[int]bool{}
	for _, e := range edits {
		if e.Remove {
			gone[e.Tool.Index] = true
			continue
		}
		entry := d.Tools[e.Tool.Index]
		var function map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(entry["function"], &function))
		if e.Name != nil {
			function["name"] = encode(*e.Name)
		}
		if e.Description != nil {
			function["description"] = encode(*e.Description)
		}
		if e.Parameters != nil {
			function["parameters"] = e.Parameters
		}
		entry["function"] = encode(function)
	}
	kept := d.Tools[:0]
	for i, entry := range d.Tools {
		if !gone[i] {
			kept = append(kept, entry)
		}
	}
	d.Tools = slices.Clip(kept)
	return encode(d)
}

// No remedy is offered that does not help, and a fault found twice in one schema
// is told once.
func TestRemediesThatDoNotHelp(t *testing.T) {
	dump := `{"toolsets":{},"tools":[
		{"type":"function","toolset":"s","function":{"name":"搜索","description":"搜","parameters":{"type":"object"}}},
		{"type":"function","toolset":"s","function":{"name":"twice","description":"Looks at what is there twice.","parameters":{"type":"object","properties":{"a":{"$ref":"#/$defs/no"},"b":{"$ref":"#/$defs/no"}},"required":["z","z"]}}}]}`
	s := snapshot(t, []byte(dump), config.Default())
	report, err := lint.Run(t.Context(), s, lint.Options{})
	require.NoError(t, err)
	checked := 0
	for _, f := range report.Findings {
		switch f.Code {
		case lint.NameRule, lint.DarkTool:
			checked++
			if f.Remedy != nil && (f.Code == lint.NameRule || f.Remedy.Edits != nil) { // another ranker finds the dark tool
				t.Errorf("%s: %s", f.Message, f.Remedy.Change)
			}
		case lint.DanglingReference, lint.UndefinedRequired:
			checked++
			if strings.Contains(f.Message, "more") {
				t.Errorf("told twice: %s", f.Message)
			}
		}
	}
	if checked != 4 {
		t.Errorf("%d findings, want 4", checked)
	}
}

// A tool whose text the ranker cannot read is told so, and the ranker that reads it is
// tried as the remedy.
func TestUnreadTexts(t *testing.T) {
	const dump = `[
		{"type":"function","function":{"name":"mcp_kelp_dry","description":"海藻を浜辺で乾かします。"}},
		{"type":"function","function":{"name":"mcp_kelp_sort","description":"Sort the kelp by length."}}]`
	for ranker, want := range map[string]string{config.RankerBM25: "rank with fielded", config.RankerGated: "rank with fielded", config.RankerFielded: ""} {
		c := config.Default()
		c.ToolSearch.Enabled, c.ToolSearch.Ranker = config.On, ranker
		report, err := lint.Run(t.Context(), snapshot(t, []byte(dump), c), lint.Options{})
		require.NoError(t, err)
		got := ""
		for _, f := range report.Findings {
			if f.Code != lint.SentenceNotFound {
				continue
			}
			if !strings.Contains(f.Message, ranker+" reads ASCII letters and digits only, and 11 of the 11 in it are others") || !strings.Contains(f.Message, "English words in the description") {
				t.Errorf("%s: %s", ranker, f.Message)
			}
			if r := f.Remedy; r == nil || r.Edits != nil || r.RankBefore != 0 || r.RankAfter != 1 || !r.Enters || r.Displaced != nil {
				t.Errorf("%s: %+v", ranker, r)
			} else {
				got = r.Change
			}
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", ranker, got, want)
		}
	}
}

// Definitions that nothing refers to are taken out also where the structure stays heavy.
func TestUnusedDefinitionsOfHeavySchema(t *testing.T) {
	kelp := `"kelp":{"anyOf":[` + strings.Repeat(`{"type":"object","properties":{"a":{"type":"string"}}},`, 30) + `{"type":"null"}]}`
	dump := `[{"type":"function","function":{"name":"mcp_kelp_cut","description":"Cut.","parameters":{"type":"object","properties":{"k":{"$ref":"#/$defs/kelp"}},"$defs":{` +
		kelp + `,"wrack":{"type":"object","properties":{"length":{"type":"integer"}}}}}}}]`
	report, err := lint.Run(t.Context(), snapshot(t, []byte(dump), config.Default()), lint.Options{})
	require.NoError(t, err)
	taken := false
	for _, f := range report.Findings {
		const heavy = "structure takes 475 of 479 tokens, name and descriptions 4; without the schema noise it still takes 457, and no mechanical change helps further"
		if f.Code == lint.SchemaStructure && (f.Remedy != nil || f.Message != heavy) {
			t.Errorf("the structure: %q, %+v", f.Message, f.Remedy)
		}
		if r := f.Remedy; f.Code == lint.SchemaNoise && r != nil {
			if r.Change != "delete from the parameters: 1 definition that nothing refers to" || r.TokensAfter >= r.TokensBefore {
				t.Errorf("%+v", r)
			}
			taken = true
		}
	}
	if !taken {
		t.Errorf("no remedy takes the definition out: %+v", report.Findings)
	}
}
