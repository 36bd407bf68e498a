package labels

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model/require"
)

// TestAbstain: the curve falls and rises, and counts only queries that a tool answers.
func TestAbstain(t *testing.T) {
	r := fixture.Registry(t,
		fixture.Entry("send_mail", "Send a letter by mail.", "mcp-mail"),
		fixture.Entry("list_files", "List the files of a folder.", "mcp-files"),
		fixture.Entry("paint_fence", "Paint a fence white.", "mcp-a"),
		fixture.Entry("terminal", "Run a command.", "core"))
	for _, ranker := range config.Rankers {
		t.Run(ranker, func(t *testing.T) {
			s := built(t, r, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
			calls := 0
			a, err := Abstain(t.Context(), s, []Query{
				{ID: "a", Text: "send a letter", Relevant: []string{"send_mail"}},
				{ID: "b", Text: "list files", Relevant: []string{"list_files", "gone"}},
				{ID: "c", Text: "paint the fence", Relevant: []string{"paint_fence"}},
				{ID: "core", Text: "run a command", Relevant: []string{"terminal"}},
				{ID: "unknown", Text: "fly", Relevant: []string{"gone"}},
			}, func(done, total int) {
				if calls++; done != calls || total != 3 {
					t.Errorf("progress %d of %d after %d", done, total, calls)
				}
			})
			require.NoError(t, err)
			// One has all words of the names, two have some of them.
			if got := [3]int{a.Worded[0].Queries, a.Worded[1].Queries, a.Worded[2].Queries}; got != [3]int{0, 2, 1} || a.Worded[1].AUC != 1 || a.Worded[0].AUC != 0 {
				t.Errorf("by wording: %d queries, told apart %v", got, a.Worded[1].AUC)
			}
			if a.Queries != 3 || a.LeftOut != 2 || calls != 3 || a.Ranker != ranker {
				t.Errorf("got %+v", a)
			}
			// Without its tool a query finds nothing, or tools that have only "a" of it.
			if best := a.Best(); a.AUC != 1 || best.FalseHits != 0 || best.FalseAbstentions != 0 {
				t.Errorf("AUC %v, points %+v", a.AUC, a.Points)
			}
			last := a.Points[len(a.Points)-1]
			if last.MinConfidence != 1 || last.FalseHits != 0 || last.FalseAbstentions != 1 {
				t.Errorf("at 1 it is %+v", last)
			}
			for i, p := range a.Points[1:] {
				if p.FalseHits > a.Points[i].FalseHits || p.FalseAbstentions < a.Points[i].FalseAbstentions {
					t.Errorf("%+v follows %+v", p, a.Points[i])
				}
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Abstain(ctx, built(t, r), []Query{{Text: "send", Relevant: []string{"send_mail"}}}, nil); err == nil {
		t.Error("what is no longer wanted goes on")
	}
}

// TestAbstainMeasures computes the figures of four confidences.
func TestAbstainMeasures(t *testing.T) {
	var a Abstention
	a.measure([]asked{{0.8, true}, {0.4, true}}, []asked{{0.4, true}, {0, false}})
	// 0.8 is above both, 0.4 is above one and as high as the other.
	if a.AUC != 3.5/4 {
		t.Errorf("AUC %v", a.AUC)
	}
	if want := (0.04 + 0.16 + 0.36 + 0) / 4; math.Abs(a.Brier-want) > 1e-12 {
		t.Errorf("Brier %v, want %v", a.Brier, want)
	}
	for _, p := range a.Points {
		want := map[string][2]float64{"0.00": {0.5, 0}, "0.40": {0.5, 0}, "0.45": {0, 0.5}, "0.80": {0, 0.5}, "0.85": {0, 1}, "1.00": {0, 1}}
		if w, ok := want[fmt.Sprintf("%.2f", p.MinConfidence)]; ok && (p.FalseHits != w[0] || p.FalseAbstentions != w[1]) {
			t.Errorf("%+v, want %v", p, w)
		}
	}
	if a.Best().MinConfidence != 0 {
		t.Errorf("best is %+v", a.Best())
	}
	var none Abstention
	none.measure(nil, nil)
	if len(none.Points) != abstentionSteps+1 || none.AUC != 0 || none.Best().FalseHits != 0 {
		t.Errorf("of nothing it is %+v", none)
	}
}

// TestAbstainDraws: of more queries than are asked, the asked are drawn evenly.
func TestAbstainDraws(t *testing.T) {
	r := fixture.Registry(t, fixture.Entry("send_mail", "Send a letter.", "mcp-mail"))
	queries := make([]Query, 3*MaxAbstention)
	for i := range queries {
		queries[i] = Query{ID: fmt.Sprint(i), Text: "send", Relevant: []string{"send_mail"}}
	}
	drawn, right := answerable(built(t, r), queries)
	if len(drawn) != MaxAbstention || len(right) != MaxAbstention || drawn[1].ID != "3" || drawn[MaxAbstention-1].ID != fmt.Sprint(3*MaxAbstention-3) {
		t.Errorf("drawn are %d, the second is %s", len(drawn), drawn[1].ID)
	}
}
