package selection

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/model"
	"caliper/model/require"
)

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
