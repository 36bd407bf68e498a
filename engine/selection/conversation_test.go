package selection

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

func conversed(t *testing.T, x *Selector, messages ...string) map[string]Thread {
	t.Helper()
	threads, err := x.Converse(t.Context(), messages, nil)
	require.NoError(t, err)
	out := map[string]Thread{}
	var order []string
	for _, thread := range threads {
		key := fmt.Sprint(thread.Strategy, " ", thread.Sticky)
		out[key] = thread
		order = append(order, key)
	}
	want := "eager false,lazy false,tool_search false,keyword true,keyword false,semantic true,semantic false,hybrid true,hybrid false"
	if got := strings.Join(order, ","); got != want {
		t.Fatalf("threads %s", got)
	}
	return out
}

func TestConversation(t *testing.T) {
	s := session(t, office)
	one := func(k *Settings) { k.K = 1 }
	x := selector(t, s, knobs(Eager, one), &scripted{})
	threads := conversed(t, x, "lawn", "letter", "letter")
	sticky, not := threads["keyword true"], threads["keyword false"]
	for i, want := range []string{
		"terminal=core mow_lawn=ranked",
		"terminal=core mow_lawn=sticky send_mail=ranked",
		"terminal=core mow_lawn=sticky send_mail=ranked",
	} {
		wantShown(t, sticky.Turns[i].Selection, want)
	}
	wantShown(t, not.Turns[1].Selection, "terminal=core send_mail=ranked")
	if got := strings.Join(names(not.Turns[1].Added), " ") + "/" + strings.Join(names(not.Turns[1].Dropped), " "); got != "send_mail/mow_lawn" {
		t.Errorf("added and dropped %s", got)
	}
	if got := strings.Join(names(sticky.Turns[0].Added), " "); got != "terminal mow_lawn" || len(sticky.Turns[1].Dropped) > 0 {
		t.Errorf("the first turn adds %s, the second drops %v", got, names(sticky.Turns[1].Dropped))
	}

	// The growing one loses the bridge alone, whose count of deferred tools
	// changes; the other one loses the tool before it as well, and the bridge
	// although that is the same, because a prefix is all that is kept.
	tokens := func(name string) int { return s.ToolTokens(s.Registry.Lookup(name)[0]) }
	bridge := func(deferred int) int {
		units := 0
		for _, def := range engine.BridgeTools(deferred) {
			units += s.Tokenizer.Units(def)
		}
		return units
	}
	if got, want := sticky.LostTokens, s.Tokenizer.Tokens(bridge(6)); got != want {
		t.Errorf("sticky loses %d, want the bridge's %d", got, want)
	}
	if got, want := not.LostTokens, tokens("mow_lawn")+s.Tokenizer.Tokens(bridge(6)); got < want-1 || got > want {
		t.Errorf("not sticky loses %d, want about %d", got, want)
	}
	if sticky.Stability != 0.5 || not.Stability != 0.5 || not.Turns[2].LostTokens != 0 || not.Turns[2].KeptBytes != not.Turns[2].PreviousBytes {
		t.Errorf("the turn that repeats: %+v", not.Turns[2])
	}
	sum := 0
	for _, turn := range sticky.Turns {
		sum += turn.Selection.SchemaTokens
	}
	if sum != sticky.SchemaTokens {
		t.Errorf("%d tokens, turns have %d", sticky.SchemaTokens, sum)
	}
	for _, name := range []string{"eager false", "lazy false", "tool_search false", "semantic true"} {
		if th := threads[name]; th.LostTokens != 0 || th.Stability != 1 {
			t.Errorf("%s loses %d", name, th.LostTokens)
		}
	}
}

// TestConversationIsSelectInTurn checks that a conversation equals what a session
// gets that asks turn by turn.
func TestConversationIsSelectInTurn(t *testing.T) {
	sim := &scripted{scores: map[string]float64{"bake_bread": 1}}
	messages := []string{"lawn", "a letter", "read_file", "hello"}
	x := selector(t, session(t, office), knobs(Eager), sim)
	for key, thread := range conversed(t, x, messages...) {
		one := x.With(knobs(thread.Strategy, func(k *Settings) { k.Sticky = thread.Sticky }))
		var history []string
		for i, m := range messages {
			want := selecting(t, one, m, history...)
			history = want.History()
			got := thread.Turns[i].Selection
			if string(got.Bytes) != string(want.Bytes) || shown(got) != shown(want) || codes(got) != codes(want) || got.SchemaTokens != want.SchemaTokens || got.Message != m {
				t.Errorf("%s, turn %d: %s, asked alone %s", key, i, shown(got), shown(want))
			}
		}
	}
}

func TestConversationEnds(t *testing.T) {
	x := selector(t, session(t, office), knobs(Eager), nil)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := x.Converse(ctx, []string{"a", "b", "c"}, func(done, total int) {
		if calls++; total != 3 || done != calls {
			t.Errorf("progress %d of %d", done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("error %v after %d turns", err, calls)
	}
}

// TestWholeStrategies checks the tools sent whatever the message is.
func TestWholeStrategies(t *testing.T) {
	s := session(t, office)
	x := selector(t, s, knobs(Lazy), nil)
	lazy := selecting(t, x, "letter")
	listed := "Their names: terminal, send_mail, send_parcel, paint_fence, mow_lawn, read_file, mcp_hub_create_issue, bake_bread"
	if got := lazy.Assembly.Definitions(); len(got) != 3 || !strings.Contains(string(got[0]), listed) {
		t.Errorf("lazy sends %s", lazy.Bytes)
	}
	if lazy.RoundTrips != 1 || lazy.Deferred != 8 || !lazy.Bridge {
		t.Errorf("lazy: %+v", lazy)
	}
	search := selecting(t, x.With(knobs(ToolSearch)), "letter")
	wantShown(t, search, "terminal=core read_file=core")
	if !search.Bridge || search.Deferred != 6 || string(search.Bytes) != string(array(s.Assembly())) {
		t.Errorf("tool_search: %+v", search)
	}
	eager := selecting(t, x.With(knobs(Eager)), "letter")
	if len(eager.Tools) != 8 || eager.SavedPct != 0 || eager.Strategy != Eager || !strings.HasPrefix(string(eager.Bytes), `[{"type":"function","function":{"name":"terminal"`) {
		t.Errorf("eager: %+v", eager)
	}
	none := selector(t, session(t, nil), knobs(Hybrid), &scripted{})
	for _, strategy := range Strategies {
		if got := selecting(t, none.With(knobs(strategy)), "x"); string(got.Bytes) != "[]" || got.SavedPct != 0 && strategy != Lazy {
			t.Errorf("%s of an empty registry: %+v", strategy, got)
		}
	}
}

// TestEveryIsSelect checks that one message under every strategy gives what
// Select says of each, after its own history.
func TestEveryIsSelect(t *testing.T) {
	sim := &scripted{scores: map[string]float64{"bake_bread": 1}}
	for _, sticky := range []bool{true, false} {
		x := selector(t, session(t, office), knobs(Eager, func(k *Settings) { k.Sticky = sticky }), sim)
		past := map[Strategy][]string{Keyword: {"mow_lawn"}, Hybrid: {"bake_bread", "mow_lawn"}}
		got, err := x.Every(t.Context(), "letter", func(s Strategy) []string { return past[s] })
		if err != nil || len(got) != len(Strategies) {
			t.Fatal(len(got), err)
		}
		for i, strategy := range Strategies {
			set := x.Settings()
			set.Strategy = strategy
			want := selecting(t, x.With(set), "letter", past[strategy]...)
			if string(got[i].Bytes) != string(want.Bytes) || shown(got[i]) != shown(want) || got[i].Message != "letter" || codes(got[i]) != codes(want) {
				t.Errorf("%s: %s, asked alone %s", strategy, shown(got[i]), shown(want))
			}
		}
		if kept := strings.Contains(shown(got[3]), "mow_lawn=sticky"); kept != sticky {
			t.Errorf("sticky %t: keyword sends %s", sticky, shown(got[3]))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := selector(t, session(t, office), knobs(Eager), sim).Every(ctx, "x", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestKept checks the share of cached tokens that can be used again: of a
// conversation, and of messages that stand alone.
func TestKept(t *testing.T) {
	s := session(t, office)
	x := selector(t, s, knobs(Eager, func(k *Settings) { k.K = 1 }), &scripted{})
	for key, thread := range conversed(t, x, "lawn", "letter", "letter") {
		cached := thread.Turns[0].Selection.SchemaTokens + thread.Turns[1].Selection.SchemaTokens
		if want := 1 - float64(thread.LostTokens)/float64(cached); thread.Kept != want || thread.Kept < 0 || thread.Kept > 1 {
			t.Errorf("%s keeps %v, want %v", key, thread.Kept, want)
		}
	}
	if one := conversed(t, x, "lawn")["keyword true"]; one.Kept != 1 {
		t.Errorf("one turn keeps %v", one.Kept)
	}
	rows, err := x.Compare(t.Context(), []labels.Query{{Text: "lawn"}, {Text: "letter"}, {Text: "letter"}}, nil)
	require.NoError(t, err)
	tokens := func(name string) int {
		return s.ToolTokens(s.Registry.Lookup(name)[0])
	}
	whole := func(message string) int {
		return selecting(t, x.With(knobs(Keyword, func(k *Settings) { k.K = 1 })), message).SchemaTokens
	}
	// From lawn to letter the core stays, from letter to letter everything.
	want := float64(tokens("terminal")+whole("letter")) / float64(whole("lawn")+whole("letter"))
	if got := rows[3].Kept; rows[3].Strategy != Keyword || got != want {
		t.Errorf("keyword keeps %v, want %v", got, want)
	}
	if rows[0].Kept != 1 || rows[2].Kept != 1 {
		t.Errorf("what never changes keeps %v and %v", rows[0].Kept, rows[2].Kept)
	}
}

// TestInForce checks that eager in a configuration leaves it to tool search,
// and that the strategy eager then names the tools sent instead.
func TestInForce(t *testing.T) {
	for _, c := range []struct {
		selection string
		mode      config.Mode
		want      Strategy
		note      string
	}{
		{"eager", config.On, ToolSearch, NoteSearchActive}, {"eager", config.Off, Eager, ""},
		{"hybrid", config.On, Hybrid, NoteSearchActive}, {"lazy", config.Off, Lazy, ""}, {"tool_search", config.Off, ToolSearch, ""},
	} {
		s := session(t, office, func(k *config.Config) { k.Selection, k.ToolSearch.Enabled = c.selection, c.mode })
		if got := InForce(s); got != c.want {
			t.Errorf("%s, tool search %s: %s in force, want %s", c.selection, c.mode, got, c.want)
		}
		wantCodes(t, selecting(t, selector(t, s, knobs(Eager), nil), "x"), c.note)
	}
}

// tester is the part of a test or of a property that the helpers need.
type tester interface {
	Helper()
	Fatal(args ...any)
}

// tool is the entry of a tool in a dump.
func tool(name, description, toolset string) string {
	return fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%q,"parameters":{"type":"object","properties":{}}},"toolset":%q}`,
		name, description, toolset)
}

// session builds the snapshot of a registry with tool search on, under the
// default core list.
func session(t tester, entries []string, change ...func(*config.Config)) *engine.Snapshot {
	t.Helper()
	r, err := shapes.Parse(context.Background(), model.Source{Name: "r.json", Data: []byte(`{"toolsets":{},"tools":[` + strings.Join(entries, ",") + `]}`)})
	require.NoError(t, err)
	c := config.Default()
	c.ToolSearch.Enabled = config.On
	for _, f := range change {
		f(&c)
	}
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: r, Config: c})
	require.NoError(t, err)
	return s
}

// office is a registry of a few trades, one word each.
var office = []string{
	tool("terminal", "Run a command.", "shell"),
	tool("send_mail", "Send a letter by mail.", "mcp-post"),
	tool("send_parcel", "Send a parcel.", "mcp-post"),
	tool("paint_fence", "Paint a fence.", "mcp-garden"),
	tool("mow_lawn", "Mow a lawn.", "mcp-garden"),
	tool("read_file", "Read a document.", "shell"),
	tool("mcp_hub_create_issue", "Open a ticket.", "mcp-hub"),
	tool("bake_bread", "Bake a loaf.", "mcp-kitchen"),
}

// knobs are settings with two places and one core tool.
func knobs(strategy Strategy, change ...func(*Settings)) Settings {
	set := Settings{Strategy: strategy, K: 2, Core: []string{"terminal"}, RRFK: 60, Keyword: 1, Semantic: 1, Timeout: time.Hour,
		Now: func() time.Time { return time.Unix(0, 0) }}
	for _, f := range change {
		f(&set)
	}
	return set
}

func selector(t tester, s *engine.Snapshot, set Settings, sim embed.Similarity) *Selector {
	t.Helper()
	x, err := New(context.Background(), s, set, sim, nil)
	require.NoError(t, err)
	return x
}

func selecting(t tester, x *Selector, message string, history ...string) Selection {
	t.Helper()
	got, err := x.Select(context.Background(), message, history)
	require.NoError(t, err)
	return got
}

// shown is the tools of a selection with their reasons.
func shown(x Selection) string {
	var words []string
	for _, t := range x.Tools {
		words = append(words, t.Tool.Qualified+"="+string(t.Reason))
	}
	return strings.Join(words, " ")
}

func codes(x Selection) string {
	var words []string
	for _, n := range x.Notes {
		words = append(words, n.Code)
	}
	return strings.Join(words, " ")
}

func wantShown(t *testing.T, x Selection, want string) {
	t.Helper()
	if got := shown(x); got != want {
		t.Errorf("%q selects %s, want %s", x.Message, got, want)
	}
}

func wantCodes(t *testing.T, x Selection, want string) {
	t.Helper()
	if got := codes(x); got != want {
		t.Errorf("%q has notes %q, want %q", x.Message, got, want)
	}
}

// scripted is a similarity that gives tools the score of their name.
type scripted struct {
	scores map[string]float64
	floor  float64
	err    error
	short  bool          // returns too few scores
	hang   chan struct{} // when set, waits for it and for nothing else
	heed   bool          // waits for the context
	asked  func(context.Context)
}

func (s *scripted) Identity() embed.Identity { return embed.Identity{Provider: "scripted", Model: "m"} }

func (s *scripted) Floor([]float64, float64) float64 { return s.floor }

func (s *scripted) Scores(ctx context.Context, _ string, tools []*model.Tool) ([]float64, error) {
	if s.asked != nil {
		s.asked(ctx)
	}
	if s.hang != nil {
		<-s.hang
	}
	if s.heed {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	out := make([]float64, len(tools))
	for i, t := range tools {
		out[i] = s.scores[t.Name]
	}
	if s.short {
		out = out[1:]
	}
	return out, nil
}

var errBroken = errors.New("broken\x1b[31m")

// names returns the qualified names of tools.
func names(tools []*model.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Qualified)
	}
	return out
}

func sorted(words []string) []string {
	out := slices.Clone(words)
	slices.Sort(out)
	return out
}

// sentBy is the tools of a selection.
func sentBy(x Selection) []*model.Tool {
	var out []*model.Tool
	for _, t := range x.Tools {
		out = append(out, t.Tool)
	}
	return out
}

var ranking = []Strategy{Keyword, Semantic, Hybrid}

// TestBriefIsSelect: a message that is ranked once gives under each strategy what Select
// gives, turn by turn, with any weights, and with an embedder that fails too.
func TestBriefIsSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		set.Keyword, set.Semantic = float64(rapid.IntRange(0, 1).Draw(t, "keyword")), float64(rapid.IntRange(0, 1).Draw(t, "semantic"))
		if rapid.Bool().Draw(t, "fails") {
			sim.err = errors.New("no")
		}
		all := selector(t, session(t, entries, onlyIn), set, sim)
		histories := map[Strategy][]string{}
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			text := message(t)
			m, err := all.Rank(context.Background(), text, ranking...)
			require.NoError(t, err)
			for _, strategy := range ranking {
				set.Strategy = strategy
				x := all.With(set)
				got, want := x.Brief(m, histories[strategy]), selecting(t, x, text, histories[strategy]...)
				if !reflect.DeepEqual(got.Assembly, want.Assembly) || !reflect.DeepEqual(got.History, want.History()) || !reflect.DeepEqual(got.Notes, want.Notes) {
					t.Fatalf("%s: %+v, want %+v with %v", strategy, got, want, want.History())
				}
				histories[strategy] = got.History
			}
		}
	})
}

// TestRankAsksOnce: an embedder is asked once for all strategies, and not at all for those
// that do not want it.
func TestRankAsksOnce(t *testing.T) {
	for _, c := range []struct {
		of   []Strategy
		want int
	}{{ranking, 1}, {[]Strategy{Keyword}, 0}, {[]Strategy{Eager, Lazy, ToolSearch}, 0}, {Strategies, 1}} {
		asked := 0
		x := selector(t, session(t, office), knobs(Eager), &scripted{asked: func(context.Context) { asked++ }})
		if _, err := x.Rank(t.Context(), "letter", c.of...); err != nil || asked != c.want {
			t.Errorf("%v: asked %d times, want %d; %v", c.of, asked, c.want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := selector(t, session(t, office), knobs(Hybrid), &scripted{}).Rank(ctx, "letter", Hybrid); !errors.Is(err, context.Canceled) {
		t.Errorf("an error of %v", err)
	}
}
