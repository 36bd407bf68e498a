package whatif

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/jsontree"
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

// Sessions are offered by how few tools they are granted, never the one asked
// in, and no more than three.
func TestWhyNotSessions(t *testing.T) {
	in := whyNotInputs(t)
	in.Config.Sessions = nil
	for _, s := range []struct{ name, toolsets string }{
		{"asked", "ships"}, {"wide", "light ships"}, {"one", "light"}, {"two", "light"}, {"other", "ships"}, {"three", "light"}, {"four", "light"},
	} {
		in.Config.Sessions = append(in.Config.Sessions, config.Session{Name: s.name, Enabled: strings.Fields(s.toolsets)})
	}
	in.Session = "asked"
	want := []Remedy{{RemedySession, "one", 1, false, nil}, {RemedySession, "two", 1, false, nil}, {RemedySession, "three", 1, false, nil}}
	for _, query := range []string{"turn", "bearing"} { // wide finds it by the second
		if w := whyNot(t, in, query, "zz_beam", 1); !slices.Equal(w.Remedies, want) {
			t.Errorf("%s: %+v", query, w)
		}
	}
	if w := whyNot(t, in, "lamp", "zz_beam", 1); len(w.Remedies) != 0 || w.Advice() != "No other session finds it by this query within the limit." {
		t.Errorf("%+v: %s", w, w.Advice())
	}
}

// lighthouse is a fleet in which auto searches among all tools, and sends the
// few of one toolset.
func lighthouse(t testing.TB) engine.Inputs {
	in := whyNotInputs(t)
	context := 3000
	in.Config.ToolSearch.Enabled, in.Config.ContextLength = config.Auto, &context
	in.Config.Sessions = []config.Session{
		{Name: "none", Enabled: []string{}}, {Name: "small", Enabled: []string{"light"}}, {Name: "big"},
	}
	return in
}

// Of sessions that find the tool, those that search come first; those that are
// sent it anyway are offered, and said to be.
func TestWhyNotSessionsWithoutSearch(t *testing.T) {
	in := lighthouse(t)
	small, big := Remedy{RemedySession, "small", 1, true, nil}, Remedy{RemedySession, "big", 1, false, nil}
	for query, want := range map[string][]Remedy{"bearing": {big, small}, "turn": {small}} {
		if w := whyNot(t, in, query, "zz_beam", 1); !slices.Equal(w.Remedies, want) || w.Direct {
			t.Errorf("%s: %+v, want %v", query, w, want)
		}
	}
	if got := string(jsontree.Encode(small)); got != `{"kind":"session","change":"small","new_rank":1,"direct":true}` {
		t.Error(got)
	}
	// However many small sessions there are, the one that searches is tried, and
	// however many search in vain, one that is sent the tool.
	for i := range 3 * maxSessionTrials {
		in.Config.Sessions = append(in.Config.Sessions, config.Session{Name: fmt.Sprint(i), Enabled: [][]string{{"light"}, nil}[i%2]})
	}
	if w := whyNot(t, in, "bearing", "zz_beam", 1); len(w.Remedies) != maxSessions || w.Remedies[0] != big {
		t.Errorf("%v", w.Remedies)
	}
	if w := whyNot(t, in, "turn", "zz_beam", 1); len(w.Remedies) != maxSessions || w.Remedies[0] != small {
		t.Errorf("%v", w.Remedies)
	}
}

// Where search is not active, the stage belongs to the search which a person
// makes, and the answer tells that the model has the tool anyway.
func TestWhyNotWithoutSearch(t *testing.T) {
	in := lighthouse(t)
	in.Session = "small"
	const sent = " Search is not active in this session: the model is sent the tool in full, and searches for nothing."
	for query, want := range map[string]Stage{"bearing": StageFound, "lamp": StageNoMatch} {
		w := whyNot(t, in, query, "zz_beam", 1)
		if w.Stage != want || !w.Direct || !strings.HasSuffix(w.String(), sent) || !strings.HasSuffix(string(jsontree.Encode(w)), `,"direct":true}`) {
			t.Errorf("%s: %+v: %s", query, w, w)
		}
	}
	in.Session = "big"
	if w := whyNot(t, in, "bearing", "zz_beam", 1); w.Direct || strings.Contains(w.String(), sent) {
		t.Errorf("%+v: %s", w, w)
	}
}
