package labels

import (
	"fmt"
	"testing"
)

// evaluationOf returns an evaluation of queries that are missed where a letter is x.
func evaluationOf(ranker, answers string) Evaluation {
	e := Evaluation{Ranker: ranker}
	for i, c := range answers {
		e.Answers = append(e.Answers, Answer{Query: Query{Text: fmt.Sprint("query ", i)}, Missed: c == 'x'})
	}
	return e
}

// TestBetterOf: the ranker that finds most more is named where that is proven, with what it
// loses.
func TestBetterOf(t *testing.T) {
	now := evaluationOf("now", "xxxxxxxxx.............")
	for _, tt := range []struct {
		name string
		all  []Evaluation
		want Better
	}{
		{"none", nil, Better{}},
		{"one", []Evaluation{now}, Better{}},
		{"the same", []Evaluation{now, evaluationOf("same", "xxxxxxxxx.............")}, Better{}},
		{"one more is no proof", []Evaluation{now, evaluationOf("more", "xxxxxxxx..............")}, Better{}},
		{"as many others", []Evaluation{now, evaluationOf("other", "......xxxxxxxxx.......")}, Better{}},
		{"most", []Evaluation{now, evaluationOf("few", "xxx......x............"), evaluationOf("many", "x........x............"), evaluationOf("worse", "xxxxxxxxxxxxxxxxxxxxxx")}, Better{"many", 8, 9, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := BetterOf(tt.all)
			if got != tt.want || ok != (tt.want != Better{}) {
				t.Errorf("got %+v, %v, want %+v", got, ok, tt.want)
			}
		})
	}
}
