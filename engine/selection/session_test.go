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
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

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
