package tui

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine/lint"
	"caliper/model"
)

// queriesFound is what the newest jobs found.
type queriesFound struct {
	evaluated *evaluated
	reach     []lint.Reach
	surveyed  bool
	report    lint.Report
	linted    bool
}

// dark counts the tools that none of their words find.
func (f *queriesFound) dark() int { return len(lint.Dark(f.reach)) }

// partly counts the others that their name or their first sentence does not
// find.
func (f *queriesFound) partly() (n int) {
	for _, r := range f.reach {
		if !r.Dark() && failures(r) > 0 {
			n++
		}
	}
	return n
}

// lowered is a text as filters compare it.
func lowered(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// order makes the rows of the list that is shown.
func (s *queriesScreen) order() { s.orderPart(s.part) }

// orderPart makes the rows of a list: the worst first, and only those that
// pass its filter.
func (s *queriesScreen) orderPart(part queriesPart) {
	l := &s.lists[part]
	defer l.settle()
	l.rows = l.rows[:0]
	add := func(key string, i int, texts ...string) {
		if l.needle == "" || strings.Contains(lowered(strings.Join(texts, " ")), l.needle) {
			l.rows = append(l.rows, queriesRow{key, i})
		}
	}
	switch f := &s.found; part {
	case partQueries:
		if f.evaluated == nil {
			return
		}
		answers := f.evaluated.now().Answers
		places := make([]int, len(answers))
		for i := range places {
			places[i] = i
		}
		slices.SortStableFunc(places, func(a, b int) int { return depthOf(answers[b].Best) - depthOf(answers[a].Best) })
		for _, i := range places {
			q := answers[i].Query
			add(queryKey(q), i, append(q.Relevant[:len(q.Relevant):len(q.Relevant)], q.Text, q.ID)...)
		}
	case partDark:
		for i, r := range f.reach {
			if failures(r) > 0 {
				add(r.Tool.Qualified, i, r.Tool.ShownName)
			}
		}
		slices.SortStableFunc(l.rows, func(a, b queriesRow) int {
			return cmp.Compare(failures(f.reach[b.i]), failures(f.reach[a.i]))
		})
	case partFindings:
		for i, x := range f.report.Findings {
			name := ""
			if x.Tool != nil {
				name = x.Tool.Qualified
			}
			add(string(x.Code)+"\x00"+name+"\x00"+x.Message, i, string(x.Severity), string(x.Code), name, x.Message)
		}
	}
}

// failures says how badly a tool is found: 0 when its name and its first
// sentence find it, more the more of its words fail, most when all do.
func failures(r lint.Reach) int {
	n := 0
	if r.Name.Query != "" && !r.Name.Found {
		n += 2
	}
	if r.Sentence.Query != "" && !r.Sentence.Found {
		n++
	}
	if r.Dark() {
		n = 4
	}
	return n
}

// tool returns the tool of the selected row, nil when it is about none: of a
// query the first relevant one that the registry has.
func (s *queriesScreen) tool() *model.Tool {
	row, ok := s.row()
	if !ok || s.state == nil || s.part == partQueries && s.found.evaluated == nil {
		return nil
	}
	var name string
	switch s.part {
	case partQueries:
		for _, name := range s.found.evaluated.now().Answers[row.i].Query.Relevant {
			if bearers := s.state.Snapshot.Registry.Lookup(name); len(bearers) > 0 {
				return bearers[0]
			}
		}
		return nil
	case partDark:
		name = s.found.reach[row.i].Tool.Qualified
	case partFindings:
		if t := s.found.report.Findings[row.i].Tool; t != nil {
			name = t.Qualified
		}
	}
	return named(s.state.Snapshot.Registry, name)
}

// named returns the tool of a qualified name, nil when the registry has none.
func named(r *model.Registry, name string) *model.Tool {
	for _, t := range r.Lookup(name) {
		if t.Qualified == name {
			return t
		}
	}
	return nil
}
