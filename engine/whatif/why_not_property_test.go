package whatif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// sample is a registry with sessions to ask about.
type sample struct {
	data     []byte
	registry *model.Registry
	config   config.Config
	builder  *engine.Builder
	words    []string // of descriptions, as often as they stand there
	random   *rand.Rand
}

// newSample reads the demo.
func newSample(tb testing.TB) *sample {
	tb.Helper()
	m := &sample{builder: engine.NewBuilder(), random: rand.New(rand.NewPCG(1, 2))}
	var err error
	m.data, err = os.ReadFile("../../tui/demo/registry.json")
	require.NoError(tb, err)
	m.registry, err = shapes.Parse(tb.Context(), model.Source{Name: "r.json", Data: m.data})
	require.NoError(tb, err)
	data, err := os.ReadFile("../../tui/demo/config.yaml")
	require.NoError(tb, err)
	parsed, err := config.Parse("c.yaml", data)
	require.NoError(tb, err)
	m.config = parsed.Config
	for _, t := range m.registry.Tools {
		m.words = append(m.words, retrieval.Tokens(t.Description)...)
	}
	return m
}

// build makes the snapshot of a session.
func (m *sample) build(tb testing.TB, r *model.Registry, session string) *engine.Snapshot {
	tb.Helper()
	s, err := m.builder.Build(tb.Context(), engine.Inputs{Registry: r, Config: m.config, Session: session})
	require.NoError(tb, err)
	return s
}

// query returns one to six random words of descriptions.
func (m *sample) query() string {
	words := make([]string, 1+m.random.IntN(6))
	for i := range words {
		words[i] = m.words[m.random.IntN(len(m.words))]
	}
	return strings.Join(words, " ")
}

// tool returns a random tool.
func (m *sample) tool() *model.Tool { return m.registry.Tools[m.random.IntN(len(m.registry.Tools))] }

// session returns the name of a random session.
func (m *sample) session() string {
	return m.config.Sessions[m.random.IntN(len(m.config.Sessions))].Name
}

// described returns the registry of the same dump, but for the description of
// one tool.
func (m *sample) described(tb testing.TB, t *model.Tool, description string) *model.Registry {
	tb.Helper()
	var function map[string]json.RawMessage
	require.NoError(tb, json.Unmarshal(t.Function, &function))
	function["description"] = jsontree.Encode(description)
	at := int(t.At.Byte) + bytes.Index(m.data[t.At.Byte:], t.Function)
	data := slices.Concat(m.data[:at], jsontree.Encode(function), m.data[at+len(t.Function):])
	r, err := shapes.Parse(tb.Context(), model.Source{Name: "r.json", Data: data})
	require.NoError(tb, err)
	if got := r.Tools[t.Index]; got.Name != t.Name || got.Description != description {
		tb.Fatalf("%s was to be changed, and %s was", t.Name, got.Name)
	}
	return r
}

// rank searches and returns the rank of the tool of an index, 0 when it is not
// among the hits within the limit.
func rankByName(s *engine.Snapshot, query string, limit, index int) int {
	for _, h := range s.Search(query, limit, 0).Hits {
		if h.Tool.Index == index && h.Within {
			return h.Rank
		}
	}
	return 0
}

// apply does what a remedy says to a search that did not find the tool, and
// returns the tool's rank.
func (m *sample) apply(tb testing.TB, s *engine.Snapshot, query string, limit int, t *model.Tool, r Remedy) int {
	tb.Helper()
	switch r.Kind {
	case RemedyQueryWord:
		return rankByName(s, query+" "+r.Change, limit, t.Index)
	case RemedyDescriptionWords:
		edited := m.build(tb, m.described(tb, t, t.Description+" "+r.Change), s.Session.Name)
		var displaced *model.Tool
		for _, h := range s.Search(query, limit, 0).Hits {
			if h.Within && displaced == nil && rankByName(edited, query, limit, h.Tool.Index) == 0 {
				displaced = h.Tool
			}
		}
		if r.Displaced != displaced {
			tb.Errorf("%q for %s: %+v displaces %+v", query, t.Qualified, r, displaced)
		}
		return rankByName(edited, query, limit, t.Index)
	case RemedyLimit:
		n, err := strconv.Atoi(r.Change)
		if err != nil || n > s.Config.ToolSearch.MaxLimit {
			tb.Errorf("limit %s", r.Change)
		}
		return rankByName(s, query, n, t.Index)
	case RemedyRanker:
		in := s.Inputs()
		in.Config.ToolSearch.Ranker = r.Change
		ranked, err := engine.NewBuilder().Build(tb.Context(), in)
		require.NoError(tb, err)
		return rankByName(ranked, query, limit, t.Index)
	case RemedySession:
		return rankByName(m.build(tb, m.registry, r.Change), query, limit, t.Index)
	case RemedyName:
		return rankByName(s, r.Change, limit, t.Index)
	}
	tb.Errorf("a remedy of kind %q", r.Kind)
	return 0
}

// holds checks one answer: its stage against a search, and every remedy by
// doing what it says.
func (m *sample) holds(tb testing.TB, s *engine.Snapshot, query string, limit int, t *model.Tool) Answer {
	tb.Helper()
	w, err := WhyNot(tb.Context(), m.builder, s, query, t.Qualified, limit)
	require.NoError(tb, err)
	before := rankByName(s, query, limit, t.Index)
	if (before > 0) != (w.Stage == StageFound) || before > 0 && before != *w.Rank {
		tb.Errorf("%q for %s: %+v, and the search finds it at rank %d", query, t.Qualified, w, before)
	}
	for i, r := range w.Remedies {
		if got := m.apply(tb, s, query, limit, t, r); got != r.NewRank || got == 0 || r.Kind != RemedyLimit && got > limit {
			tb.Errorf("%q for %s in %s, limit %d: remedy %d, %+v, gives rank %d", query, t.Qualified, s.Session.Name, limit, i, r, got)
		}
	}
	return w
}

// Every remedy of 500 random questions holds, on the demo.
func TestWhyNotRemediesHold(t *testing.T) {
	m := newSample(t)
	kinds := map[string]int{}
	for range 250 {
		s := m.build(t, m.registry, m.session())
		w := m.holds(t, s, m.query(), 1+m.random.IntN(8), m.tool())
		kinds[string(w.Stage)]++
		for _, r := range w.Remedies {
			kinds[string(r.Kind)]++
			if r.Kind == RemedyQueryWord && strings.Contains(r.Change, " ") {
				kinds["two words"]++
			}
		}
	}
	for _, want := range []string{"core", "out_of_scope", "no_match", "below_limit", "found",
		"query_word", "two words", "description_words", "limit", "session", "name"} {
		if kinds[want] == 0 {
			t.Errorf("no %s among the answers: %v", want, kinds)
		}
	}
}

// No word of the tool does better than the one offered among its
// kind, two are offered only where one does not do, and no fewer words do in
// the description.
func TestWhyNotRemediesAreSmall(t *testing.T) {
	m := newSample(t)
	s := m.build(t, m.registry, "default")
	for range 150 {
		query, tool := m.query(), m.tool()
		w, err := WhyNot(t.Context(), m.builder, s, query, tool.Qualified, 3)
		require.NoError(t, err)
		if w.Stage != StageNoMatch && w.Stage != StageBelowLimit {
			continue
		}
		change := map[RemedyKind]Remedy{}
		for _, r := range w.Remedies {
			change[r.Kind] = r
		}
		m.wordIsBest(t, s, w, change[RemedyQueryWord])
		m.wordsAreFew(t, s, w, strings.Fields(change[RemedyDescriptionWords].Change))
	}
}

// wordIsBest checks the remedy of an answer that adds to the query.
func (m *sample) wordIsBest(tb testing.TB, s *engine.Snapshot, w Answer, r Remedy) {
	tb.Helper()
	asked := retrieval.Tokens(w.Query)
	description, parameters := retrieval.Tokens(w.Tool.Description), retrieval.Tokens(strings.Join(w.Tool.PropertyNames(), " "))
	times := map[string]int{}
	for _, word := range description {
		times[word]++
	}
	for _, words := range [][]string{
		retrieval.Tokens(w.Tool.Name),
		slices.DeleteFunc(slices.Clone(description), func(w string) bool { return retrieval.Filler(w) || times[w] < 2 }),
		slices.DeleteFunc(slices.Clone(description), retrieval.Filler),
		slices.DeleteFunc(slices.Clone(parameters), retrieval.Filler),
		slices.DeleteFunc(slices.Concat(description, parameters), func(w string) bool { return !retrieval.Filler(w) }),
	} {
		best := 0
		for _, word := range words {
			rank := rankByName(s, w.Query+" "+word, w.Limit, w.Tool.Index)
			if rank > 0 && (best == 0 || rank < best) && !slices.Contains(asked, word) {
				best = rank
			}
		}
		if best > 0 {
			if r.NewRank != best || !slices.Contains(words, r.Change) {
				tb.Errorf("%q for %s: %+v, and a word of %q gives rank %d", w.Query, w.Name, r, words, best)
			}
			return
		}
	}
	if r.Change != "" && len(strings.Fields(r.Change)) != 2 {
		tb.Errorf("%q for %s: %+v, and no single word does", w.Query, w.Name, r)
	}
}

// wordsAreFew checks the remedy of an answer that adds to the description: where it has more
// than one word, none alone does, and where it has more than two, no two do.
func (m *sample) wordsAreFew(tb testing.TB, s *engine.Snapshot, w Answer, offered []string) {
	tb.Helper()
	missing, _ := s.Vocabulary().Missing(w.Tool, w.Query)
	fewer := pairs(missing)
	if len(offered) < 3 {
		fewer = nil
	}
	for _, word := range missing {
		if len(offered) != 1 {
			fewer = append(fewer, []string{word})
		}
	}
	for _, list := range fewer {
		tried, err := TryText(tb.Context(), s, w.Tool, Mention(w.Tool.Description, strings.Join(list, " ")))
		require.NoError(tb, err)
		if e, err := tried.Entry(tb.Context(), w.Query, w.Tool, w.Limit); err != nil || e.Enters {
			tb.Errorf("%q for %s: %q offered, and %q gives %+v, %v", w.Query, w.Name, offered, list, e, err)
		}
	}
}

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
		hybrid              int    // rank with the remedy; 0: not found
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

// Sessions that find the tool by a search come first. Sessions that are sent it anyway
// follow, and the answer tells that they are.
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
	if w := whyNot(t, in, "bearing", "zz_beam", 1); len(w.Remedies) != 3 || w.Remedies[0] != big {
		t.Errorf("%v", w.Remedies)
	}
	if w := whyNot(t, in, "turn", "zz_beam", 1); len(w.Remedies) != 3 || w.Remedies[0] != small {
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
