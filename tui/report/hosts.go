package report

import (
	"fmt"
	"strings"

	"caliper/engine/hosts"
	"caliper/engine/reach"
	"caliper/model/words"
)

// Hosts returns the report of what agents answer to one query in which a tool is expected;
// "" for no expectation.
func Hosts(query, expected string, answers []reach.Answer) *Report {
	r := new(Report)
	if expected != "" {
		found := 0
		agents := 0
		for _, a := range answers {
			if a.Host.Ranker {
				continue
			}
			agents++
			if a.CutBy == reach.CutNothing {
				found++
			}
		}
		r.Line(Strong("found in %d of %d", found, agents), "  ", Name(expected))
		if missing := lacking(answers); missing != "" {
			r.Say("%s", Sentence(missing))
		}
		r.Blank()
	}
	t := Columns("host", "version", ">limit", ">rank", "hits…")
	for i, a := range answers {
		if i > 0 && a.Host.Ranker && !answers[i-1].Host.Ranker {
			t.Ruler("rankers of caliper's own")
		}
		rank, note := "", ""
		if expected != "" {
			rank, note = rankIn(a), CutWords[a.CutBy]
		}
		if !a.Active && !a.Host.Ranker {
			note = "its search is off for these tools: all are sent"
		}
		if a.Untold {
			note = CutWords[reach.CutUntold] + ": " + a.Host.Untold
		}
		var hits Text // as the model sees them, to the first whose rank cannot be told
		for i, h := range a.Hits {
			if h.Best != h.Worst && a.Host.Untold != "" {
				break
			}
			if i > 0 {
				hits = append(hits, TextOf(", ")...)
			}
			hits = append(hits, Name(h.Name)...)
			if h.Best != h.Worst && (i+1 == len(a.Hits) || a.Hits[i+1].Best != h.Best) { // only chance orders them
				hits = append(hits, Textf(" (of %d equal)", h.Worst-h.Best+1)...)
			}
		}
		if note != "" && len(hits) > 0 {
			note += "; "
		}
		t.Row(a.Host.Name, a.Host.Version, a.Limit, rank, append(Textf("%s", note), hits...))
	}
	r.Table(t)
	r.Blank()
	r.Say("The query is %s. An agent that searches by a regular expression gets its words as alternatives.", Name(query))
	return r
}

// KnownHosts returns the list of the agents that can be simulated, with what was measured of each.
func KnownHosts(all []*hosts.Host) *Report {
	r := new(Report)
	t := Columns("host", "version", ">limit", "status…")
	for _, h := range all {
		t.Row(h.Name, h.Version, h.Limit, "on "+h.On)
	}
	r.Table(t)
	r.Blank()
	r.Say("--host NAME simulates one, and so does agent: {host: NAME} in the configuration. caliper hosts QUERY asks all of them.")
	return r
}

// lacking says in which agents an expected tool is not found, by what cuts it there; "" for none.
func lacking(answers []reach.Answer) string {
	var parts []string
	add := func(what string, is func(a reach.Answer) bool) {
		var names []string
		for _, a := range answers {
			if !a.Host.Ranker && is(a) {
				name := strings.Replace(a.Host.Title, ",", " of", 1)
				if a.CutBy == reach.CutLimit {
					name += " (rank " + rankIn(a) + ", limit " + words.Thousands(a.Limit) + ")"
				}
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, what+" "+strings.Join(names, ", "))
		}
	}
	for _, cut := range []reach.Cut{reach.CutLimit, reach.CutChance, reach.CutUntold, reach.CutWords, reach.CutServer, reach.CutTool, reach.CutDirect, reach.CutAbsent} {
		add(CutWords[cut]+" in", func(a reach.Answer) bool { return a.Active && a.CutBy == cut })
	}
	add("sent in full by", func(a reach.Answer) bool { return !a.Active })
	return strings.Join(parts, "; ")
}

// rankIn returns the rank of the expected tool in an answer: a dash for none, and a tilde
// before one that is by chance.
func rankIn(a reach.Answer) string {
	switch {
	case a.Rank == 0 || a.CutBy == reach.CutUntold:
		return "–"
	case a.Chance:
		return "~" + words.Thousands(a.Rank)
	}
	return words.Thousands(a.Rank)
}

// CutWords are the reasons why an answer lacks a tool.
var CutWords = map[reach.Cut]string{
	reach.CutLimit:  "below the limit",
	reach.CutChance: "by chance: equals cross the limit",
	reach.CutUntold: "is not known",
	reach.CutWords:  "has none of the words",
	reach.CutServer: "its server's list is refused",
	reach.CutTool:   "left out for its name or a parameter's",
	reach.CutDirect: "the query names others",
	reach.CutAbsent: "not searched",
}

// HostsOver returns the report of labelled queries in several agents.
func HostsOver(d reach.Depends) *Report {
	r := new(Report)
	share := func(n int) string { return Percent(100 * float64(n) / float64(max(1, d.Queries))) }
	r.Line(Strong("%s depend on the agent", share(d.Depending())), Faint("  %s: %s are found by all, %s by none", LabelledQueries(d.Queries), share(d.All), share(d.None)))
	r.Blank()
	var untold []string
	t := wordedColumns(Columns("host", "version", ">limit", ">found", ">by chance", ">recall"), d.Hosts[0].Worded)
	for i, f := range d.Hosts {
		if i > 0 && f.Host.Ranker && !d.Hosts[i-1].Host.Ranker {
			t.Ruler("rankers of caliper's own")
		}
		if f.Untold > 0 {
			untold = append(untold, fmt.Sprintf("%s for %s: %s", f.Host.Title, Count(f.Untold, "query"), f.Host.Untold))
		}
		found := Tenths(100 * float64(f.Found) / float64(max(1, d.Queries-f.Untold)))
		t.Row(append([]any{f.Host.Name, f.Host.Version, f.Limit, found, f.Chance, Tenths(100 * f.Recall)}, splitCells(f.Worded)...)...)
	}
	r.Table(t)
	r.Blank()
	for _, u := range untold {
		r.Say("Left out, since it is not known: %s.", u)
	}
	r.Say("The last columns are the recall by wording. %s", WordingMeaning)
	if len(d.Lost) == 0 {
		return r
	}
	r.Blank()
	r.Say("Tools that some agent finds by none of their queries, and the words that help in most of the agents which do not find them all, and take nothing from a query in any:")
	u := Columns("tool", ">missed by", "change", ">found by")
	for _, l := range d.Lost[:min(len(d.Lost), ShownUnseen)] {
		change, helps := Text(nil), ""
		if w := l.Rewording; w != nil {
			helps = fmt.Sprintf("%d of %d", len(w.Helped), w.Lacking)
			if w.Name != "" {
				change = Textf("name %s", Name(w.Name))
			}
			if len(w.Words) > 0 {
				if change != nil {
					change = Textf("%s; ", change)
				}
				change = Textf("%sdescription %s", change, Name(strings.Join(w.Words, " ")))
			}
		}
		u.Row(Name(l.Tool.Qualified), len(l.Hosts), change, helps)
	}
	r.Table(u)
	r.More(len(d.Lost) - ShownUnseen)
	r.Blank()
	r.Say("The changes are judged by the queries that they are made of. What falls by chance is not found.")
	return r
}

// ShownUnseen is the most tools that a terminal lists, and for which words are looked for.
const ShownUnseen = 20
