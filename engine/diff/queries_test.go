package diff

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
)

// doors are n tools that the word door finds, door_1 first: each description
// is longer than the one before.
func doors(n int) []string {
	var entries []string
	for i := 1; i <= n; i++ {
		entries = append(entries, fixture.Entry(fmt.Sprintf("tool_%d", i), "door"+strings.Repeat(" filler", i), "mcp-a"))
	}
	return entries
}

// limited sets the limit of searches.
func limited(n int) func(*config.Config) {
	return func(c *config.Config) { c.ToolSearch.DefaultLimit = n }
}

func TestCompareQueries(t *testing.T) {
	door := func(names ...string) labels.Query { return labels.Query{ID: "q", Text: "door", Relevant: names} }
	buried := slices.Clone(doors(4))
	buried[0] = fixture.Entry("tool_1", "door"+strings.Repeat(" more", 50), "mcp-a")
	silent := slices.Clone(doors(4))
	silent[0] = fixture.Entry("tool_1", "window", "mcp-a")
	swapped := slices.Clone(doors(4))
	swapped[0], swapped[1] = fixture.Entry("tool_1", "door filler filler", "mcp-a"), fixture.Entry("tool_2", "door filler", "mcp-a")
	shared := append(slices.Clone(doors(4)), fixture.Entry("tool_1", "window", "mcp-b"))

	tests := []struct {
		name        string
		old, new    *engine.Snapshot
		query       labels.Query
		want        *QueryChange
		regressions int
	}{
		{"nothing", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, doors(4)...), limited(2)), door("tool_1"), nil, 0},
		{"below the limit", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, doors(3)...), limited(2)), door("tool_4"), nil, 0},
		{"buried", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, buried...), limited(2)), door("tool_1", "tool_2", "tool_3"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 4, true, false, nil}, {"tool_2", 2, 1, false, false, nil}, {"tool_3", 3, 2, false, true, nil}},
				Entered: []string{"tool_3"}, Left: []string{"tool_1"}}, 1},
		{"found again", built(t, fixture.Registry(t, buried...), limited(2)), built(t, fixture.Registry(t, doors(4)...), limited(2)), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 4, 1, false, true, nil}}, Entered: []string{"tool_1"}, Left: []string{"tool_3"}}, 0},
		{"no word matches any more", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, silent...), limited(2)), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 0, true, false, nil}}, Entered: []string{"tool_3"}, Left: []string{"tool_1"}}, 1},
		{"removed, and unknown", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, doors(4)[1:]...), limited(2)), door("tool_1", "tool_9"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 0, true, false, nil}, {"tool_9", 0, 0, false, false, nil}}, Entered: []string{"tool_3"}, Left: []string{"tool_1"}}, 1},
		{"order within the limit", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, swapped...), limited(2)), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 2, false, false, nil}}}, 0},
		{"a lower limit", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, doors(4)...), limited(1)), door("tool_1", "tool_2"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 1, false, false, nil}, {"tool_2", 2, 2, true, false, nil}}, Left: []string{"tool_2"}}, 1},
		{"exactly at the limit", built(t, fixture.Registry(t, doors(4)...), limited(1)), built(t, fixture.Registry(t, doors(4)...), limited(2)), door("tool_2"),
			&QueryChange{Ranks: []RankChange{{"tool_2", 2, 2, false, true, nil}}, Entered: []string{"tool_2"}}, 0},
		{"a core tool now", built(t, fixture.Registry(t, doors(4)...), limited(2)),
			built(t, fixture.Registry(t, doors(4)...), limited(2), func(c *config.Config) { c.Core = []string{"tool_1"} }), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 0, false, false, nil}}, Entered: []string{"tool_3"}, Left: []string{"tool_1"}}, 0},
		{"no core tool any more", built(t, fixture.Registry(t, doors(4)...), limited(2), func(c *config.Config) { c.Core = []string{"tool_1"} }),
			built(t, fixture.Registry(t, doors(4)...), limited(2)), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 0, 1, false, false, nil}}, Entered: []string{"tool_1"}, Left: []string{"tool_3"}}, 0},
		{"another tool takes the name", built(t, fixture.Registry(t, doors(4)...), limited(2)), built(t, fixture.Registry(t, shared...), limited(2)), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 1, false, false, nil}}, Entered: []string{"mcp-a/tool_1"}, Left: []string{"tool_1"}}, 0},
		{"search off", built(t, fixture.Registry(t, doors(4)...), limited(2)),
			built(t, fixture.Registry(t, silent...), limited(2), func(c *config.Config) { c.ToolSearch.Enabled = config.Off }), door("tool_1"),
			&QueryChange{Ranks: []RankChange{{"tool_1", 1, 0, true, false, nil}}, Entered: []string{"tool_3"}, Left: []string{"tool_1"}}, 1},
	}
	for _, tt := range tests {
		d := compared(t, tt.old, tt.new, tt.query)
		var want []QueryChange
		if tt.want != nil {
			tt.want.ID, tt.want.Text = "q", "door"
			want = []QueryChange{*tt.want}
		}
		if !reflect.DeepEqual(d.Queries, want) || d.Regressions != tt.regressions || d.Compared != 1 {
			t.Errorf("%s: %+v, %d regressions; want %+v, %d", tt.name, d.Queries, d.Regressions, want, tt.regressions)
		}
	}
}

func TestCompareUnknownNames(t *testing.T) {
	old, new := built(t, fixture.Registry(t, doors(2)...)), built(t, fixture.Registry(t, doors(1)...))
	d := compared(t, old, new,
		labels.Query{Text: "door", Relevant: []string{"tool_9", "tool_2"}}, labels.Query{Text: "x", Relevant: []string{"tool_0", "tool_9"}})
	if !slices.Equal(d.Unknown, []string{"tool_9", "tool_0"}) {
		t.Errorf("%q", d.Unknown)
	}
}

// The ranks and lists of a comparison come from the two searches.
func TestCompareAgainstSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) *engine.Snapshot {
			var entries []string
			for i := range rapid.IntRange(1, 12).Draw(t, label) {
				words := rapid.SliceOfN(rapid.SampledFrom([]string{"door", "open", "the", "lock"}), 0, 6).Draw(t, "words")
				entries = append(entries, fixture.Entry(fmt.Sprintf("t%d", i), strings.Join(words, " "), "mcp-a"))
			}
			return built(t, fixture.Registry(t, entries...), limited(rapid.IntRange(1, 5).Draw(t, "limit")))
		}
		old, new := draw("old"), draw("new")
		q := labels.Query{Text: rapid.SampledFrom([]string{"door", "open the lock", "t1", "none"}).Draw(t, "query"), Relevant: []string{"t0", "t1", "t7"}}
		d := compared(t, old, new, q)
		place := func(s *engine.Snapshot, name string) (rank int, within bool) {
			for _, h := range s.Search(q.Text, 0, 100).Hits {
				if h.Tool.Qualified == name {
					return h.Rank, h.Within
				}
			}
			return 0, false
		}
		top := func(s *engine.Snapshot) (names []string) {
			for _, h := range s.Search(q.Text, 0, 0).Hits {
				names = append(names, h.Tool.Qualified)
			}
			return names
		}
		if changed := !slices.Equal(top(old), top(new)); changed != (len(d.Queries) == 1) {
			t.Fatalf("%q, then %q: %+v", top(old), top(new), d.Queries)
		}
		depth := rapid.IntRange(0, 20).Draw(t, "depth")
		before, after := Hits(old, new, q.Text, depth)
		for i, side := range [][]RankedHit{before, after} {
			s, other := []*engine.Snapshot{old, new}[i], []*engine.Snapshot{new, old}[i]
			if found := s.Search(q.Text, 0, depth).Hits; len(side) != len(found) {
				t.Fatalf("%d hits, want %d", len(side), len(found))
			}
			for _, h := range side {
				rank, within := place(s, h.Tool)
				if elsewhere, _ := place(other, h.Tool); h.Rank != rank || h.Within != within || h.Other != elsewhere {
					t.Fatalf("%+v, want %d, %v, and %d in the other", h, rank, within, elsewhere)
				}
			}
		}
		regressions := 0
		for i, name := range q.Relevant {
			was, wasWithin := place(old, name)
			now, isWithin := place(new, name)
			if wasWithin && !isWithin {
				regressions++
			}
			if len(d.Queries) > 0 && d.Queries[0].Ranks[i] != (RankChange{name, was, now, wasWithin && !isWithin, isWithin && !wasWithin, nil}) {
				t.Fatalf("%+v: was %d, is %d", d.Queries[0].Ranks[i], was, now)
			}
		}
		if d.Regressions != regressions {
			t.Fatalf("%d regressions, want %d", d.Regressions, regressions)
		}
	})
}

func TestDiffHead(t *testing.T) {
	long := strings.Repeat("ü", 300)
	var before, after []string
	for i := range 30 {
		before = append(before, fixture.Entry(fmt.Sprintf("old_%02d", i), "door", "mcp-a"), fixture.Entry(fmt.Sprintf("both_%02d", i), "door", "mcp-a"))
		after = append(after, fixture.Entry(fmt.Sprintf("new_%02d", i), "door", "mcp-a"), fixture.Entry(fmt.Sprintf("both_%02d", i), "a door", "mcp-a"))
	}
	after = append(after, fixture.Entry(long, "door", long))
	var queries []labels.Query
	for i := range 30 {
		q := labels.Query{ID: fmt.Sprint(i), Text: "door " + long}
		for j := range 30 {
			q.Relevant = append(q.Relevant, fmt.Sprintf("both_%02d", j))
		}
		q.Relevant = append(q.Relevant, fmt.Sprintf("ghost_%d", i))
		queries = append(queries, q)
	}
	whole := compared(t, built(t, fixture.Registry(t, before...)), built(t, fixture.Registry(t, after...)), queries...)
	again := compared(t, built(t, fixture.Registry(t, before...)), built(t, fixture.Registry(t, after...)), queries...)
	h := whole.Head(4)
	if !reflect.DeepEqual(whole, again) {
		t.Error("taking the head changed the diff, or two comparisons differ")
	}
	if len(h.Added) != 4 || len(h.Removed) != 4 || len(h.Changed) != 4 || len(h.Queries) != 4 || len(h.Unknown) != 4 {
		t.Errorf("%+v", h)
	}
	if want := (Rest{Added: 27, Removed: 26, Changed: 26, Queries: 26, Unknown: 26}); h.More != want {
		t.Errorf("left out %+v, want %+v", h.More, want)
	}
	counts := func(d Diff) string {
		added, removed, changed := d.Counts()
		return fmt.Sprint(added, removed, changed, len(d.Queries)+d.More.Queries, d.Regressions > 0, d.Regressions == whole.Regressions)
	}
	if got := counts(h); got != counts(whole) || got != "31 30 30 30 true true" {
		t.Errorf("counts are %s, were %s", got, counts(whole))
	}
	if q := h.Queries[0]; len(q.Ranks) != 4 || q.More != 27 || len(q.Left) != 5 {
		t.Errorf("%+v", q)
	}
	if text := h.Queries[0].Text; utf8.RuneCountInString(text) != 200 || !strings.HasSuffix(text, "ü…") {
		t.Errorf("%q", text)
	}
	if !reflect.DeepEqual(h.Head(4), h) || h.Head(1).More.Added != 30 || h.Head(0).Added != nil || h.Head(-1).More.Added != 31 {
		t.Error("a head of a head")
	}
	// Whatever was read, the kept part has a bound.
	if size := len(fmt.Sprintf("%+v", whole.Head(1))); size > 8_000 {
		t.Errorf("%d bytes", size)
	}
}
