package shapes

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model"
)

// Data sets have labelled queries beside their tools. A query and its label may stand
// in different sources, which its id joins.

// labelled is one labelled query of a source.
type labelled struct {
	model.LabelledQuery
	at      int  // in the source
	planned bool // the label is the author's plan, and gives way to another
}

func (r *reader) label(e *entry, q model.LabelledQuery) {
	q.Text = strings.TrimSpace(q.Text)
	r.queries = append(r.queries, labelled{LabelledQuery: q, at: r.text.Origin(e.At)})
}

// joinQueries returns the queries of all sources with a text and a label of known tools, and notes
// the others.
func (b *builder) joinQueries() []model.LabelledQuery {
	var all []labelled
	var source []int
	at := map[string]int{}
	for _, r := range b.readers {
		for _, q := range r.queries {
			i, known := at[q.ID]
			switch {
			case !known:
				at[q.ID] = len(all)
				all, source = append(all, q), append(source, r.index)
			case all[i].Text == "" || len(all[i].Relevant) == 0:
				all[i].Text = cmp.Or(all[i].Text, q.Text)
				all[i].Category = cmp.Or(all[i].Category, q.Category)
				if len(all[i].Relevant) == 0 {
					all[i].Relevant, all[i].planned = q.Relevant, q.planned
				}
			case all[i].planned && !q.planned && len(q.Relevant) > 0:
				all[i].Relevant, all[i].planned = q.Relevant, false
			default: // the same once more, or another of the same id
				if q.Text != "" && q.Text != all[i].Text {
					b.dropped[r.index] = append(b.dropped[r.index], q.at)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	// The names of the tools of the registry that a data set calls by a name: several where servers
	// share one.
	named := map[string][]string{}
	for _, t := range b.tools {
		named[t.Name] = append(named[t.Name], t.Qualified)
		if t.OriginalName != "" && t.OriginalName != t.Name {
			named[t.OriginalName] = append(named[t.OriginalName], t.Qualified)
		}
	}
	var out []model.LabelledQuery
	for i, q := range all {
		if q.resolve(named); q.Text == "" || len(q.Relevant) == 0 {
			b.dropped[source[i]] = append(b.dropped[source[i]], q.at)
			continue
		}
		out = append(out, q.LabelledQuery)
	}
	return out
}

// resolve replaces a label's names by the registry's, shared ones by groups. A label with an
// unknown name is none.
func (q *labelled) resolve(named map[string][]string) {
	var all []string
	var groups [][]string
	several := false
	for _, name := range q.Relevant {
		tools := slices.Compact(slices.Sorted(slices.Values(named[name])))
		if len(tools) == 0 {
			q.Relevant = nil
			return
		}
		if slices.ContainsFunc(groups, func(g []string) bool { return slices.Equal(g, tools) }) {
			continue
		}
		several = several || len(tools) > 1
		groups, all = append(groups, tools), append(all, tools...)
	}
	slices.Sort(all)
	if q.Relevant = slices.Compact(all); several {
		q.Groups = groups
	}
}
