package cli

import (
	"context"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/across"
	"caliper/engine/hosts"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// hostsRow is `hosts`: what real agents find.
func (r *run) hostsRow() row {
	var queriesFile, expect string
	var names []string
	var pattern bool
	return row{
		args: argumentCount(0, 1, "a query"),
		flags: func(f flagSet) {
			f.text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them, in place of one")
			f.text(&expect, "expect", "TOOL", "the tool that the query is to find")
			f.on(&pattern, "pattern", "the query is a regular expression, for hosts that take one")
			f.list(&names, "hosts", "A,B", "these hosts, instead of all", "host", "one of "+strings.Join(config.Hosts, ", "), func(word string) string {
				if hosts.Named(word) == nil {
					return ""
				}
				return word
			})
			f.completed("hosts", config.Hosts)
			_ = f.cmd.RegisterFlagCompletionFunc("expect", r.completeTool)
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			if (len(args) == 1) == (queriesFile != "") {
				return nil, usagef("needs a query, or --queries FILE")
			}
			chosen := hosts.All
			if len(names) > 0 {
				chosen = nil
			}
			for _, name := range names {
				chosen = append(chosen, hosts.Named(name))
			}
			searchers, tools, err := r.searchers(ctx, chosen)
			if err != nil {
				return nil, err
			}
			if queriesFile != "" {
				queries, err := r.queriesOf(queriesFile)
				if err != nil {
					return nil, err
				}
				d, err := across.Compare(ctx, searchers, tools, queries, r.counts("queries"))
				if err != nil {
					return nil, err
				}
				return &outcome{value: dependsJSON(d), page: report.HostsOver(d)}, nil
			}
			var expected []*model.Tool
			if expect != "" {
				if expected = named(tools, expect); len(expected) == 0 {
					return nil, usagef("the session has no tool %q", expect)
				}
			}
			var answers []across.Answer
			for _, s := range searchers {
				query := args[0]
				if !pattern {
					query = s.Host().Asked(query)
				}
				answers = append(answers, across.Ask(s, query, expected))
			}
			return &outcome{value: hostsJSON(args[0], expect, answers), page: report.Hosts(args[0], expect, answers)}, nil
		},
	}
}

// named returns the tools of a name or a qualified name.
func named(tools []*model.Tool, name string) []*model.Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return t.Name != name && t.Qualified != name })
}

// searchers returns the tools of the session as hosts search them, and the tools. A host of
// the reference agent searches the catalog of its generation.
func (r *run) searchers(ctx context.Context, chosen []*hosts.Host) (out []across.Searcher, tools []*model.Tool, err error) {
	in, err := r.input()
	if err != nil {
		return nil, nil, err
	}
	st, err := r.good(r.loadInput(ctx, in))
	if err != nil {
		return nil, nil, err
	}
	for _, h := range chosen {
		of := st
		if g := h.Generation; g != "" && h != st.Snapshot.Host() {
			if of, err = r.good(r.loadInput(ctx, workbench.InGeneration(in, st, g))); err != nil {
				return nil, nil, err
			}
		}
		if h.Generation != "" {
			if err = prepareIndex(ctx, of.Snapshot); err != nil {
				return nil, nil, err
			}
		}
		out = append(out, across.Of(h, of.Snapshot))
	}
	return out, across.Granted(st.Snapshot), nil
}

// hostsJSON returns what hosts answer for JSON. A hit of which chance decides has no rank.
func hostsJSON(query, expect string, answers []across.Answer) object {
	return object{{"query", query}, {"hosts", array(answers, func(a across.Answer) object {
		rank := 0
		hits := array(a.Hits, func(h hosts.Hit) object {
			rank++
			name := h.Name
			if h.Tool != nil {
				name = h.Tool.Qualified
			}
			if h.Tied > 1 {
				return object{{"name", name}, {"called", h.Name}, {"score", h.Score}, {"tied", h.Tied}}
			}
			return object{{"rank", rank}, {"name", name}, {"called", h.Name}, {"score", h.Score}}
		})
		out := object{{"host", a.Host.Name}, {"package", a.Host.Package}, {"version", a.Host.Version}, {"measured", a.Host.Month}, {"imitation", a.Host.Imitation}, {"active", a.Active}, {"on", a.Host.On}, {"limit", a.Limit}, {"hits", hits}}
		if expect == "" {
			return out
		}
		var expected, cut any
		if a.Rank > 0 && !a.Chance {
			expected = a.Rank
		}
		if a.CutBy != across.CutNothing {
			cut = a.CutBy
		}
		return append(out, member{"expected_rank", expected}, member{"cut_by", cut})
	})}}
}

// dependsJSON returns how labelled queries fare in hosts for JSON.
func dependsJSON(d across.Depends) object {
	share := func(n int) float64 { return float64(n) / float64(max(1, d.Queries)) }
	return object{
		{"queries", d.Queries},
		{"hosts", array(d.Hosts, func(f across.Fared) object {
			return object{{"host", f.Host.Name}, {"version", f.Host.Version}, {"imitation", f.Host.Imitation}, {"limit", f.Limit}, {"found", f.Found}, {"by_chance", f.Chance}, {"recall", f.Recall}}
		})},
		{"found_by_all", d.All},
		{"found_by_none", d.None},
		{"depends", share(d.Depending())},
		{"unfindable", array(d.Lost, func(u across.Unseen) object { return object{{"tool", u.Tool.Qualified}, {"hosts", u.Hosts}} })},
	}
}
