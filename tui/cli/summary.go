package cli

import (
	"context"
	"fmt"
	"strings"

	"caliper/model"
	"caliper/tui/workbench"
)

// maxSummarySessions is how many sessions fit on one screen.
const maxSummarySessions = 8

// summary prints one screen about the data: what there is, what becomes of it
// in every session, and what to ask next.
func (r *run) summary(ctx context.Context) error {
	in, err := r.input()
	r.demoUnasked = false // the first line says it
	if err != nil {
		return err
	}
	st, err := r.loadInput(ctx, in)
	switch {
	case err != nil:
		return err
	case len(st.Errors) > 0:
		return inputErrors(st.Errors)
	}
	p := r.page()
	about := "Everything below is about " + sourceNames(in)
	if !r.flags.ownData() {
		about = "This is the demo; --registry and --config show your own data"
	}
	p.line(p.strong("caliper"), "  a workbench for tool search in LLM agents")
	p.paragraph(0, about+".")
	p.blank()
	registry := st.Snapshot.Registry
	p.line(fmt.Sprintf("%s in %s; %s; tokens by %s", counted(len(registry.Tools), "tool"),
		counted(len(registry.Toolsets), "toolset"), counted(len(st.Warnings), "warning"), st.Snapshot.Tokenizer))
	p.blank()
	t, err := r.sessionTable(ctx, in, st)
	if err != nil {
		return err
	}
	t.print(p)
	if n := len(st.Config.Sessions) - maxSummarySessions; n > 0 {
		p.line("  ", p.faint("and "+counted(n, "more session")+": caliper scope"))
	}
	p.blank()
	p.line(p.strong("Next"))
	next := table{columns: []column{{}, {grow: true}}}
	next.add(`caliper search "QUERY" --explain`, "what the model would find, and why")
	next.add("caliper budget", "what search saves, by toolset")
	next.add("caliper call NAME '{...}'", "what every gate says of a call")
	next.add("caliper scope", "what every session can reach")
	next.add("caliper --help", "all commands; in a terminal, caliper alone opens the explorer")
	next.print(p)
	return nil
}

// sessionTable returns a row for every session, up to as many as fit. The
// session of st, when it was asked for, is the only one.
func (r *run) sessionTable(ctx context.Context, in workbench.Input, st workbench.State) (*table, error) {
	t := &table{columns: []column{{title: "session"}, {title: "granted", align: right}, {title: "deferrable", align: right},
		{title: "in full", align: right}, {title: "sent", align: right}, {title: "saved", align: right}, {title: "search"}}}
	var names []string
	for _, s := range st.Config.Sessions {
		names = append(names, s.Name)
	}
	if in.Flags.Session != "" {
		names = []string{in.Flags.Session}
	}
	for _, name := range names[:min(len(names), maxSummarySessions)] {
		in.Flags.Session = name
		each, err := r.bench.Load(ctx, in)
		if err != nil {
			return nil, err
		}
		b := each.Budget
		search := "off"
		if b.Active {
			search = "on"
		}
		t.add(model.Sanitize(name), grouped(b.Tools), grouped(b.DeferredCount), grouped(b.EagerTokens),
			grouped(b.AfterTokens), percent(b.SavedPct), search)
	}
	return t, nil
}

// sourceNames returns the names of the files of an input, as far as they fit
// a line.
func sourceNames(in workbench.Input) string {
	var names []string
	for _, f := range in.Registry {
		names = append(names, model.Sanitize(f.Name))
	}
	if len(names) > 3 {
		names = append(names[:2], counted(len(names)-2, "other file"))
	}
	if in.Config != nil {
		names = append(names, model.Sanitize(in.Config.Name))
	}
	return strings.Join(names, ", ")
}
