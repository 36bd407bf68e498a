package cli

import (
	"context"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/reach"
	"caliper/model"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// hostsRow is `hosts`: what real agents find.
func (r *run) hostsRow() runner.Row {
	var queriesFile, expect, server string
	var names []string
	var pattern bool
	var limit int
	return runner.Row{
		Args: runner.ArgumentCount(0, 1, "a query"),
		Flags: func(f runner.FlagSet) {
			f.Text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them, in place of one")
			f.Text(&expect, "expect", "TOOL", "the tool that the query is to find")
			f.On(&pattern, "pattern", "the query is a regular expression, for hosts that take one")
			known := slices.Compact(append(slices.Clone(config.Hosts), config.Rankers...))
			f.List(&names, "hosts", "A,B", "these hosts and rankers, instead of all", "host", "one of "+strings.Join(known, ", "), runner.Among(known))
			f.Completed("hosts", known)
			f.Text(&server, "server", "NAME", "with --queries: of the tools that some host cannot find, those of this server")
			f.Number(&limit, "limit", "N", "this many hits of every host, as if its model asked for them", "a number from 1 to 1000", 1, 1000)
			_ = f.Cmd.RegisterFlagCompletionFunc("expect", r.CompleteTool)
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			switch {
			case len(args) == 0 && queriesFile == "" && expect == "" && server == "":
				return knownHosts(), nil
			case (len(args) == 1) == (queriesFile != ""):
				return nil, runner.Usagef("needs a query, or --queries FILE")
			case server != "" && queriesFile == "":
				return nil, runner.Usagef("--server needs --queries FILE")
			}
			if len(names) == 0 {
				names = append(slices.Clone(config.Hosts), config.RankerFielded, config.RankerHybrid) // bm25 and bm25-gated are those of the two generations of Hermes
			}
			agents, err := r.under(ctx, names)
			if err != nil {
				return nil, err
			}
			searchers, st := reach.Searchers(agents), agents[0].Snapshot
			tools := reach.GrantedTools(st)
			for i := range searchers {
				if limit > 0 {
					searchers[i] = reach.Limited{Searcher: searchers[i], Most: limit}
				}
			}
			if queriesFile != "" {
				queries, err := r.QueriesOf(queriesFile)
				if err != nil {
					return nil, err
				}
				d, err := reach.Compare(ctx, searchers, st.Registry, tools, queries, r.Counts("queries"))
				if err != nil {
					return nil, err
				}
				if server != "" {
					d.Lost = slices.DeleteFunc(d.Lost, func(u reach.Unseen) bool { return hosts.ServerOf(u.Tool) != server })
				}
				if err := reach.Reword(ctx, searchers, tools, queries, d.Lost, report.ShownUnseen, r.Counts("tools")); err != nil {
					return nil, err
				}
				return &runner.Outcome{Value: dependsJSON(d), Page: report.HostsOver(d)}, nil
			}
			var expected []*model.Tool
			if expect != "" {
				if expected = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return t.Name != expect && t.Qualified != expect }); len(expected) == 0 {
					return nil, runner.Usagef("the session has no tool %q", expect)
				}
			}
			var answers []reach.Answer
			postures := map[string]reach.Posture{}
			for _, s := range searchers {
				h, query := s.Host(), args[0]
				if !pattern {
					query = h.Asked(query)
				}
				answer := reach.Ask(s, query, expected)
				if !h.Ranker && r.Bench.Files != nil {
					postures[h.Name] = r.Bench.Files(ctx, h).Posture
					answer.Active = answer.Active && postures[h.Name].Search != reach.SearchOff
				}
				answers = append(answers, answer)
			}
			return &runner.Outcome{Value: hostsJSON(args[0], expect, answers, postures), Page: report.Hosts(args[0], expect, answers)}, nil
		},
	}
}

// knownHosts returns the list of the agents that can be simulated.
func knownHosts() *runner.Outcome {
	var all []*hosts.Host
	for _, name := range config.Hosts {
		all = append(all, hosts.Named(name))
	}
	return &runner.Outcome{Page: report.KnownHosts(all), Value: runner.Object{{"hosts", runner.Array(all, func(h *hosts.Host) runner.Object {
		return runner.Object{{"host", h.Name}, {"called", h.Called()}, {"package", h.Package}, {"version", h.Version}, {"measured", h.Month}, {"imitation", h.Imitation}, {"limit", h.Limit}, {"on", h.On}}
	})}}}
}

// under returns snapshots of the session under hosts and rankers.
func (r *run) under(ctx context.Context, names []string) (out []reach.Agent, err error) {
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	st, err := r.Good(r.LoadInput(ctx, in))
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
			if of, err = r.Good(r.LoadInput(ctx, under)); err != nil {
				return nil, err
			}
		}
		if err = of.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
			return nil, err
		}
		out = append(out, reach.Agent{Host: h, Snapshot: of.Snapshot})
	}
	return out, nil
}

// hostsJSON returns what hosts answer for JSON. A hit of which chance decides has no rank.
func hostsJSON(query, expect string, answers []reach.Answer, postures map[string]reach.Posture) runner.Object {
	agents, rankers := rankersLast(answers, func(a reach.Answer) bool { return a.Host.Ranker })
	answerJSON := func(a reach.Answer) runner.Object {
		rank := 0
		hits := runner.Array(a.Hits, func(h hosts.Hit) runner.Object {
			rank++
			name := h.Name
			if h.Tool != nil {
				name = h.Tool.Qualified
			}
			switch {
			case h.Best == h.Worst:
			case a.Host.Untold == "":
				return runner.Object{{"name", name}, {"called", h.Name}, {"score", h.Score}, {"tied", h.Worst - h.Best + 1}}
			default:
				return runner.Object{{"name", name}, {"called", h.Name}, {"untold", a.Host.Untold}}
			}
			return runner.Object{{"rank", rank}, {"name", name}, {"called", h.Name}, {"score", h.Score}}
		})
		out := runner.Object{{"host", a.Host.Name}, {"package", a.Host.Package}, {"version", a.Host.Version}, {"measured", a.Host.Month}, {"imitation", a.Host.Imitation}, {"active", a.Active}, {"on", a.Host.On}, {"search", postureJSON(postures[a.Host.Name])}, {"limit", a.Limit}, {"hits", hits}}
		if expect == "" {
			return out
		}
		var expected, cut any
		if a.Rank > 0 && !a.Chance {
			expected = a.Rank
		}
		if a.CutBy != reach.CutNothing {
			cut = a.CutBy
		}
		return append(out, runner.Member{"expected_rank", expected}, runner.Member{"cut_by", cut})
	}
	return runner.Object{{"query", query}, {"hosts", runner.Array(agents, answerJSON)}, {"rankers", runner.Array(rankers, answerJSON)}}
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
func dependsJSON(d reach.Depends) runner.Object {
	agents, rankers := rankersLast(d.Hosts, func(f reach.Fared) bool { return f.Host.Ranker })
	faredJSON := func(f reach.Fared) runner.Object {
		return runner.Object{
			{"host", f.Host.Name}, {"version", f.Host.Version}, {"imitation", f.Host.Imitation}, {"limit", f.Limit}, {"found", f.Found}, {"by_chance", f.Chance}, {"untold", f.Untold}, {"recall", f.Recall},
			{"wording", runner.Array(labels.WordClasses, func(c labels.WordClass) runner.Object {
				return runner.Object{{"class", c.String()}, {"queries", f.Worded[c].Queries}, {"recall", f.Worded[c].Recall}}
			})},
		}
	}
	return runner.Object{
		{"queries", d.Queries},
		{"hosts", runner.Array(agents, faredJSON)},
		{"rankers", runner.Array(rankers, faredJSON)},
		{"found_by_all", d.All},
		{"found_by_none", d.None},
		{"depends", float64(d.Depending()) / float64(max(1, d.Queries))},
		{"unfindable", runner.Array(d.Lost, func(u reach.Unseen) runner.Object {
			var rewording any // null for none
			if w := u.Rewording; w != nil {
				rewording = runner.Object{{"name", runner.OrNull(w.Name)}, {"words", runner.NullUnless(len(w.Words) > 0, w.Words)}, {"helps", w.Helped}, {"lacking", w.Lacking}}
			}
			return runner.Object{{"tool", u.Tool.Qualified}, {"hosts", u.Hosts}, {"rewording", rewording}}
		})},
	}
}
