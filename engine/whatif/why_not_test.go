package whatif

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// whyNot asks a builder of its own.
func whyNot(t testing.TB, in engine.Inputs, query, name string, limit int) Answer {
	t.Helper()
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), in)
	require.NoError(t, err)
	w, err := WhyNot(t.Context(), b, s, query, name, limit)
	require.NoError(t, err)
	return w
}

func TestWhyNotStages(t *testing.T) {
	tests := []struct {
		name    string
		session string
		query   string
		tool    string
		limit   int
		stage   Stage
		ranked  bool
	}{
		{"takes a bridge name", "wide", "impostor", "tool_search", 0, StageUnknown, false},
		{"core", "wide", "read", "read_file", 0, StageCore, false},
		{"core outside the scope", "harbor", "read", "read_file", 0, StageOutOfScope, false},
		{"outside the scope", "harbor", "read the tide", "mcp_tide_read", 0, StageOutOfScope, true},
		{"outside, no word", "harbor", "berth", "mcp_tide_read", 0, StageOutOfScope, false},
		{"qualified, outside", "harbor", "sound", "mcp-tide/horn", 0, StageOutOfScope, true},
		{"not available", "wide", "read the tide", "mcp_tide_broken", 0, StageOutOfScope, false},
		{"nothing granted", "idle", "ship", "mcp_harbor_tow", 0, StageOutOfScope, true},
		{"no word", "wide", "ship", "mcp_harbor_book", 0, StageNoMatch, false},
		{"query without words", "wide", "¿?", "mcp_harbor_book", 0, StageNoMatch, false},
		{"below", "wide", "ship", "mcp_harbor_tow", 1, StageBelowLimit, true},
		{"spaces around the name", "wide", "ship", " mcp_harbor_tow\n", 2, StageFound, true},
		{"qualified", "wide", "sound twice", "mcp-tide/horn", 0, StageFound, true},
		{"found by name alone", "wide", "arbor_", "mcp_harbor_tow", 5, StageFound, true},
		{"below by name alone", "wide", "arbor_", "mcp_harbor_tow", 2, StageBelowLimit, true},
	}
	for _, tt := range tests {
		w := whyNot(t, gateInputs(t, tt.session), tt.query, tt.tool, tt.limit)
		if w.Stage != tt.stage || (w.Rank != nil) != tt.ranked || (w.Score != nil) != tt.ranked {
			t.Errorf("%s: %+v", tt.name, w)
		}
		if (w.Gap != nil) != (w.Score != nil && w.CutScore != nil) {
			t.Errorf("%s: a gap without its ends, or none between them: %+v", tt.name, w)
		}
		if w.Remedies == nil || w.Stage == StageFound && len(w.Remedies) > 0 {
			t.Errorf("%s: remedies %v", tt.name, w.Remedies)
		}
	}
}

// The figures come from the search that does not find the tool.
func TestWhyNotFigures(t *testing.T) {
	in := gateInputs(t, "wide")
	s, err := engine.Build(t.Context(), in)
	require.NoError(t, err)
	const query = "read a ship twice"
	for _, h := range s.Search(query, 1, 100).Hits {
		for limit := 1; limit <= 5; limit++ {
			w := whyNot(t, in, query, h.Tool.Qualified, limit)
			within := s.Search(query, limit, 0).Hits
			if *w.Rank != h.Rank || *w.Score != h.Score || (w.Stage == StageFound) != (h.Rank <= limit) {
				t.Errorf("%s at %d: %+v, want rank %d and score %v", h.Tool.Name, limit, w, h.Rank, h.Score)
			}
			switch {
			case len(within) < limit:
				if w.CutScore != nil || w.Gap != nil {
					t.Errorf("%s at %d: a cut line where every hit is within: %+v", h.Tool.Name, limit, w)
				}
			case *w.CutScore != within[limit-1].Score || *w.Gap != within[limit-1].Score-h.Score:
				t.Errorf("%s at %d: cut %v and gap %v", h.Tool.Name, limit, *w.CutScore, *w.Gap)
			}
		}
	}
}

// The rank of a tool out of scope is that in a session granted everything.
func TestWhyNotOutOfScope(t *testing.T) {
	wide, err := engine.Build(t.Context(), gateInputs(t, "wide"))
	require.NoError(t, err)
	const query = "sink the ship or read the tide"
	tool := wide.Registry.Lookup("mcp_tide_read")[0]
	rank, score, ok := wide.Rank(query, tool)
	w := whyNot(t, gateInputs(t, "harbor"), query, tool.Name, 1)
	cut := wide.Search(query, 1, 0).Hits[0].Score
	if !ok || *w.Rank != rank || *w.Score != score || *w.CutScore != cut || *w.Gap != cut-score {
		t.Errorf("%+v, want rank %d, score %v, cut %v", w, rank, score, cut)
	}
}

// whyNotInputs returns inputs over a fleet of 30 ships.
func whyNotInputs(t testing.TB) engine.Inputs {
	t.Helper()
	r, c := fixture.Fleet(t, 30)
	return engine.Inputs{Registry: r, Config: c}
}

// gateInputs returns inputs over fixture.Harbor for one of its sessions.
func gateInputs(t testing.TB, session string) engine.Inputs {
	t.Helper()
	r, c := fixture.Harbor(t)
	return engine.Inputs{Registry: r, Config: c, Session: session}
}

// All ships but one have a lamp, so that nobody is advised to mention it.
func TestWhyNotRemedies(t *testing.T) {
	in := whyNotInputs(t)
	tests := []struct {
		name  string
		query string
		limit int
		want  []Remedy
	}{
		{"below the limit", "turn lamp", 3, []Remedy{
			{RemedyQueryWord, "zz", 1, false, nil}, {RemedySession, "light", 1, false, nil}, {RemedyName, "zz_beam", 1, false, nil}}},
		{"no word", "lamp", 3, []Remedy{
			{RemedyQueryWord, "zz", 1, false, nil}, {RemedyName, "zz_beam", 1, false, nil}}},
		{"found only by name", "ip_", 5, []Remedy{
			{RemedyQueryWord, "zz", 1, false, nil}, {RemedyName, "zz_beam", 1, false, nil}}},
		{"no words in the query", "¿?", 3, []Remedy{
			{RemedyQueryWord, "zz", 1, false, nil}, {RemedyName, "zz_beam", 1, false, nil}}},
		{"a slip in the query", "lmap turn", 3, []Remedy{
			{RemedyQueryWord, "zz", 1, false, nil}, {RemedySession, "light", 1, false, nil}, {RemedyName, "zz_beam", 1, false, nil}}},
		{"the name already in the query", "zz beam ship ship ship ship ship ship ship ship ship ship", 1, []Remedy{}},
	}
	for _, tt := range tests {
		w := whyNot(t, in, tt.query, "zz_beam", tt.limit)
		for i, r := range w.Remedies { // a property test is about the tools that fall behind
			if r.Displaced = nil; r.Kind != RemedyDescriptionWords && w.Remedies[i].Displaced != nil {
				t.Errorf("%s: %s hurts %s", tt.name, r, w.Remedies[i].Displaced.Name)
			}
			w.Remedies[i] = r
		}
		if !slices.Equal(w.Remedies, tt.want) {
			t.Errorf("%s: %s with %+v, want %+v", tt.name, w, w.Remedies, tt.want)
		}
	}
}

// Words of the query that no tool has are tried in the description, those that tools
// have first, and not those that are one edit away from one; the answer names both.
func TestWhyNotWordsOfNoTool(t *testing.T) {
	in := whyNotInputs(t)
	for _, tt := range []struct {
		name, query  string
		mention      string
		tried, slips []string
	}{
		{"in no tool", "lamp zebra", "zebra", nil, nil},
		{"of two the first", "lamp zebra okapi", "zebra", nil, nil},
		{"a slip, exchanged", "lmap", "", nil, []string{"lmap"}},
		{"a slip, one more", "lamps", "", nil, []string{"lamps"}},
		{"a stop word, a number, a letter", "lamp the 42 q", "", nil, nil},
	} {
		w := whyNot(t, in, tt.query, "zz_beam", 3)
		mention := ""
		for _, r := range w.Remedies {
			if r.Kind == RemedyDescriptionWords {
				mention = r.Change
			}
		}
		if mention != tt.mention || !slices.Equal(w.Tried, tt.tried) || !slices.Equal(w.Slips, tt.slips) {
			t.Errorf("%s: %q, tried %q, slips %q", tt.name, mention, w.Tried, w.Slips)
		}
	}
}

// What brings a tool to the first place was searched for and did; of a tool that is first
// already, or not found, nothing is said.
func TestAskFirst(t *testing.T) {
	in := whyNotInputs(t)
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), in)
	require.NoError(t, err)
	const query = "turn lamp"
	hits := s.Search(query, 0, 0).Hits
	for i, h := range hits[:3] {
		w, err := WhyNotFirst(t.Context(), b, s, query, h.Tool.Name)
		if err != nil || (len(w.First) > 0) != (i > 0) {
			t.Errorf("%s, first by %+v, %v", w, w.First, err)
		}
		for _, r := range w.First {
			if r.NewRank != 1 || r.Kind != RemedyQueryWord && r.Kind != RemedyDescriptionWords {
				t.Errorf("%+v", r)
			}
		}
	}
	if w, err := WhyNotFirst(t.Context(), b, s, query, "zz_beam"); err != nil || len(w.First) > 0 || len(w.Remedies) == 0 {
		t.Errorf("not found: first by %+v, found by %+v, %v", w.First, w.Remedies, err)
	}
}

// A limit is offered up to the configured maximum, and is the rank itself.
func TestWhyNotLimit(t *testing.T) {
	in := whyNotInputs(t)
	for rank, want := range map[int]bool{6: true, 20: true, 21: false} {
		w := whyNot(t, in, "lamp", fmt.Sprintf("ship_%02d", rank-1), 5)
		i := slices.IndexFunc(w.Remedies, func(r Remedy) bool { return r.Kind == RemedyLimit })
		if *w.Rank != rank || (i >= 0) != want || want && w.Remedies[i] != (Remedy{RemedyLimit, fmt.Sprint(rank), rank, false, nil}) {
			t.Errorf("rank %d: %+v", rank, w)
		}
	}
}

// Where tools are as like as two drops, nothing helps, and the answer says so.
func TestWhyNotNothingHelps(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`[
		{"type":"function","function":{"name":"あ","description":"Turn the lamp."}},
		{"type":"function","function":{"name":"い","description":"Turn the lamp."}}]`)})
	require.NoError(t, err)
	c := config.Default()
	c.ToolSearch.MaxLimit, c.ToolSearch.DefaultLimit = 1, 1
	w := whyNot(t, engine.Inputs{Registry: r, Config: c}, "lamp", "い", 0)
	if w.Stage != StageBelowLimit || *w.Rank != 2 || *w.Gap != 0 || len(w.Remedies) != 0 || !strings.HasPrefix(w.Advice(), "None of the changes tried") || !strings.HasSuffix(w.Advice(), "The query has no word to add to its description.") {
		t.Errorf("%+v: %s", w, w.Advice())
	}
}

// A tool with a higher score than the one whose name is the query is not said to be
// short of it.
func TestWhyNotBehindTheName(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`[
		{"type":"function","function":{"name":"lamp","description":"Turns one on, in a hall that is far away."}},
		{"type":"function","function":{"name":"lamp_lamp","description":"Lamp."}}]`)})
	require.NoError(t, err)
	c := config.DefaultOf(config.September2026)
	c.ToolSearch.MaxLimit, c.ToolSearch.DefaultLimit = 1, 1
	w := whyNot(t, engine.Inputs{Registry: r, Config: c}, "lamp", "lamp_lamp", 0)
	if w.Stage != StageBelowLimit || *w.Rank != 2 || *w.Gap >= 0 || !strings.Contains(w.String(), "the very name that was searched") {
		t.Errorf("%+v: %s", w, w)
	}
}

// A ranker that admits by gates is told by its gate, not by words that the tool
// may well have.
func TestWhyNotByGate(t *testing.T) {
	in := gateInputs(t, "wide")
	in.Config.ToolSearch.Ranker = config.RankerGated
	w := whyNot(t, in, "tow lanterns", "mcp_harbor_tow", 1)
	if w.Stage != StageNoMatch || !strings.HasPrefix(w.String(), "The query does not find mcp_harbor_tow, which is not admitted: ") {
		t.Errorf("%+v: %s", w, w)
	}
	in.Session = "idle"
	w = whyNot(t, in, "tow lanterns", "mcp_harbor_tow", 1)
	if w.Stage != StageOutOfScope || !strings.Contains(w.String(), "would not find mcp_harbor_tow either: not admitted: ") {
		t.Errorf("%+v: %s", w, w)
	}
}

// Words are offered that people would say: of a description the first ones
// that do, not the words of its conditions or those that every tool has.
func TestWhyNotOffersPlainWords(t *testing.T) {
	var tools []string
	for i := range 24 {
		name := fmt.Sprintf("mcp_x_list_pulls_%02d", i)
		if i < 4 {
			name += "_commits"
		}
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"mcp-x","function":{"name":%q,"description":"Get pulls."}}`, name))
	}
	tools = append(tools, `{"type":"function","toolset":"mcp-x","function":{"name":"mcp_x_list_commits",
		"description":"Get the commits of a branch, at least 30 unless quibbled.","parameters":{"type":"object","properties":{"perpage":{}}}}}`)
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`[` + strings.Join(tools, ",") + `]`)})
	require.NoError(t, err)
	c := config.Default()
	c.Core = nil
	for pulls, want := range map[int]string{1: "commits", 20: "branch", 32: "commits branch"} {
		query := "list" + strings.Repeat(" pulls", pulls)
		w := whyNot(t, engine.Inputs{Registry: r, Config: c}, query, "mcp_x_list_commits", 5)
		if len(w.Remedies) == 0 || w.Remedies[0].Change != want {
			t.Errorf("%d: %s, %v", pulls, w, w.Remedies)
		}
	}
}

func TestWhyNotSuggestions(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"horn", []string{"mcp-harbor/horn", "mcp-tide/horn"}},
		{"harbor_book", []string{"mcp_harbor_book"}},
		{"tide-read", []string{"mcp_tide_read"}}, // out of the session's scope
		{"mcp_tide_reed", []string{"mcp_tide_read"}},
		{"tool_call", nil},
		{"", nil},
	}
	for _, tt := range tests {
		w := whyNot(t, gateInputs(t, "harbor"), "ship", tt.name, 0)
		got := w.Suggestions
		if len(got) > len(tt.want) && len(tt.want) > 0 {
			got = got[:len(tt.want)]
		}
		if w.Stage != StageUnknown || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %+v, want %q", tt.name, w, tt.want)
		}
	}
}

func TestWhyNotJSON(t *testing.T) {
	w := whyNot(t, whyNotInputs(t), "turn lamp", "zz_beam", 3)
	got := string(jsontree.Encode(w))
	want := fmt.Sprintf(`{"name":"zz_beam","stage":"below_limit","rank":31,"score":%s,"cut_score":%s,"gap":%s,"remedies":[{"kind":"query_word","change":"zz","new_rank":1},`,
		jsontree.Encode(*w.Score), jsontree.Encode(*w.CutScore), jsontree.Encode(*w.CutScore-*w.Score))
	if !strings.HasPrefix(got, want) || strings.Contains(got, "suggestions") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = string(jsontree.Encode(whyNot(t, gateInputs(t, "wide"), "ship", "horn", 1)))
	want = `{"name":"horn","stage":"unknown","rank":null,"score":null,"cut_score":null,"gap":null,"remedies":[],"suggestions":["mcp-harbor/horn","mcp-tide/horn"],"generation":"june-2026"}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The same question has the same answer, whatever the builder learnt before,
// whoever asks at the same time, and the snapshot answers as before.
func TestWhyNotLeavesNoTrace(t *testing.T) {
	in := whyNotInputs(t)
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), in)
	require.NoError(t, err)
	before := fmt.Sprint(s.Search("turn lamp", 5, 100))
	want := string(jsontree.Encode(whyNot(t, in, "turn lamp", "zz_beam", 3)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				w, err := WhyNot(t.Context(), b, s, "turn lamp", "zz_beam", 3)
				if got := string(jsontree.Encode(w)); err != nil || got != want {
					t.Errorf("%v, %s, want %s", err, got, want)
				}
			}
		})
	}
	wg.Wait()
	if after := fmt.Sprint(s.Search("turn lamp", 5, 100)); after != before {
		t.Errorf("the search was %s and is %s", before, after)
	}
}

// lapsing is a context that ends when it has been asked a number of times.
type lapsing struct {
	context.Context
	left int
}

// Err counts down.
func (c *lapsing) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever it is stopped, the answer is the whole one or an error: of a tool that is found too low, of one
// that the session is not granted, and of none.
func TestWhyNotIsNeverAnsweredInPart(t *testing.T) {
	in := whyNotInputs(t)
	b := engine.NewBuilder()
	const query = "turn lamp"
	for _, asked := range [][2]string{{"", "zz_beam"}, {"ships", "zz_beam"}, {"", "nothing"}} {
		in.Session = asked[0]
		s, err := b.Build(t.Context(), in)
		require.NoError(t, err)
		whole, err := WhyNot(t.Context(), b, s, query, asked[1], 3)
		require.NoError(t, err)
		for n := 0; ; n++ {
			ctx := &lapsing{t.Context(), n}
			got, err := WhyNot(ctx, b, s, query, asked[1], 3)
			switch {
			case err != nil && (!errors.Is(err, context.Canceled) || got.Stage != ""):
				t.Fatalf("%s, stopped at question %d: %+v, %v", asked, n, got, err)
			case err == nil && !slices.Equal(got.Remedies, whole.Remedies):
				t.Errorf("%s, stopped at question %d: remedies %v, want %v", asked, n, got.Remedies, whole.Remedies)
			}
			if ctx.left >= 0 {
				if n == 0 {
					t.Errorf("%s: it is never asked", asked)
				}
				break // it is not asked more often
			}
		}
	}
}

// A query of a megabyte is answered with fewer trials.
func TestWhyNotLongQuery(t *testing.T) {
	w := whyNot(t, whyNotInputs(t), strings.Repeat("lamp ", 40_000), "zz_beam", 3)
	if w.Stage != StageNoMatch || len(w.Remedies) == 0 {
		t.Errorf("%s, %v", w.Stage, w.Remedies)
	}
}

func TestWhyNotText(t *testing.T) {
	tests := []struct {
		session, query, tool string
		limit                int
		want                 string
	}{
		{"wide", "ship", "horn", 1, "2 tools are called horn: each has an answer of its own, by its name with its toolset."},
		{"wide", "ship", "hor\x1b[2Jn", 1, "No tool of the registry is called hor␛[2Jn."},
		{"wide", "ship", "tool_call", 1, "tool_call is a tool of the bridge, which no search returns."},
		{"wide", "ship", "read_file", 1, "read_file is a core tool: it is sent in full, and no search returns it."},
		{"harbor", "ship", "read_file", 1, "read_file is a core tool, which no search returns."},
		{"harbor", "tide", "mcp_tide_read", 1, "Granted everything, this session would find mcp_tide_read at rank 1, with the limit at 1."},
		{"harbor", "ship", "mcp_tide_read", 1, "mcp_tide_read shares no word with the query."},
		{"wide", "tide", "mcp_tide_broken", 1, "mcp_tide_broken shares no word with the query."},
		{"wide", "berth", "mcp_harbor_tow", 1, "mcp_harbor_tow shares no word with the query, so it has no score. Nearest in meaning: berth ≈ ship 0.44."},
		{"wide", "ship", "mcp_harbor_tow", 1, "mcp_harbor_tow ranks 2, below the limit of 1: its score is that of the last hit within the limit, whose name comes first."},
		{"wide", "tow a ship", "mcp_harbor_sink", 1, "mcp_harbor_sink ranks 2, below the limit of 1: its score of 1.631 is 2.116 short of the cut line's 3.747."},
		{"wide", "ship", "mcp_harbor_tow", 2, "mcp_harbor_tow ranks 2 with a score of 0.975, within the limit of 2."},
	}
	for _, tt := range tests {
		w := whyNot(t, gateInputs(t, tt.session), tt.query, tt.tool, tt.limit)
		if got := w.String(); got != tt.want {
			t.Errorf("%s in %s:\n got %s\nwant %s", tt.tool, tt.session, got, tt.want)
		}
		needs := w.Stage == StageNoMatch || w.Stage == StageBelowLimit || w.Stage == StageOutOfScope && tt.tool == "mcp_tide_read"
		if (w.Advice() != "") != needs {
			t.Errorf("%s in %s: %q", tt.tool, tt.session, w.Advice())
		}
	}
	if got := PushedOut(&model.Tool{Qualified: "tu\x1bg/pull"}); got != "tu␛g/pull falls below the limit" || PushedOut(nil) != "" {
		t.Error(got)
	}
	for want, r := range map[string]Remedy{
		"reword the query: add tow a":                 {Kind: RemedyQueryWord, Change: "tow a"},
		"mention barge in its description":            {Kind: RemedyDescriptionWords, Change: "barge"},
		"mention tow, a and barge in its description": {Kind: RemedyDescriptionWords, Change: "tow a barge"},
		"ask for 7 hits":                              {Kind: RemedyLimit, Change: "7"},
		"rank with fielded":                           {Kind: RemedyRanker, Change: "fielded"},
		"search in session red␛[31m":                  {Kind: RemedySession, Change: "red\x1b[31m"},
		"searching the exact name finds it":           {Kind: RemedyName, Change: "mcp_x\a_tow"},
		"in session small it is sent in full":         {Kind: RemedySession, Change: "small", Direct: true},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Words that are added make the same query or description as a remedy promises.
func TestWithWords(t *testing.T) {
	for in, want := range map[string]string{"": "b c", " \n": "b c", "a": "a b c", " a ": "a b c"} {
		if got := WithWords(in, "b c"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"": "b c", " \n": "b c", "A": "A (b c)", "A. B. ": "A. B (b c).", "A?": "A? (b c)"} {
		if got := Mention(in, "b c"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
