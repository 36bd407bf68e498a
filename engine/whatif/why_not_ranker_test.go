package whatif

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// A query in letters that the ranker does not read is answered with a ranker that does.
func TestWhyNotOtherLetters(t *testing.T) {
	const dump = `[
		{"type":"function","function":{"name":"mcp_kelp_dry","description":"海藻を浜辺で乾かします。"}},
		{"type":"function","function":{"name":"mcp_kelp_sort","description":"Sort the kelp by length."}}]`
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(dump)})
	require.NoError(t, err)
	for _, tt := range []struct {
		ranker, query string
		stage         Stage
		rank          int // with fielded; 0: it is not proposed
		says, why     string
	}{
		{config.RankerBM25, "海藻を乾かす", StageNoMatch, 1, "bm25 reads ASCII letters and digits only: 6 of the 6 in the query it does not read.", "fielded reads letters"},
		{config.RankerGated, "海藻を乾かす", StageNoMatch, 1, "bm25-gated reads ASCII", "fielded reads letters"},
		{config.RankerBM25, "водоросли", StageNoMatch, 0, "9 of the 9", "fielded reads letters"},
		{config.RankerBM25, "length", StageNoMatch, 0, "", ""},
		{config.RankerFielded, "海藻を乾かす", StageFound, 0, "", ""},
	} {
		in := engine.Inputs{Registry: registry, Config: config.Default(), Session: config.DefaultSession}
		in.Config.ToolSearch.Enabled, in.Config.ToolSearch.Ranker = config.On, tt.ranker
		w := whyNot(t, in, tt.query, "mcp_kelp_dry", 0)
		if text := w.String(); w.Stage != tt.stage || !strings.Contains(text, tt.says) || tt.says == "" && strings.Contains(text, "ASCII") {
			t.Errorf("%s, %q: %s, %s", tt.ranker, tt.query, w.Stage, text)
		}
		got := 0
		if i := slices.IndexFunc(w.Remedies, func(r Remedy) bool { return r.Kind == RemedyRanker && r.Change == config.RankerFielded }); i >= 0 {
			got = w.Remedies[i].NewRank
		}
		if got != tt.rank {
			t.Errorf("%s, %q: rank %d, want %d", tt.ranker, tt.query, got, tt.rank)
		}
		s, err := engine.NewBuilder().Build(t.Context(), in)
		require.NoError(t, err)
		if why := s.WhyNone(tt.query); !strings.Contains(why, tt.why) || tt.why == "" && strings.Contains(why, "fielded") {
			t.Errorf("%s, %q: %s", tt.ranker, tt.query, why)
		}
	}
}

// What a tool without a score lacks is said by what the ranker compares, and the ranker that
// compares words and meanings is a remedy where a search with it finds the tool.
func TestWhyNotByMeaning(t *testing.T) {
	const dump = `[
		{"type":"function","function":{"name":"mcp_survey_satisfaction","description":"Report how content customers were."}},
		{"type":"function","function":{"name":"mcp_kelp_sort","description":"Order seaweed by length."}},
		{"type":"function","function":{"name":"mcp_kelp_zzyq","description":"Zzyq."}}]`
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(dump)})
	require.NoError(t, err)
	const word, near = "shares no word with the query", "is not near to it in meaning as a whole"
	for _, tt := range []struct {
		ranker, query, tool string
		weight              float64
		lacks               string // empty: it has a score
		hybrid              int    // rank with the remedy; 0: there is none
	}{
		{config.RankerBM25, "happy", "mcp_survey_satisfaction", 0.7, word, 1},
		{config.RankerFielded, "happy", "mcp_survey_satisfaction", 0.7, word, 1},
		{config.RankerFielded, "happy", "mcp_survey_satisfaction", 0, word, 0}, // hybrid would compare none
		{config.RankerHybrid, "happy", "mcp_survey_satisfaction", 0.7, "", 0},
		{config.RankerHybrid, "happy", "mcp_kelp_zzyq", 0.7, word + ", and " + near, 0},
		{config.RankerHybrid, "happy", "mcp_survey_satisfaction", 0, word, 0},
		{config.RankerSemantic, "happy", "mcp_kelp_zzyq", 0.7, "is not near in meaning to the query as a whole", 0},
		{config.RankerSemantic, "qqxx of zzyqs", "mcp_kelp_zzyq", 0.7, "is not near in meaning to the query as a whole", 1}, // its word, which the table does not know
	} {
		in := engine.Inputs{Registry: registry, Config: config.Default(), Session: config.DefaultSession}
		in.Config.ToolSearch.Enabled, in.Config.ToolSearch.Ranker, in.Config.ToolSearch.Meaning = config.On, tt.ranker, tt.weight
		w := whyNot(t, in, tt.query, tt.tool, 0)
		says := w.Lacks()
		if w.Stage == StageFound {
			says = ""
		}
		if says != tt.lacks || says != "" && !strings.Contains(w.String(), says) {
			t.Errorf("%s, %s for %q: %q, want %q; %s", tt.ranker, tt.tool, tt.query, says, tt.lacks, w)
		}
		got := 0
		for i, r := range w.Remedies {
			if r.Kind == RemedyRanker && r.Change == config.RankerHybrid && i == 0 { // before weaker advice
				got = r.NewRank
			}
		}
		if got != tt.hybrid {
			t.Errorf("%s, %s for %q: hybrid has it at %d, want %d", tt.ranker, tt.tool, tt.query, got, tt.hybrid)
		}
		s, err := engine.NewBuilder().Build(t.Context(), in)
		require.NoError(t, err)
		for query, want := range map[string]string{
			"qqxx": map[string]string{config.RankerHybrid: "none is near to it in meaning", config.RankerSemantic: "the ranker hybrid compares words too"}[tt.ranker],
			"the":  "",
		} {
			if tt.weight == 0 {
				want = ""
			}
			if why := s.WhyNone(query); why == "" || !strings.Contains(why, want) || want == "" && strings.Contains(why, "meaning") {
				t.Errorf("%s, %q: %s", tt.ranker, query, why)
			}
		}
	}
}
