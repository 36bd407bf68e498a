package whynot

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/shapes"
)

// A query in letters that the ranker does not read is answered with a ranker that does.
func TestWhyNotOtherLetters(t *testing.T) {
	const dump = `[
		{"type":"function","function":{"name":"mcp_kelp_dry","description":"海藻を浜辺で乾かします。"}},
		{"type":"function","function":{"name":"mcp_kelp_sort","description":"Sort the kelp by length."}}]`
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(dump)})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if why := s.WhyNone(tt.query); !strings.Contains(why, tt.why) || tt.why == "" && strings.Contains(why, "fielded") {
			t.Errorf("%s, %q: %s", tt.ranker, tt.query, why)
		}
	}
}
