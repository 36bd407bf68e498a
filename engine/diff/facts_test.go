package diff_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model/require"
)

// doors builds a registry whose tools the word door finds, the first one first: each
// description is longer than the one before.
func doors(t *testing.T, names ...string) *engine.Snapshot {
	return doorsWithin(t, 2, nil, names...)
}

func doorsWithin(t *testing.T, limit int, core []string, names ...string) *engine.Snapshot {
	t.Helper()
	var entries []string
	for i, name := range names {
		entries = append(entries, fixture.Entry(name, "door"+strings.Repeat(" filler", i+1), "mcp-a"))
	}
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config(func(c *config.Config) {
		c.ToolSearch.DefaultLimit = limit
		c.Core = core
	})})
	require.NoError(t, err)
	return s
}

// TestLostQueries says which queries lost their tool, and to whom.
func TestLostQueries(t *testing.T) {
	door := func(names ...string) labels.Query { return labels.Query{ID: "q", Text: "door", Relevant: names} }
	grouped := labels.Query{ID: "q", Text: "door", Relevant: []string{"one", "two"}, Groups: [][]string{{"one", "two"}}}
	base := doors(t, "one", "two", "three")
	for _, x := range []struct {
		name     string
		old, new *engine.Snapshot
		query    labels.Query
		want     []diff.LostQuery
		recall   float64 // after
	}{
		{"nothing", base, doors(t, "one", "two", "three"), door("one"), nil, 1},
		{"below the limit", base, doors(t, "two", "three", "one"), door("one"), []diff.LostQuery{{ID: "q", Text: "door", Tool: "one", OldRank: 1, NewRank: 3, LostTo: "two"}}, 0},
		{"gone", base, doors(t, "two", "three"), door("one"), []diff.LostQuery{{ID: "q", Text: "door", Tool: "one", OldRank: 1, Gone: true, LostTo: "two"}}, 0},
		{"gone with all others", base, doors(t), door("one"), []diff.LostQuery{{ID: "q", Text: "door", Tool: "one", OldRank: 1, Gone: true}}, 0},
		{"one need of two", base, doors(t, "two", "three", "one"), door("one", "two"), []diff.LostQuery{{ID: "q", Text: "door", Tool: "one", OldRank: 1, NewRank: 3, LostTo: "three"}}, 0.5},
		{"another tool of the need is found", base, doors(t, "two", "three", "one"), grouped, nil, 1},
		{"it became a core tool", base, doorsWithin(t, 2, []string{"one"}, "one", "two", "three"), door("one"), nil, 1},
		{"it was a core tool", doorsWithin(t, 2, []string{"one"}, "one", "two", "three"), doors(t, "two", "three", "one"), door("one"),
			[]diff.LostQuery{{ID: "q", Text: "door", Tool: "one", NewRank: 3, LostTo: "two"}}, 0},
		{"the limit is lower", base, doorsWithin(t, 1, nil, "one", "two", "three"), door("two"), []diff.LostQuery{{ID: "q", Text: "door", Tool: "two", OldRank: 2, NewRank: 2, LostTo: "one"}}, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := judged(t, x.old, x.new, []labels.Query{x.query}, diff.GateOptions{})
			if fmt.Sprint(r.Queries) != fmt.Sprint(x.want) || r.Recall.New != x.recall {
				t.Errorf("%+v, recall %+v", r.Queries, r.Recall)
			}
		})
	}
}

// TestWorded: a fall is told by the wording of the queries, whose names are the
// base's; a tool that only the head has is named there.
func TestWorded(t *testing.T) {
	queries := []labels.Query{
		{ID: "a", Text: "door", Relevant: []string{"one"}},
		{ID: "b", Text: "door one", Relevant: []string{"one"}},
		{ID: "c", Text: "door, the red one", Relevant: []string{"red_door"}},
	}
	r := judged(t, doors(t, "one", "two", "three"), doors(t, "two", "three", "red_door", "one"), queries, diff.GateOptions{})
	for class, want := range [3][3]float64{{1, 1, 0}, {}, {2, 0.5, 1}} {
		if w := r.Worded[class]; float64(w.Queries) != want[0] || w.Old != want[1] || w.New != want[2] || w.Difference != w.New-w.Old {
			t.Errorf("%v: %+v, want %v", labels.WordClass(class), w, want)
		}
	}
	if len(r.Queries) != 1 || r.Queries[0].Wording != labels.NoWords {
		t.Errorf("lost %+v", r.Queries)
	}
}

// TestAbstention: without confidence a query has its core tools and no others, on either
// side.
func TestAbstention(t *testing.T) {
	build := func(least float64, core ...string) *engine.Snapshot {
		s := doorsWithin(t, 2, core, "one", "two", "three")
		in := s.Inputs()
		in.Config.ToolSearch.MinConfidence = least
		s, err := engine.Build(t.Context(), in)
		require.NoError(t, err)
		return s
	}
	queries := []labels.Query{{ID: "q", Text: "paint a door with a brush", Relevant: []string{"one"}}}
	lost := diff.LostQuery{ID: "q", Text: queries[0].Text, Tool: "one", OldRank: 1, NewRank: 1, Abstained: true}
	for _, x := range []struct {
		name     string
		old, new *engine.Snapshot
		recall   [2]float64
		lost     []diff.LostQuery
		won      int
	}{
		{"off", build(0), build(0), [2]float64{1, 1}, nil, 0},
		{"the head abstains", build(0), build(0.95), [2]float64{1, 0}, []diff.LostQuery{lost}, 0},
		{"the base abstained", build(0.95), build(0), [2]float64{0, 1}, nil, 1},
		{"both abstain", build(0.95), build(0.95), [2]float64{0, 0}, nil, 0},
		{"little is asked for", build(0), build(0.01), [2]float64{1, 1}, nil, 0},
		{"a core tool needs no search", build(0, "one"), build(0.95, "one"), [2]float64{1, 1}, nil, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := judged(t, x.old, x.new, queries, diff.GateOptions{})
			if got := [2]float64{r.Recall.Old, r.Recall.New}; got != x.recall || r.Won != x.won || fmt.Sprint(r.Queries) != fmt.Sprint(x.lost) {
				t.Errorf("recall %v, %d won, %+v", got, r.Won, r.Queries)
			}
		})
	}
}

// TestAlpha holds the gate to the example of the package: six of 80 are significant,
// five are not, and with another alpha they are.
func TestAlpha(t *testing.T) {
	var queries []labels.Query
	var names, others []string
	for i := range 80 {
		name := fmt.Sprintf("w%02d", i)
		names, others = append(names, name), append(others, name)
		queries = append(queries, labels.Query{ID: name, Text: name, Relevant: []string{name}})
	}
	for lost, want := range map[int]map[float64]bool{5: {0: true, 0.1: false}, 6: {0: false, 0.01: true}} {
		for alpha, passes := range want {
			for i := range lost {
				others[i] = "gone" + names[i]
			}
			r := judged(t, doors(t, names...), doors(t, others...), queries, diff.GateOptions{Alpha: alpha, Accept: []diff.ReasonKind{diff.KindRemoved}})
			if r.Recall.P != 2/float64(int(1)<<lost) || r.Passed() != passes || len(r.Queries) != lost || r.Won != 0 {
				t.Errorf("%d lost, alpha %v: P %v, %d lost, %+v", lost, alpha, r.Recall.P, len(r.Queries), r.Reasons)
			}
			copy(others, names)
		}
	}
}

// TestTasksCountTogether: queries of one task are one observation.
func TestTasksCountTogether(t *testing.T) {
	var queries []labels.Query
	for i := range 20 {
		queries = append(queries, labels.Query{ID: fmt.Sprint(i), Text: fmt.Sprint("door ", i), Relevant: []string{"one"}, Group: "the task"})
	}
	old, now := doors(t, "one", "two", "three"), doors(t, "two", "three", "one")
	if r := judged(t, old, now, queries, diff.GateOptions{}); !r.Passed() || r.Recall.P != 1 || r.Recall.Difference != -1 {
		t.Errorf("%+v", r)
	}
	for i := range queries {
		queries[i].Group = ""
	}
	if r := judged(t, old, now, queries, diff.GateOptions{}); r.Passed() {
		t.Errorf("%+v", r)
	}
}

// TestWithoutQueries compares all but recall.
func TestWithoutQueries(t *testing.T) {
	r := judged(t, doors(t, "one"), doors(t, "two"), nil, diff.GateOptions{})
	if !r.Passed() || r.Recall != (diff.Recall{P: 1}) || r.ComparedSessions == 0 {
		t.Errorf("%+v", r)
	}
}

// ruled returns a snapshot of the tool one with a policy.
func ruled(t *testing.T, rules ...config.Rule) *engine.Snapshot {
	t.Helper()
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, fixture.Entry("one", "door", "mcp-a")),
		Config: fixture.Config(func(c *config.Config) { c.Policy = rules })})
	require.NoError(t, err)
	return s
}

// TestStagedRules: a rule of a stage that is removed counts as one of the policy does.
func TestStagedRules(t *testing.T) {
	for _, stage := range []config.Stage{"", config.StagePre, config.StageGuardrail, config.StageApproval} {
		for _, action := range []config.Action{config.Deny, config.Approve} {
			base := ruled(t, config.Rule{Match: "one", Action: action, Stage: stage})
			r := judged(t, base, ruled(t), nil, diff.GateOptions{})
			if len(r.Reasons) != 1 || r.Reasons[0].Path != diff.PathPolicy || r.ScopeViolations != 1 {
				t.Errorf("%s at %q: %+v", action, stage, r.Reasons)
			}
			if r = judged(t, base, base, nil, diff.GateOptions{}); !r.Passed() {
				t.Errorf("%s at %q kept: %+v", action, stage, r.Reasons)
			}
		}
	}
}

// TestDeniedThenAsked: a rule that denies and becomes one that asks for approval protects
// less, wherever both stand; the way back protects more.
func TestDeniedThenAsked(t *testing.T) {
	rule := func(action config.Action, stage config.Stage) config.Rule {
		return config.Rule{Match: "one", Action: action, Stage: stage}
	}
	ask, deny := config.Approve, config.Deny
	for _, x := range []struct {
		name     string
		old, now []config.Rule
		weaker   bool
	}{
		{"deny becomes approve", []config.Rule{rule(deny, "")}, []config.Rule{rule(ask, "")}, true},
		{"deny becomes approve at another stage", []config.Rule{rule(deny, "")}, []config.Rule{rule(ask, config.StageApproval)}, true},
		{"a deny behind an approve is removed", []config.Rule{rule(ask, ""), rule(deny, config.StageGuardrail)}, []config.Rule{rule(ask, "")}, true},
		{"approve becomes deny", []config.Rule{rule(ask, "")}, []config.Rule{rule(deny, "")}, false},
		{"a deny moves behind an approve", []config.Rule{rule(deny, "")}, []config.Rule{rule(ask, ""), rule(deny, config.StageGuardrail)}, false},
		{"an approve is added to a deny", []config.Rule{rule(deny, config.StageApproval)}, []config.Rule{rule(ask, ""), rule(deny, config.StageApproval)}, false},
	} {
		r := judged(t, ruled(t, x.old...), ruled(t, x.now...), nil, diff.GateOptions{})
		if !x.weaker {
			if !r.Passed() {
				t.Errorf("%s: %+v", x.name, r.Reasons)
			}
			continue
		}
		if len(r.Reasons) != 1 || r.Reasons[0].Kind != diff.KindScope || r.Reasons[0].Path != diff.PathAsked || r.ScopeViolations != 1 {
			t.Errorf("%s: %+v", x.name, r.Reasons)
		}
	}
}

// TestUnanswerable counts the queries without a tool in either registry.
func TestUnanswerable(t *testing.T) {
	queries := []labels.Query{{Text: "door", Relevant: []string{"gone", "other"}}, {Text: "door", Relevant: []string{"gone", "two"}}, {Text: "door", Relevant: []string{"one"}}}
	if r := judged(t, doors(t, "one"), doors(t, "two"), queries, diff.GateOptions{}); r.Unanswerable != 1 || strings.Join(r.Unknown, " ") != "gone other" {
		t.Errorf("%d, %v", r.Unanswerable, r.Unknown)
	}
}

// TestJudgeEnds with its context.
func TestJudgeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	old, now := doors(t, "one"), doors(t, "two")
	cancel()
	if _, err := diff.Judge(ctx, engine.NewBuilder(), old, now, nil, diff.GateOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
