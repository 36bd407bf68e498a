// Package handout composes the report that a team passes on: what the model is sent and
// what it costs, what is not found and why, which tools are confused, which strategy
// pays, what each session reaches, where agents looped, and what a change brought.
//
// Its sections are the reports that the commands print (package report), with charts and
// without what users wrote, unless that is asked for. Every figure of a chart is in a
// table of its section, and every figure is the one that the command prints with --json.
//
// A chart is a value of figures and labels. Its SVG has no script, no reference to anything
// outside, and the colours of the page around it (report's style sheet). The same values
// give the same bytes; labels are cut and never overlap, and figures can be read without
// colour.
//
// Goals: one value of results in, one report out, for HTML and Markdown alike.
//
// Non-goals: computing results, writing files.
package handout

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/reach"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/report/replays"
)

// Inputs are the results that a handout is made of. What is nil or empty is left out.
type Inputs struct {
	Snapshot *engine.Snapshot
	Posture  reach.Posture // what decides the search of the agent
	Program  string        // that computed the results, with its version
	Texts    bool          // queries are written out; otherwise their ids alone

	Budget  engine.Budget
	Outlook []report.Text // of the listing, as report.ListingOutlook returns it

	Evaluations []labels.Evaluation // the active ranker first
	Better      labels.Better       // the ranker that is proven to find more; zero for none
	Misses      []report.Miss       // of the active ranker, the worst first, with what stopped each
	Unfindable  []lint.Reach        // tools that their own words do not find
	Compared    *report.Compared
	Confused    *lint.ConfusionMap
	Audit       *engine.Audit
	Replayed    *replays.Replayed
	Changed     *report.Report // since the base
	BaseName    string         // of the file or folder that is compared with
}

// Queries returns the labelled queries that were measured; none where none were given.
func (in Inputs) Queries() []labels.Query {
	var list []labels.Query
	for _, ev := range in.Evaluations[:min(len(in.Evaluations), 1)] {
		for _, a := range ev.Answers {
			list = append(list, a.Query)
		}
	}
	return list
}

// The most rows of a chart, and of a table that a reader goes through by eye.
const (
	mostBars = 20
	mostRows = 50
)

// Report returns the handout.
func Report(in Inputs) *report.Report {
	r := new(report.Report)
	s := in.Snapshot
	r.Say("%s, session %s, agent of %s, ranker %s. Tokens are counted by %s.", report.Count(len(s.Registry.Tools), "tool"),
		report.Name(s.Session.Name), s.Config.ToolSearch.Generation, s.Config.ToolSearch.Ranker, s.Tokenizer)
	var sent report.Text
	embedder := in.Snapshot.Config.PreSelection.EmbedModel
	provider, _, _ := strings.Cut(embedder, ":")
	if in.Compared == nil || !slices.Contains(config.RemoteEmbedders, provider) {
		sent = report.Textf("nothing was sent anywhere")
	} else {
		sent = report.Textf("nothing was sent anywhere but queries and descriptions to the embedder %s", report.Name(embedder))
	}
	r.Say("Made by %s. Nothing was executed, and %s.", in.Program, sent)
	r.Heading(2, "What is sent, and what it costs")
	bars := Bars{Title: "Tokens of the largest toolsets; the lighter part is the share of the tools that is deferred"}
	all := slices.Clone(in.Budget.Toolsets)
	model.Sort(all, func(a, b engine.ToolsetBudget) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name))
	})
	for _, ts := range all[:min(len(all), mostBars)] {
		deferred := 0
		if ts.Tools > 0 {
			deferred = int(math.Round(float64(ts.Tokens) * float64(ts.Deferred) / float64(ts.Tools)))
		}
		bars.Rows = append(bars.Rows, Bar{Label: ts.Name, Value: ts.Tokens, Part: deferred})
	}
	r.Add(report.Budget(in.Budget, in.Outlook))
	if len(bars.Rows) > 0 {
		r.Draw(bars)
	}
	found(r, in)
	confused(r, in)
	strategies(r, in)
	if in.Audit != nil {
		r.Heading(2, "What each session reaches")
		r.Add(report.Scope(*in.Audit, in.Snapshot, in.Posture, false))
	}
	if in.Replayed != nil {
		r.Heading(2, "What agents did: calls, misses, loops")
		r.Add(replays.Replay(*in.Replayed))
	}
	if in.Changed != nil {
		r.Heading(2, "What changed since %s", report.Name(in.BaseName))
		r.Add(in.Changed)
	}
	return r
}

// found adds how well tools are found, and which are not.
func found(r *report.Report, in Inputs) {
	r.Heading(2, "What is not found, and why")
	for i, ev := range in.Evaluations {
		if i == 0 {
			r.Say("%s, limit %d.", report.LabelledQueries(len(ev.Answers)), ev.Limit)
			r.Add(report.Metrics(in.Evaluations))
		}
	}
	if len(in.Evaluations) > 0 {
		ev := in.Evaluations[0]
		missed := ev.Misses()
		if len(missed) == 0 {
			r.Say("%s misses none.", ev.Ranker)
		} else {
			r.Heading(3, "Misses of %s: %d of %d", ev.Ranker, len(missed), len(ev.Answers))
			if in.Better.Ranker != "" {
				r.Say("%s: caliper config set %s %s", report.BetterRanker(in.Better), config.KeyRanker, in.Better.Ranker)
			}
			query := "query"
			if !in.Texts {
				query = "query, by its id"
			}
			t := report.Columns(query, "expected", ">best rank", "why", "found instead…")
			for _, m := range in.Misses {
				a := m.Answer
				name := a.Query.ID
				if in.Texts {
					name = a.Query.Text
				}
				rank, why, instead := report.Textf("none"), report.Textf(""), ""
				if a.Best > 0 {
					rank = report.Textf("%d", a.Best)
				}
				if m.Why != nil {
					why = report.TextOf(report.Stages[m.Why.Stage])
				}
				if len(a.Hits) > 0 {
					instead = a.Hits[0].Tool.Qualified
				}
				t.Row(report.Name(name), report.Name(strings.Join(a.Query.Relevant, ", ")), rank, why, report.Name(instead))
			}
			r.Table(t)
			if rest := len(missed) - len(in.Misses); rest > 0 {
				r.Say("And %d more.", rest)
			}
		}
	} else {
		r.Say("No labelled queries were given: what people ask for was not measured.")
	}
	if len(in.Unfindable) == 0 {
		r.Say("Every tool of the catalog is found by its own words.")
		return
	}
	r.Heading(3, "Unfindable tools")
	r.Say("The words of its own name, its first sentence and its parameters do not find such a tool within the limit.")
	t := report.Columns("tool", "found instead…")
	for _, u := range in.Unfindable[:min(len(in.Unfindable), mostRows)] {
		var above []string
		for _, s := range u.Shadows() {
			above = append(above, s.Qualified)
		}
		t.Row(report.Name(u.Tool.Qualified), report.Name(strings.Join(above, ", ")))
	}
	r.Table(t)
	r.More(len(in.Unfindable) - mostRows)
}

// confused adds the tools that answer each other's queries.
func confused(r *report.Report, in Inputs) {
	if in.Confused == nil {
		return
	}
	r.Heading(2, "Which tools are confused")
	r.Add(report.Confusion(in.Confused))
	shown := report.HeatTools(in.Confused)
	heat := Heat{Title: "How far the queries of the tool of a row find that of a column"}
	for _, a := range shown {
		heat.Labels = append(heat.Labels, in.Confused.Tools[a].Name)
		row := make([]float64, len(shown))
		for i, b := range shown {
			if a != b {
				row[i] = in.Confused.Link(a, b).Confusion
			}
		}
		heat.Cells = append(heat.Cells, row)
	}
	if len(shown) > 0 {
		r.Draw(heat)
	}
}

// strategies adds the strategies of pre-selection, and their frontier.
func strategies(r *report.Report, in Inputs) {
	if in.Compared == nil {
		return
	}
	r.Heading(2, "Strategies, and what they trade off")
	r.Add(report.Compare(*in.Compared))
	c := Scatter{Title: "Tokens of the schemas against recall", X: "tokens of the schemas that a message is sent with", Y: "recall", MostY: 1}
	frontier := map[selection.Strategy]bool{}
	for _, p := range in.Compared.Points {
		label := ""
		if p.Frontier && !frontier[p.Strategy] {
			frontier[p.Strategy] = true
			label = string(p.Strategy)
		}
		c.Points = append(c.Points, Point{X: p.SchemaTokens, Y: p.Recall, Label: label, Frontier: p.Frontier})
	}
	model.Sort(c.Points, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }) // so that a line through them goes to the right
	if len(c.Points) > 0 {
		r.Draw(c)
	}
}
