package lint_test

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/lint"
	"caliper/model/require"
)

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
		if f.Code == lint.SchemaStructure && (f.Remedy != nil || !strings.HasSuffix(f.Message, ", and no mechanical change helps further")) {
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
