package selection

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/model"
	"caliper/model/require"
)

func only(sets ...string) func(*config.Config) {
	return func(c *config.Config) { c.Sessions = []config.Session{{Name: "s", Enabled: sets}} }
}

// deferredBy returns what the bridge leads to in the snapshot that sends a
// selection.
func deferredBy(t *testing.T, s *engine.Snapshot, x Selection) []*model.Tool {
	t.Helper()
	c := s.Config
	c.Selection = string(x.Strategy)
	sent, err := engine.Build(t.Context(), engine.Inputs{Registry: s.Registry, Config: c, Session: s.Session.Name, Tokenizer: s.Tokenizer, Message: "any",
		Select: func(context.Context, *engine.Snapshot, string) ([]*model.Tool, error) { return sentBy(x), nil }})
	require.NoError(t, err)
	if !sent.Active() {
		return nil
	}
	return sent.Catalog()
}

// Rule 1.
func TestScopeComesFirst(t *testing.T) {
	s := session(t, office, only("mcp-garden", "mcp-kitchen", "mcp-hub"))
	sim := &scripted{scores: map[string]float64{"send_mail": 9, "terminal": 8, "bake_bread": 1}}
	for _, strategy := range Strategies {
		x := selector(t, s, knobs(strategy, func(k *Settings) { k.Sticky = true }), sim)
		got := selecting(t, x, "send a letter by send_mail", "send_mail", "terminal", "read_file")
		for _, bytes := range []string{"send_mail", "terminal", "read_file", "send_parcel"} {
			if strings.Contains(string(got.Bytes), bytes) {
				t.Errorf("%s sends %s, which is not granted", strategy, bytes)
			}
		}
		if slices.Contains(names(deferredBy(t, s, got)), "send_mail") {
			t.Errorf("%s defers a tool that is not granted", strategy)
		}
	}
	wantShown(t, selecting(t, selector(t, s, knobs(Hybrid), sim), "letter"), "bake_bread=ranked")
}

func TestUnavailableToolIsNotSelected(t *testing.T) {
	entries := slices.Clone(office)
	entries[1] = strings.Replace(entries[1], `"toolset"`, `"available":false,"toolset"`, 1)
	x := selector(t, session(t, entries), knobs(Keyword), nil)
	wantShown(t, selecting(t, x, "send_mail letter"), "terminal=core send_parcel=ranked")
}

func TestPolicyHasNoSay(t *testing.T) {
	s := session(t, office, func(c *config.Config) { c.Policy = []config.Rule{{Match: "*", Action: config.Deny}} })
	wantShown(t, selecting(t, selector(t, s, knobs(Keyword), nil), "letter"), "terminal=core send_mail=ranked")
}

func TestExcludedIsNeverSelected(t *testing.T) {
	s := session(t, office)
	x := selector(t, s, knobs(Keyword, func(k *Settings) {
		k.Exclude, k.Sticky = []string{"send_mail", "terminal"}, true
	}), nil)
	got := selecting(t, x, "send_mail letter", "send_mail")
	wantShown(t, got, "send_parcel=ranked")
	wantCodes(t, got, NoteExcluded)
	if rest := names(deferredBy(t, s, got)); !slices.Contains(rest, "send_mail") || !slices.Contains(rest, "terminal") {
		t.Errorf("excluded tools are out of reach: %v", rest)
	}
}

// Rule 2.
func TestFewCandidatesAreAllSelected(t *testing.T) {
	asked := false
	sim := &scripted{asked: func(context.Context) { asked = true }}
	x := selector(t, session(t, office[:3]), knobs(Hybrid), sim)
	got := selecting(t, x, "letter")
	wantShown(t, got, "terminal=core send_mail=all send_parcel=all")
	wantCodes(t, got, NoteFewCandidates)
	if asked || got.Tools[1].KeywordRank != 0 || got.Bridge {
		t.Errorf("ranked, or with a bridge to nothing: %+v", got)
	}
	wantShown(t, selecting(t, selector(t, session(t, office[:4]), knobs(Hybrid), sim), "volcano"), "terminal=core")
}

// Rule 3.
func TestNamedToolIsAlwaysIn(t *testing.T) {
	x := selector(t, session(t, office), knobs(Keyword), nil)
	got := selecting(t, x, "letter parcel mail: Mow-Lawn, paint fence, BAKE_BREAD")
	wantShown(t, got, "terminal=core paint_fence=mentioned mow_lawn=mentioned bake_bread=mentioned")
	got = selecting(t, x, "send a letter, then mow lawn")
	wantShown(t, got, "terminal=core send_mail=ranked mow_lawn=mentioned")
	if got.Tools[2].KeywordRank == 0 {
		t.Error("a named tool has lost its rank")
	}
	one := func(k *Settings) { k.K = 1 }
	wantShown(t, selecting(t, x.With(knobs(Keyword, one)), "send a letter by mail, then mow lawn"), "terminal=core mow_lawn=mentioned")
	off := x.With(knobs(Keyword, one, func(k *Settings) { k.IgnoreNames = true }))
	wantShown(t, selecting(t, off, "send a letter by mail, then mow lawn"), "terminal=core send_mail=ranked")
}

// Rule 4.
func TestFusionAddsNothingForTheAbsent(t *testing.T) {
	sim := &scripted{scores: map[string]float64{"bake_bread": 3, "send_parcel": 2, "paint_fence": 1, "mow_lawn": 0.5}, floor: 0.5}
	x := selector(t, session(t, office), knobs(Hybrid, func(k *Settings) { k.K, k.Keyword, k.Semantic = 3, 2, 1 }), sim)
	got := selecting(t, x, "letter by mail")
	wantShown(t, got, "terminal=core send_mail=ranked send_parcel=ranked bake_bread=ranked")
	want := map[string][3]float64{ // keyword rank, semantic rank, score
		"send_mail":   {1, 0, 2.0 / 61},
		"send_parcel": {0, 2, 1.0 / 62},
		"bake_bread":  {0, 1, 1.0 / 61},
		"paint_fence": {0, 3, 1.0 / 63},
	}
	if len(got.Missed) != 1 || got.Missed[0].Tool.Name != "paint_fence" {
		t.Errorf("missed %+v: a score at the floor does not count", got.Missed)
	}
	for _, s := range append(slices.Clone(got.Tools[1:]), got.Missed...) {
		w := want[s.Tool.Name]
		if float64(s.KeywordRank) != w[0] || float64(s.SemanticRank) != w[1] || math.Abs(s.Score-w[2]) > 1e-15 {
			t.Errorf("%s: %d %d %v, want %v", s.Tool.Name, s.KeywordRank, s.SemanticRank, s.Score, w)
		}
	}
	both := selecting(t, x, "parcel")
	for _, s := range both.Tools {
		if s.Tool.Name == "send_parcel" && math.Abs(s.Score-(2.0/61+1.0/62)) > 1e-15 {
			t.Errorf("fused %v", s.Score)
		}
	}
}

func TestWeightZeroSilencesALeg(t *testing.T) {
	asked := false
	sim := &scripted{scores: map[string]float64{"bake_bread": 3}, asked: func(context.Context) { asked = true }}
	s := session(t, office)
	x := selector(t, s, knobs(Hybrid, func(k *Settings) { k.Semantic = 0 }), sim)
	wantShown(t, selecting(t, x, "letter"), "terminal=core send_mail=ranked")
	if asked {
		t.Error("a ranking of weight 0 was computed")
	}
	x = selector(t, s, knobs(Hybrid, func(k *Settings) { k.Keyword = 0 }), sim)
	wantShown(t, selecting(t, x, "letter"), "terminal=core bake_bread=ranked")
	got := selecting(t, selector(t, s, knobs(Hybrid, func(k *Settings) { k.Keyword, k.Semantic = 0, 0 }), sim), "letter")
	wantShown(t, got, "terminal=core")
	wantCodes(t, got, NoteNoWeight)
}

// Rule 5.
func TestTies(t *testing.T) {
	// Semantic ranks 1 and 2 against keyword ranks 2 and 1: the scores are
	// equal, and the keyword score decides, not the name.
	sim := &scripted{scores: map[string]float64{"send_mail": 2, "send_parcel": 1}}
	x := selector(t, session(t, office), knobs(Hybrid, func(k *Settings) { k.K = 1 }), sim)
	got := selecting(t, x, "parcel send")
	wantShown(t, got, "terminal=core send_parcel=ranked")
	if got.Missed[0].Score != got.Tools[1].Score {
		t.Errorf("no tie: %v %v", got.Missed[0].Score, got.Tools[1].Score)
	}
	// Nothing but the name decides between these.
	sim = &scripted{scores: map[string]float64{"send_mail": 1, "bake_bread": 1, "mow_lawn": 1}}
	x = selector(t, session(t, office), knobs(Semantic, func(k *Settings) { k.K = 2 }), sim)
	wantShown(t, selecting(t, x, "?"), "terminal=core mow_lawn=ranked bake_bread=ranked")
}

func TestSameChoiceIsTheSameBytes(t *testing.T) {
	x := selector(t, session(t, office), knobs(Keyword), nil)
	a, b := selecting(t, x, "letter and lawn"), selecting(t, x, "a lawn, the lawn, my lawn: letter")
	if a.Missed != nil && b.Missed != nil || !bytes.Equal(a.Bytes, b.Bytes) {
		t.Errorf("%s\n%s", a.Bytes, b.Bytes)
	}
	if !json.Valid(a.Bytes) {
		t.Errorf("not JSON: %s", a.Bytes)
	}
}

// Rule 6.
func TestNothingFoundLeavesTheCore(t *testing.T) {
	sim := &scripted{}
	for _, strategy := range []Strategy{Keyword, Semantic, Hybrid} {
		got := selecting(t, selector(t, session(t, office), knobs(strategy), sim), "hello")
		wantShown(t, got, "terminal=core")
		wantCodes(t, got, NoteNothingFound)
	}
}

func TestEmbedderFallsBackToKeywords(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	for name, c := range map[string]struct {
		sim  *scripted
		code string
	}{
		"fails":            {&scripted{err: errBroken}, NoteEmbedderFailed},
		"scores too few":   {&scripted{short: true}, NoteEmbedderFailed},
		"heeds the time":   {&scripted{heed: true}, NoteEmbedderSlow},
		"ignores the time": {&scripted{hang: never}, NoteEmbedderSlow},
	} {
		for _, strategy := range []Strategy{Semantic, Hybrid} {
			x := selector(t, session(t, office), knobs(strategy, func(k *Settings) { k.Timeout = time.Millisecond }), c.sim)
			if c.code == NoteEmbedderFailed {
				x = x.With(knobs(strategy))
			}
			got := selecting(t, x, "letter")
			if shown(got) != "terminal=core send_mail=ranked" || codes(got) != c.code || got.Tools[1].Score != 1.0/61 {
				t.Errorf("%s, %s: %s, %s, %+v", name, strategy, shown(got), codes(got), got.Tools)
			}
			if strings.Contains(got.Notes[0].Text, "\x1b") {
				t.Errorf("%s: control sequence in a note", name)
			}
		}
	}
	got := selecting(t, selector(t, session(t, office), knobs(Hybrid), nil), "letter")
	wantCodes(t, got, NoteNoEmbedder)
	if got.Embedder != "" {
		t.Errorf("embedder %q", got.Embedder)
	}
	x, err := New(t.Context(), session(t, office), knobs(Semantic), nil, errBroken)
	require.NoError(t, err)
	if got := selecting(t, x, "letter"); got.Notes[0].Text != "keywords only: broken␛[31m" && !strings.Contains(got.Notes[0].Text, "broken") {
		t.Errorf("no reason in %q", got.Notes[0].Text)
	}
}

func TestStuckEmbedderIsLeftAlone(t *testing.T) {
	never := make(chan struct{})
	calls := make(chan struct{}, 100)
	sim := &scripted{hang: never, scores: map[string]float64{"bake_bread": 1}, asked: func(context.Context) { calls <- struct{}{} }}
	x := selector(t, session(t, office), knobs(Hybrid, func(k *Settings) { k.Timeout = time.Millisecond }), sim)
	for range maxStuck {
		wantCodes(t, selecting(t, x, "letter"), NoteEmbedderSlow)
	}
	wantCodes(t, selecting(t, x, "letter"), NoteEmbedderStuck)
	for range maxStuck {
		<-calls
	}
	if len(calls) > 0 {
		t.Error("asked although it is stuck")
	}
	close(never)
	patient := x.With(knobs(Hybrid))
	for codes(selecting(t, patient, "letter")) == NoteEmbedderStuck {
		runtime.Gosched() // until the calls that were given up have returned
	}
	wantShown(t, selecting(t, patient, "letter"), "terminal=core send_mail=ranked bake_bread=ranked")
}

func TestSelectHeedsItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	sim := &scripted{heed: true, asked: func(context.Context) { cancel() }}
	x := selector(t, session(t, office), knobs(Hybrid), sim)
	if _, err := x.Select(ctx, "letter", nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if _, err := x.Select(ctx, "letter", nil); err != context.Canceled {
		t.Errorf("before it began: %v", err)
	}
}

// Rule 7.
func TestStickyOnlyGrows(t *testing.T) {
	sticky := func(k *Settings) { k.K, k.Sticky = 1, true }
	x := selector(t, session(t, office), knobs(Keyword, sticky), nil)
	first := selecting(t, x, "lawn")
	second := selecting(t, x, "letter", first.History()...)
	wantShown(t, second, "terminal=core mow_lawn=sticky send_mail=ranked")
	third := selecting(t, x, "bread loaf lawn", second.History()...)
	wantShown(t, third, "terminal=core mow_lawn=sticky send_mail=sticky bake_bread=ranked")
	if third.Tools[1].KeywordRank != 2 {
		t.Errorf("a tool kept has lost its rank: %+v", third.Tools[1])
	}
	sent, _, _ := bytes.Cut(second.Bytes, []byte(`,{"type":"function","function":{"name":"tool_search"`))
	if !bytes.HasPrefix(third.Bytes, bytes.TrimSuffix(sent, []byte("]"))) {
		t.Errorf("what was sent is no prefix:\n%s\n%s", second.Bytes, third.Bytes)
	}
	not := x.With(knobs(Keyword, func(k *Settings) { k.K = 1 }))
	wantShown(t, selecting(t, not, "letter", first.History()...), "terminal=core send_mail=ranked")
}

// Rule 8, and the assembly invariant: what a snapshot sends that has the
// selected tools for its core equals what the selection sends.
func TestEscape(t *testing.T) {
	for _, mode := range []config.Mode{config.Auto, config.On} {
		s := session(t, office, func(c *config.Config) { c.ToolSearch.Enabled = mode })
		x := selector(t, s, knobs(Keyword), nil)
		got := selecting(t, x, "letter")
		if !got.Bridge || got.Deferred != 6 || slices.Contains(names(sentBy(got)), "read_file") {
			t.Fatalf("%s: bridge %t, %d deferred", mode, got.Bridge, got.Deferred)
		}
		c := s.Config
		c.Core, c.ToolSearch.Enabled = []string{"terminal", "send_mail"}, config.On
		under, err := engine.Build(t.Context(), engine.Inputs{Registry: s.Registry, Config: c})
		require.NoError(t, err)
		if string(array(under.Assembly())) != string(got.Bytes) {
			t.Errorf("sent\n%s\nwant\n%s", got.Bytes, array(under.Assembly()))
		}
		b := under.Budget(false)
		if got.SchemaTokens != b.AfterTokens || got.BridgeTokens != b.BridgeTokens || got.SavedPct != b.SavedPct {
			t.Errorf("costs %d, %d, %v; want %d, %d, %v", got.SchemaTokens, got.BridgeTokens, got.SavedPct, b.AfterTokens, b.BridgeTokens, b.SavedPct)
		}
	}
	x := selector(t, session(t, office, func(c *config.Config) { c.ToolSearch.Enabled = config.Off }), knobs(Keyword), nil)
	got := selecting(t, x, "letter")
	if got.Bridge || got.Deferred > 0 || bytes.Contains(got.Bytes, []byte(engine.ToolSearch)) {
		t.Errorf("an escape although tool search is off: %+v", got)
	}
	wantCodes(t, got, NoteNoEscape)
}

// sleeping is an embedder whose model is not loaded until awake is closed.
type sleeping struct{ awake chan struct{} }

func (s sleeping) Identity() embed.Identity {
	return embed.Identity{Provider: "ollama", Model: "m", Dimension: 1}
}

func (s sleeping) Documents(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = []float32{1}
	}
	return vectors, nil
}

func (s sleeping) Query(ctx context.Context, _ string) ([]float32, error) {
	select {
	case <-s.awake:
		return []float32{1}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestModelIsWokenBesideTheMessage(t *testing.T) {
	model := sleeping{make(chan struct{})}
	x := selector(t, session(t, office), knobs(Hybrid, func(k *Settings) { k.Timeout = time.Millisecond }), nil)
	v, err := embed.Open(t.Context(), embed.NewWaking(model), x.Candidates(), "", nil)
	require.NoError(t, err)
	x = x.WithSimilarity(v, nil)
	got := selecting(t, x, "letter")
	wantCodes(t, got, NoteEmbedderWaking)
	wantShown(t, got, "terminal=core send_mail=ranked")
	if want := "keywords only: waking ollama:m, which did not embed the message within 1ms"; got.Notes[0].Text != want {
		t.Errorf("%q, want %q", got.Notes[0].Text, want)
	}
	patient := x.With(knobs(Hybrid))
	wantCodes(t, selecting(t, patient, "bread"), NoteEmbedderWaking)
	close(model.awake)
	<-v.Awake()
	for _, n := range selecting(t, patient, "bread").Notes {
		if n.Code == NoteEmbedderWaking {
			t.Errorf("awake, and yet %q", n.Text)
		}
	}
}
