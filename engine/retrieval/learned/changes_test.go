package learned

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/require"
)

// TestChanges: an index with lessons added and left out in any order scores and explains
// as one made anew of the lessons that count, and the index it was made from is as before.
func TestChanges(t *testing.T) {
	tools, base := catalog(t)
	rapid.Check(t, func(t *rapid.T) {
		first := weighted(t, base, tools, drawLessons(tools).Draw(t, "lessons"), 2)
		x, present := first, map[int]bool{}
		for i := range first.count() {
			present[int(i)] = true
		}
		before := fmt.Sprint(first.Search("sort invoices", 20), first.support)
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			if rapid.Bool().Draw(t, "adds") {
				more := drawLessons(tools).Draw(t, "more")
				for i := range more {
					present[int(x.count())+i] = true
				}
				x = x.With(more...)
			} else if x.count() > 0 {
				left := rapid.SliceOfN(rapid.IntRange(0, int(x.count())-1), 0, 5).Draw(t, "left")
				for _, l := range left {
					delete(present, l)
				}
				x = x.Without(left)
			}
		}
		var lessons []Lesson
		for i := range x.count() {
			if present[int(i)] {
				lessons = append(lessons, x.Lesson(int(i)))
			}
		}
		anew := weighted(t, base, tools, lessons, 2)
		over, err := x.Over(context.Background(), base, tools)
		require.NoError(t, err)
		if x.support.Lessons != anew.support.Lessons {
			t.Fatalf("it has %d lessons, anew %d", x.support.Lessons, anew.support.Lessons)
		}
		for _, query := range queries {
			want := map[int]float64{}
			for _, h := range anew.Search(query, anew.Len()).Hits {
				want[h.Doc] = h.Score
			}
			for name, y := range map[string]*Index{"changed": x, "over": over} {
				hits := y.Search(query, y.Len()).Hits
				if len(hits) != len(want) || y.Scored(query) != len(want) {
					t.Fatalf("%s: %q finds %d, anew %d", name, query, len(hits), len(want))
				}
				for _, h := range hits {
					if math.Abs(h.Score-want[h.Doc]) > 1e-12 {
						t.Fatalf("%s: %q gives %v, anew %v", name, query, h.Score, want[h.Doc])
					}
				}
			}
		}
		for doc := range 12 {
			got, n := x.Taught(doc)
			want, m := anew.Taught(doc)
			if len(got) != len(want) || len(n) != len(m) {
				t.Fatalf("%d words of %d lessons are taught, anew %d of %d", len(got), len(n), len(want), len(m))
			}
			for i, known := range x.Known("zzyzx invoices", doc) {
				if again := anew.Known("zzyzx invoices", doc); i >= len(again) || again[i] != known {
					t.Fatalf("known are %q, anew %q", x.Known("zzyzx invoices", doc), again)
				}
			}
		}
		if again := fmt.Sprint(first.Search("sort invoices", 20), first.support); again != before {
			t.Fatalf("the first index is now %s, and was %s", again, before)
		}
	})
}

// TestStale: the weight is to be chosen anew after a tenth of the lessons, and after 128.
func TestStale(t *testing.T) {
	tools, base := catalog(t)
	for _, tt := range []struct{ lessons, changes int }{{0, 1}, {9, 1}, {10, 2}, {100, 11}, {5000, 129}} {
		t.Run(fmt.Sprint(tt.lessons), func(t *testing.T) {
			lessons := madeUp(tools, tt.lessons)
			x, err := learn(t.Context(), base, tools, lessons)
			require.NoError(t, err)
			for i := range tt.changes {
				if x.Stale() {
					t.Fatalf("it is stale after %d changes", i)
				}
				if i%2 == 0 || i >= tt.lessons {
					x = x.With(Lesson{Text: "one more", Tools: []string{tools[0].Name}})
				} else {
					x = x.Without([]int{i})
				}
			}
			if !x.Stale() {
				t.Errorf("it is not stale after %d changes", tt.changes)
			}
		})
	}
}

// madeUp returns n lessons about tools, in the words of two of them.
func madeUp(tools []*model.Tool, n int) []Lesson {
	lessons := make([]Lesson, n)
	for i := range lessons {
		a, b := tools[i%len(tools)], tools[(i*7919+13)%len(tools)]
		lessons[i] = Lesson{ID: fmt.Sprint(i), Text: fmt.Sprintf("%.60s %.40s item%d", a.Description, b.Description, i%5000), Tools: []string{a.Name}}
	}
	return lessons
}

// large returns a catalog of 10,000 tools with its index by fielded.
func large(t testing.TB) ([]*model.Tool, *fielded.Index) {
	t.Helper()
	r := fixture.Parse(t, fixture.Dump(10_000, 5))
	base, err := fielded.NewCorpus().Index(context.Background(), r.Tools, r.Toolset, fielded.Default)
	require.NoError(t, err)
	return r.Tools, base
}

// TestGrowth: one more label, and one less, allocates as much after 20,000 labels as after
// 2,000.
func TestGrowth(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates too: pools keep nothing under it")
	}
	tools, base := large(t)
	one := Lesson{Text: "send the bill to everybody quickly", Tools: []string{tools[5000].Name}}
	allocated := func(n int) (with, without uint64) {
		x, err := learn(t.Context(), base, tools, madeUp(tools, n))
		require.NoError(t, err)
		bytes := func(change func()) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 100 {
				change()
			}
			runtime.ReadMemStats(&after)
			return (after.TotalAlloc - before.TotalAlloc) / 100
		}
		return bytes(func() { x.With(one) }), bytes(func() { x.Without([]int{n / 2}) })
	}
	with, without := allocated(1_000)
	withMore, withoutMore := allocated(8_000)
	t.Logf("one more: %d bytes, then %d; one less: %d bytes, then %d", with, withMore, without, withoutMore)
	const most = 16 << 10
	if withMore > with+most/4 || withoutMore > without+most/4 || withMore > most || withoutMore > most {
		t.Error("the cost of a label grows with the number of labels")
	}
}

// TestTaughtIsKept: the lessons about a tool are the old index's, unless a lesson that
// names it is added or left out.
func TestTaughtIsKept(t *testing.T) {
	tools, base := catalog(t)
	x := weighted(t, base, tools, madeUp(tools, 600), 2)
	y := x.With(Lesson{Text: "pay a bill", Tools: []string{tools[3].Name}}).Without([]int{4})
	for doc := range int32(len(tools)) {
		same := x.taughtOf(doc) == y.taughtOf(doc)
		if same != (doc != 3 && doc != 4) {
			t.Errorf("of tool %d it is the same: %v", doc, same)
		}
	}
	if reflect.ValueOf(x.core).Pointer() != reflect.ValueOf(y.core).Pointer() {
		t.Error("the core was copied")
	}
}

// TestRelearn: lists of lessons that differ little are learned by changes.
func TestRelearn(t *testing.T) {
	tools, base := catalog(t)
	lessons := madeUp(tools, 100)
	x := weighted(t, base, tools, lessons, 2)
	one := Lesson{ID: "new", Text: "pay a bill", Tools: []string{tools[3].Name}}
	other := lessons[50]
	other.Text = "another text"
	for _, tt := range []struct {
		name    string
		lessons []Lesson
		ok      bool
	}{
		{"the same", lessons, true},
		{"one at the end", append(slices.Clone(lessons), one), true},
		{"one in the middle", slices.Insert(slices.Clone(lessons), 40, one), true},
		{"one is gone", slices.Delete(slices.Clone(lessons), 7, 8), true},
		{"one has another text", append(append(slices.Clone(lessons[:50]), other), lessons[51:]...), true},
		{"eleven are gone", lessons[11:], false},
		{"all are others", madeUp(tools[5:], 100), false},
		{"none is left", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			y, ok := x.Relearn(tt.lessons)
			if ok != tt.ok {
				t.Fatalf("it says %v", ok)
			}
			if !ok {
				return
			}
			anew := weighted(t, base, tools, tt.lessons, 2)
			for _, query := range []string{"pay a bill", lessons[50].Text, "another text", lessons[7].Text} {
				a, b := y.Search(query, 10).Hits, anew.Search(query, 10).Hits
				for i := range a {
					if a[i].Doc != b[i].Doc || math.Abs(a[i].Score-b[i].Score) > 1e-12 {
						t.Errorf("%q: hit %d is %v, anew %v", query, i, a[i], b[i])
					}
				}
			}
			if again, ok := y.Relearn(lessons); !ok || again.support.Lessons != 100 {
				t.Error("and it does not go back")
			}
		})
	}
}
