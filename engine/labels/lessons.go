package labels

import (
	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/model"
)

// Lessons returns labelled queries as lessons about the tools of a registry, in their
// order. Names that labels have from the agent's other generation become the
// registry's.
func Lessons(r *model.Registry, queries []Query) *engine.Lessons {
	l := &engine.Lessons{}
	for _, q := range AsCalled(r, queries) {
		l.List = append(l.List, q.Lesson())
	}
	return l
}

// Lesson returns the query as a lesson.
func (q Query) Lesson() learned.Lesson {
	return learned.Lesson{ID: q.ID, Text: q.Text, Group: q.Group, Tools: q.Relevant}
}
