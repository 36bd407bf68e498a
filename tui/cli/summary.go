package cli

import (
	"context"

	"caliper/config"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/watch"
)

// maxSummarySessions is how many sessions fit on one screen.
const maxSummarySessions = 8

// summary returns one screen about the data: what there is, what becomes of it
// in every session, and what to ask next.
func (r *run) summary(ctx context.Context) (*runner.Outcome, error) {
	in, err := r.Input()
	r.DemoUnasked = false // the summary begins with it
	if err != nil {
		return nil, err
	}
	st, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return nil, err
	}
	r.HintAtWarnings(st)
	text := new(report.Report)
	sources := runner.Array(in.Registry, func(f watch.File) string { return f.Name })
	if len(sources) > 3 {
		sources = append(sources[:2], words.CountThousands(len(sources)-2, "other file"))
	}
	if in.Config != nil {
		sources = append(sources, in.Config.Name)
	}
	about := report.Textf("Everything below is about %s.", report.Names(sources, len(sources)))
	if !r.Flags.OwnData() {
		about = report.Textf("This is the demo; --registry and --config show your own data.")
	}
	text.Line(report.Strong("caliper"), "  a workbench for tool search in LLM agents")
	text.Say("%s", about)
	text.Blank()
	registry := st.Snapshot.Registry
	text.Line(report.Textf("%s in %s; %s; tokens by %s", report.Count(len(registry.Tools), "tool"), report.Count(len(registry.Toolsets), "toolset"),
		report.Count(len(st.Warnings), "warning"), st.Snapshot.Tokenizer))
	text.Blank()
	t := report.Columns("session", ">granted", ">deferrable", ">in full", ">sent", ">saved", "search")
	names := runner.Array(st.Config.Sessions, func(s config.Session) string { return s.Name })
	if in.Flags.Session != "" {
		names = []string{in.Flags.Session}
	}
	for _, name := range names[:min(len(names), maxSummarySessions)] {
		in.Flags.Session = name
		each, err := r.Bench.Load(ctx, in)
		if err != nil {
			return nil, err
		}
		b := each.Snapshot.Budget(false)
		search := "off"
		if b.Active {
			search = "on"
		}
		t.Row(report.Name(name), b.Tools, b.DeferredCount, b.EagerTokens, b.AfterTokens, report.Tenths(b.SavedPct), search)
	}
	text.Table(t)
	if n := len(st.Config.Sessions) - maxSummarySessions; n > 0 {
		text.Line("  ", report.Faint("and %s: caliper scope", report.Count(n, "more session")))
	}
	next := report.Columns("", "…")
	next.Row(`caliper search "QUERY" --explain`, "what the model would find, and why")
	next.Row("caliper budget", "what search saves, by toolset")
	next.Row("caliper call NAME '{...}'", "what every gate says of a call")
	scope := "caliper scope"
	if !r.Flags.OwnData() {
		scope += " --demo" // which it does not take unasked
	}
	next.Row(scope, "what every session can reach")
	next.Row("caliper --help", "all commands; in a terminal, caliper alone opens the explorer")
	runner.Titled(text, "Next", next)
	return &runner.Outcome{Page: text}, nil
}
