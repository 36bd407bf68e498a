package selection

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// TestFuseAgainstTheFormula computes every score apart and sorts them all.
func TestFuseAgainstTheFormula(t *testing.T) {
	const candidates = 12
	rapid.Check(t, func(t *rapid.T) {
		list := func(label string) []retrieval.Hit {
			docs := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).Draw(t, label)
			var hits []retrieval.Hit
			for i, doc := range docs[:rapid.IntRange(0, candidates).Draw(t, label)] {
				hits = append(hits, retrieval.Hit{Doc: doc, Score: float64(candidates-i) / 2})
			}
			return hits
		}
		l := rankings{keyword: list("keyword"), semantic: list("semantic"), whole: 7.5}
		weights := rapid.SampledFrom([]float64{0, 0.5, 1, 3})
		keyword, semantic := weights.Draw(t, "keyword weight"), weights.Draw(t, "semantic weight")
		k := rapid.SampledFrom([]float64{0, 1, 60}).Draw(t, "k")
		depth := rapid.IntRange(1, candidates+1).Draw(t, "depth")

		var want []ranked
		for doc := range candidates {
			r := ranked{doc: doc}
			if at := slices.IndexFunc(l.keyword, func(h retrieval.Hit) bool { return h.Doc == doc }); at >= 0 && keyword > 0 {
				r.keyword, r.keywordScore = at+1, l.keyword[at].Score
				if r.score += keyword / (k + float64(at+1)); k == 0 {
					r.score = keyword * (r.keywordScore / l.whole)
				}
			}
			if at := slices.IndexFunc(l.semantic, func(h retrieval.Hit) bool { return h.Doc == doc }); at >= 0 && semantic > 0 {
				r.semantic = at + 1
				if by := semantic / (k + float64(at+1)); k == 0 {
					r.score += semantic * (l.semantic[at].Score / l.semantic[0].Score)
				} else {
					r.score += by
				}
			}
			if r.score > 0 {
				want = append(want, r)
			}
		}
		slices.SortStableFunc(want, func(a, b ranked) int {
			switch {
			case a.score > b.score, a.score == b.score && a.keywordScore > b.keywordScore:
				return -1
			case a.score == b.score && a.keywordScore == b.keywordScore:
				return 0
			}
			return 1
		})
		f := fuse(l, keyword, semantic, k, candidates, depth)
		if !slices.Equal(f.best, want[:min(depth, len(want))]) {
			t.Fatalf("best %v\nwant %v", f.best, want)
		}
		for _, r := range want {
			if f.of(r.doc) != r {
				t.Fatalf("of %d: %v, want %v", r.doc, f.of(r.doc), r)
			}
		}
	})
}

// TestTimeIsTold checks that selections are timed by the clock they are given.
func TestTimeIsTold(t *testing.T) {
	var ticks atomic.Int64
	clock := func(k *Settings) {
		k.Now = func() time.Time { return time.Unix(ticks.Add(1), 0) }
	}
	x := selector(t, session(t, office), knobs(Eager, clock), &scripted{})
	for _, strategy := range Strategies {
		set := x.Settings()
		set.Strategy = strategy
		if got := selecting(t, x.With(set), "letter"); got.Took < time.Second || got.Took > 20*time.Second {
			t.Errorf("%s took %v", strategy, got.Took)
		}
	}
	for strategy, row := range compared(t, x, asked) {
		if row.Took < time.Second {
			t.Errorf("%s took %v on the mean", strategy, row.Took)
		}
	}
}

// Which ranking was empty is said, and each candidate's similarity is in the selection,
// below the floor too.
func TestEmptyRankings(t *testing.T) {
	for _, c := range []struct {
		name, message, code, text string
		scores                    map[string]float64
	}{
		{"nothing similar", "letter", NoteNoneSimilar, "keywords only: no tool is above the floor of scripted:m, 0.40", map[string]float64{"send_mail": .25}},
		{"no keyword", "zzz", NoteNoKeyword, "scripted:m only: no tool has a word of the message", map[string]float64{"send_mail": .55}},
	} {
		x := selector(t, session(t, office), knobs(Hybrid), &scripted{scores: c.scores, floor: .4})
		got := selecting(t, x, c.message)
		wantShown(t, got, "terminal=core send_mail=ranked")
		if codes(got) != c.code || got.Notes[0].Text != c.text {
			t.Errorf("%s: %+v", c.name, got.Notes)
		}
		if got.Floor == nil || *got.Floor != .4 || got.Tools[0].Similarity != nil || *got.Tools[1].Similarity != c.scores["send_mail"] {
			t.Errorf("%s: floor %v, %+v", c.name, got.Floor, got.Tools)
		}
		if got := selecting(t, x.With(knobs(Keyword)), "letter"); got.Floor != nil || got.Tools[1].Similarity != nil {
			t.Errorf("%s: keyword compares", c.name)
		}
	}
}

// The assembly is one value: for every strategy, mode, session and message each
// granted tool is sent, or found, described and callable through the bridge, or
// said to be unreachable; and the selection, the budget and the bridge's own
// text give the same figures.
func TestOneSetOfWhatIsSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		mode := rapid.SampledFrom([]config.Mode{config.Auto, config.On, config.Off}).Draw(t, "mode")
		text := message(t)
		base := session(t, entries, onlyIn)
		c := base.Config
		c.ToolSearch.Enabled, c.ToolSearch.MaxLimit = mode, 50
		c.Selection = string(set.Strategy)
		c.PreSelection.TopK, c.PreSelection.Core, c.PreSelection.Exclude = max(set.K, 1), set.Core, set.Exclude
		c.PreSelection.RRFK, c.PreSelection.KeywordWeight, c.PreSelection.SemanticWeight = max(set.RRFK, 0), set.Keyword, set.Semantic
		var made *Selection
		chooser := Chooser{
			Similarity: func(context.Context, *engine.Snapshot, []*model.Tool) (embed.Similarity, error) { return sim, nil },
			Made:       func(_ *engine.Snapshot, x Selection) { made = &x },
		}
		s, err := engine.Build(t.Context(), engine.Inputs{
			Registry: base.Registry, Config: c, Session: base.Session.Name, Message: text, Select: chooser.Select,
		})
		require.NoError(t, err)
		a := s.Assembly()
		if ranks := set.Strategy.Ranks() && text != ""; (made != nil) != ranks {
			t.Fatalf("a selection was made: %t, want %t", made != nil, ranks)
		}
		if made != nil {
			budget := s.Budget(false)
			if !bytes.Equal(made.Bytes, array(a)) || made.SchemaTokens != budget.AfterTokens ||
				made.BridgeTokens != budget.BridgeTokens || made.SavedPct != budget.SavedPct || made.Deferred != a.Deferred {
				t.Fatalf("the selection has %d tokens, the budget %d", made.SchemaTokens, budget.AfterTokens)
			}
		}
		if a.Bridge {
			checkBridge(t, s)
		} else if n := a.Unreachable; n > 0 && (mode != config.Off || !engine.PreSelects(c.Selection)) {
			t.Fatalf("%d tools are unreachable with tool search %s", n, mode)
		}
		for _, tool := range s.Registry.Tools {
			checkReach(t, s, tool)
		}
	})
}

// checkBridge checks that the bridge speaks of as many tools as search covers.
func checkBridge(t *rapid.T, s *engine.Snapshot) {
	said := fmt.Sprintf("%d more tools are available", len(s.Catalog()))
	if first := string(s.Assembly().BridgeTools()[0]); !bytes.Contains([]byte(first), []byte(said)) {
		t.Fatalf("the bridge leads to %d tools and says %s", len(s.Catalog()), first)
	}
	var answer struct {
		Total int `json:"total_available"`
	}
	raw, _ := s.Bridge(engine.ToolSearch, json.RawMessage(`{"query":"x"}`))
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Total != s.Assembly().Deferred {
		t.Fatalf("search covers %d tools of %d, %v", answer.Total, s.Assembly().Deferred, err)
	}
}

// checkReach checks that a tool is reached as its status says.
func checkReach(t *rapid.T, s *engine.Snapshot, tool *model.Tool) {
	sent := slices.Contains(s.Assembly().Tools, tool)
	call, direct := s.Call(tool.Qualified, nil), s.Direct(tool.Qualified, nil)
	described, _ := s.Bridge(engine.ToolDescribe, json.RawMessage(fmt.Sprintf(`{"name":%q}`, tool.Qualified)))
	shown := !bytes.Contains(described, []byte(`"error"`))
	found := s.Active() && slices.ContainsFunc(s.Search(tool.Name, 50, 50).Hits, func(h engine.Hit) bool { return h.Tool == tool })
	scoped := func(code string) bool { return code == engine.CodeOK || code == engine.CodeInvalidArguments }
	reach := fmt.Sprintf("%s (%s): sent %t, call %s, direct %s, described %t, found %t", tool.Qualified, s.Status(tool), sent, call.Code, direct.Code, shown, found)
	ok := false
	switch s.Status(tool) {
	case engine.Sent:
		ok = sent && !scoped(call.Code) && scoped(direct.Code) && !shown && !found
	case engine.Deferred:
		ok = !sent && scoped(call.Code) && direct.Code == engine.CodeDeferred && shown && found
	case engine.Unreachable:
		ok = !sent && call.Code == engine.CodeBridgeInactive && direct.Code == engine.CodeUnknownTool && !shown && !found
	default:
		ok = !sent && !scoped(call.Code) && !scoped(direct.Code) && !shown && !found
	}
	if !ok {
		t.Fatal(reach)
	}
}

func TestChooserGoesByKeywordsWithoutAnEmbedder(t *testing.T) {
	s := session(t, office)
	var made Selection
	chooser := Chooser{
		Similarity: func(context.Context, *engine.Snapshot, []*model.Tool) (embed.Similarity, error) {
			return nil, errors.New("no model")
		},
		Made: func(_ *engine.Snapshot, x Selection) { made = x },
	}
	c := s.Config
	c.Selection, c.PreSelection.TopK, c.PreSelection.Core = config.SelectHybrid, 1, []string{"terminal"}
	got, err := engine.Build(t.Context(), engine.Inputs{Registry: s.Registry, Config: c, Message: "letter", Select: chooser.Select})
	require.NoError(t, err)
	wantShown(t, made, "terminal=core send_mail=ranked")
	wantCodes(t, made, NoteNoEmbedder)
	if tools := got.Assembly().Tools; len(tools) != 2 || tools[1].Name != "send_mail" || got.Message() != "letter" {
		t.Errorf("%v is sent for %q", names(tools), got.Message())
	}
}

func TestChooserStopsWithItsContext(t *testing.T) {
	s := session(t, office)
	ctx, cancel := context.WithCancel(t.Context())
	chooser := Chooser{Similarity: func(context.Context, *engine.Snapshot, []*model.Tool) (embed.Similarity, error) {
		cancel()
		return nil, ctx.Err()
	}}
	c := s.Config
	c.Selection, c.PreSelection.TopK = config.SelectSemantic, 1
	if _, err := engine.Build(ctx, engine.Inputs{Registry: s.Registry, Config: c, Message: "letter", Select: chooser.Select}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
