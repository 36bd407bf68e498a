package queries

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
)

// found is the results of the newest jobs.
type found struct {
	evaluated *evaluated
	reach     []lint.Reach
	surveyed  bool
	report    lint.Report
	linted    bool
	tuned     *selection.Tuning
	confused  *lint.ConfusionMap
}

// lowered returns a text as filters compare it.
func lowered(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// movedWords returns by which words a filter finds an answer whose best rank is another
// than in the other evaluation: "rose", "fell", and the words of its column.
func (s *Screen) movedWords(a *labels.Answer) string {
	before, known := s.ranks[queryKey(a.Query)]
	switch {
	case s.against() == nil || known && before == a.Best:
		return ""
	case !known:
		return "added"
	case a.Best == 0:
		return "fell lost"
	case before == 0:
		return "rose new"
	case before < a.Best:
		return "fell"
	}
	return "rose"
}

// orderView makes the rows of a list: the worst first, and only those that pass its filter.
func (s *Screen) orderView(v view) {
	list, filter, cursor := &s.rows[v], s.filters[v], s.Tabs[v].Cursor
	if filter == "" {
		defer func() { cursor.Move(s.listed(v), 0) }()
	}
	*list = (*list)[:0]
	add := func(key string, i int, texts ...string) {
		if filter == "" || strings.Contains(lowered(strings.Join(texts, " ")), filter) {
			*list = append(*list, row{key: key, i: i})
		}
	}
	switch f := &s.found; v {
	case viewQueries:
		if f.evaluated == nil {
			return
		}
		answers := f.evaluated.now().Answers
		order := make([]int, len(answers))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return depthOf(answers[b].Best) - depthOf(answers[a].Best) })
		for _, i := range order {
			q := answers[i].Query
			if s.sought != "" && ui.OneLine(q.Text) == s.sought {
				cursor.ID, s.sought = queryKey(q), ""
			}
			add(queryKey(q), i, append(q.Relevant[:len(q.Relevant):len(q.Relevant)], q.Text, q.ID, s.movedWords(&answers[i]), "wording "+answers[i].Wording.String())...)
		}
	case viewDark:
		for i, r := range f.reach {
			if failures(r) > 0 {
				add(r.Tool.Qualified, i, r.Tool.ShownName)
			}
		}
		model.Sort(*list, func(a, b row) int {
			return cmp.Compare(failures(f.reach[b.i]), failures(f.reach[a.i]))
		})
	case viewFindings:
		s.orderFindings(list, filter)
	case viewTuning:
		if f.tuned == nil {
			return
		}
		for i, p := range f.tuned.Frontier {
			text := changes.TunedSettings(*f.tuned, p.Settings).String()
			add(text, i, text)
		}
	case viewMap:
		m := s.found.confused
		if m != nil {
			for i := range len(m.Servers) + len(m.Pairs) {
				if servers, pair := s.mapped(i); servers != nil {
					add("server\x00"+servers.A+"\x00"+servers.B, i, servers.A, servers.B)
				} else {
					a, b := m.Tools[pair.A], m.Tools[pair.B]
					add(a.Name+"\x00"+b.Name, i, a.Name, b.Name, string(pair.Kind))
				}
			}
		}
	}
}

// orderFindings makes the rows of the findings: below the header of each group those
// that pass the filter, unless the group is folded.
func (s *Screen) orderFindings(rows *[]row, filter string) {
	findings := s.found.report.Findings
	var out []group
	for i := range findings {
		f := &findings[i]
		k := kind{f.Severity, f.Code}
		if len(out) == 0 || out[len(out)-1].kind != k {
			out = append(out, group{kind: k, first: i})
		}
		g := &out[len(out)-1]
		g.count++
		if matches(f, filter) {
			g.matches++
		}
	}
	s.groups = slices.DeleteFunc(out, func(g group) bool { return g.matches == 0 })
	for at, g := range s.groups {
		*rows = append(*rows, row{key: g.key(), group: at, header: true})
		if s.isFolded(g.kind) {
			continue
		}
		number := 0 // of findings before this one that are about the same, whose messages change when remedies are tried
		for i := g.first; i < g.first+g.count; i++ {
			f := &findings[i]
			if i > g.first && findings[i-1].Tool == f.Tool {
				number++
			} else {
				number = 0
			}
			if matches(f, filter) {
				key := string(f.Severity) + "\x00" + string(f.Code) + "\x00" + toolOf(f) + "\x00" + strconv.Itoa(number)
				*rows = append(*rows, row{key: key, i: i, group: at})
			}
		}
	}
}

// failures tells how badly a tool is found: 0 when its name and its first
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

// Tool returns the tool of the selected row, of a query the one found worst; nil for none.
func (s *Screen) Tool() *model.Tool {
	row, ok := s.row()
	if !ok || s.state == nil || s.view() == viewTuning || s.view() == viewQueries && s.found.evaluated == nil {
		return nil
	}
	var name string
	switch s.view() {
	case viewQueries:
		// Where any one tool of a group will do, the first of the group stands for it.
		a := &s.found.evaluated.now().Answers[row.i]
		var worst *model.Tool
		depth := 0
		for _, names := range a.Query.Needs() {
			var first *model.Tool
			best := 0 // depth of the best of the group
			for _, name := range names {
				for _, t := range s.state.Snapshot.Registry.Lookup(name) {
					if first == nil {
						first, best = t, labels.EvaluationDepth+1
					}
					at := slices.IndexFunc(a.Hits, func(h engine.Hit) bool { return h.Tool.Qualified == t.Qualified })
					if at >= 0 {
						best = min(best, at+1)
					}
				}
			}
			if first != nil && best > depth {
				worst, depth = first, best
			}
		}
		return worst
	case viewDark:
		name = s.found.reach[row.i].Tool.Qualified
	case viewFindings:
		if row.header {
			return nil
		}
		name = toolOf(&s.found.report.Findings[row.i])
	case viewMap:
		name = s.mapTool(row.i)
	}
	return s.state.Snapshot.Registry.Named(name)
}
