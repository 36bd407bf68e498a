package labels

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine"
	"caliper/engine/retrieval/learned"
	_ "caliper/model/require"
)

// TestDeal: queries of one task are in one fold, folds have as many tasks but for one, and
// the order of the queries changes no fold.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queries []Query
		for i := range rapid.IntRange(0, 40).Draw(t, "queries") {
			q := Query{ID: fmt.Sprint(i), Text: rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "text") + fmt.Sprint(i%7)}
			if rapid.Bool().Draw(t, "grouped") {
				q.Group = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "group")
			}
			queries = append(queries, q)
		}
		folds := rapid.IntRange(2, 6).Draw(t, "folds")
		tasks := Tasks(queries)
		fold := Deal(queries, folds)
		foldOf, size := map[int]int{}, make([]int, folds)
		byID := map[string]int{}
		for i, task := range tasks {
			if first, known := foldOf[task]; known && first != fold[i] {
				t.Fatalf("a task is in the folds %d and %d", first, fold[i])
			} else if !known {
				foldOf[task] = fold[i]
				size[fold[i]]++
			}
			byID[queries[i].ID] = fold[i]
		}
		if slices.Max(size)-slices.Min(size) > 1 {
			t.Fatalf("the folds have %v tasks", size)
		}
		slices.Reverse(queries)
		for i, f := range Deal(queries, folds) {
			if byID[queries[i].ID] != f {
				t.Fatal("the order of the queries changes a fold")
			}
		}
	})
}

// TestWithoutLessons: what has the id, the text or the group of a query that is asked is
// left out, and an empty group is none.
func TestWithoutLessons(t *testing.T) {
	lessons := &engine.Lessons{List: []learned.Lesson{
		{ID: "1", Text: "a"}, {ID: "2", Text: "b"}, {ID: "3", Text: "c", Group: "g"}, {ID: "4", Text: "d"},
	}}
	rest, left := Without(lessons, []Query{{ID: "1", Text: "x"}, {ID: "9", Text: "b"}, {ID: "8", Text: "y", Group: "g"}})
	if len(rest.List) != 1 || rest.List[0].ID != "4" || !slices.Equal(left, []int{0, 1, 2}) {
		t.Errorf("%v stay, %v are left out", rest.List, left)
	}
	if rest, _ := Without(nil, nil); rest != nil {
		t.Error("nothing teaches something")
	}
}
