package cli

import (
	"context"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/across"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// hostsRow is `hosts`: what real agents find.
func (r *run) hostsRow() row {
	var queriesFile, expect, server string
	var names []string
	var pattern bool
	var limit int
	return row{
		args: argumentCount(0, 1, "a query"),
		flags: func(f flagSet) {
			f.text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them, in place of one")
			f.text(&expect, "expect", "TOOL", "the tool that the query is to find")
			f.on(&pattern, "pattern", "the query is a regular expression, for hosts that take one")
			known := slices.Compact(append(slices.Clone(config.Hosts), config.Rankers...))
			f.list(&names, "hosts", "A,B", "these hosts and rankers, instead of all", "host", "one of "+strings.Join(known, ", "), among(known))
			f.completed("hosts", known)
			f.text(&server, "server", "NAME", "with --queries: of the tools that some host cannot find, those of this server")
			f.number(&limit, "limit", "N", "this many hits of every host, as if its model asked for them", "a number from 1 to 1000", 1, 1000)
			_ = f.cmd.RegisterFlagCompletionFunc("expect", r.completeTool)
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			switch {
			case (len(args) == 1) == (queriesFile != ""):
				return nil, usagef("needs a query, or --queries FILE")
			case server != "" && queriesFile == "":
				return nil, usagef("--server needs --queries FILE")
			}
			if len(names) == 0 {
				names = append(slices.Clone(config.Hosts), besideHosts...)
			}
			agents, err := r.under(ctx, names)
			if err != nil {
				return nil, err
			}
			searchers, st := across.Searchers(agents), agents[0].Snapshot
			tools := across.Granted(st)
			for i := range searchers {
				if limit > 0 {
					searchers[i] = across.Limited(searchers[i], limit)
				}
			}
			if queriesFile != "" {
				queries, err := r.queriesOf(queriesFile)
				if err != nil {
					return nil, err
				}
				d, err := across.Compare(ctx, searchers, st.Registry, tools, queries, r.counts("queries"))
				if err != nil {
					return nil, err
				}
				if server != "" {
					d.Lost = slices.DeleteFunc(d.Lost, func(u across.Unseen) bool { return hosts.ServerOf(u.Tool) != server })
				}
				if err := across.Reword(ctx, searchers, tools, queries, d.Lost, report.ShownUnseen, r.counts("tools")); err != nil {
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

// besideHosts are the rankers of caliper's own that stand beside the hosts unless some are
// named; bm25 and bm25-gated are those of the two generations of Hermes.
var besideHosts = []string{config.RankerFielded, config.RankerHybrid}

// under returns snapshots of the session under hosts and rankers.
func (r *run) under(ctx context.Context, names []string) (out []across.Agent, err error) {
	in, err := r.input()
	if err != nil {
		return nil, err
	}
	st, err := r.good(r.loadInput(ctx, in))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		h, of := hosts.Named(name), st
		under := in
		switch {
		case h == nil:
			under.Flags.Ranker, under.Flags.Host = name, ""
		case h.Generation != "":
			under = workbench.InGeneration(in, st, h.Generation)
		default:
			under.Flags.Host = name
		}
		if h != st.Snapshot.Host() {
			if of, err = r.good(r.loadInput(ctx, under)); err != nil {
				return nil, err
			}
		}
		if err = prepareIndex(ctx, of.Snapshot); err != nil {
			return nil, err
		}
		out = append(out, across.Agent{Host: h, Snapshot: of.Snapshot})
	}
	return out, nil
}

// hostsJSON returns what hosts answer for JSON. A hit of which chance decides has no rank.
func hostsJSON(query, expect string, answers []across.Answer) object {
	agents, rankers := rankersLast(answers, func(a across.Answer) bool { return a.Host.Ranker })
	answerJSON := func(a across.Answer) object {
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
	}
	return object{{"query", query}, {"hosts", array(agents, answerJSON)}, {"rankers", array(rankers, answerJSON)}}
}

// rankersLast parts what belongs to hosts from what belongs to rankers.
func rankersLast[T any](list []T, isRanker func(T) bool) (hosts, rankers []T) {
	for _, x := range list {
		if isRanker(x) {
			rankers = append(rankers, x)
		} else {
			hosts = append(hosts, x)
		}
	}
	return hosts, rankers
}

// dependsJSON returns how labelled queries fare in hosts for JSON.
func dependsJSON(d across.Depends) object {
	share := func(n int) float64 { return float64(n) / float64(max(1, d.Queries)) }
	agents, rankers := rankersLast(d.Hosts, func(f across.Fared) bool { return f.Host.Ranker })
	return object{
		{"queries", d.Queries},
		{"hosts", array(agents, faredJSON)},
		{"rankers", array(rankers, faredJSON)},
		{"found_by_all", d.All},
		{"found_by_none", d.None},
		{"depends", share(d.Depending())},
		{"unfindable", array(d.Lost, func(u across.Unseen) object {
			return object{{"tool", u.Tool.Qualified}, {"hosts", u.Hosts}, {"rewording", rewordingJSON(u.Rewording)}}
		})},
	}
}

// rewordingJSON returns a change of words for JSON, null for none.
func rewordingJSON(w *across.Rewording) any {
	if w == nil {
		return nil
	}
	var name, words any
	if w.Name != "" {
		name = w.Name
	}
	if len(w.Words) > 0 {
		words = w.Words
	}
	return object{{"name", name}, {"words", words}, {"helps", w.Helped}, {"lacking", w.Lacking}}
}

// faredJSON returns how one host fares for JSON.
func faredJSON(f across.Fared) object {
	return object{
		{"host", f.Host.Name}, {"version", f.Host.Version}, {"imitation", f.Host.Imitation}, {"limit", f.Limit}, {"found", f.Found}, {"by_chance", f.Chance}, {"recall", f.Recall},
		{"wording", array(labels.WordClasses, func(c labels.WordClass) object {
			return object{{"class", c.String()}, {"queries", f.Worded[c].Queries}, {"recall", f.Worded[c].Recall}}
		})},
	}
}
