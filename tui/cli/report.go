package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/tui/cli/runner"
	"caliper/tui/handout"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/report/replays"
	"caliper/tui/workbench"
)

// reporting is the flags of report.
type reporting struct {
	run     *run
	queries string
	base    string
	logs    []string
	texts   bool

	json runner.Object // the figures of every section, as its command prints them
}

// reportRow is `report`: one file that a team can pass on.
func (r *run) reportRow() runner.Row {
	p := &reporting{run: r}
	var file, title string // to write
	return runner.Row{
		Reads: runner.OwnData,
		Flags: func(f runner.FlagSet) {
			f.Out(&file)
			f.Text(&title, "title", "TEXT", "of the page, instead of the name of the registry")
			f.Text(&p.queries, "queries", "FILE", "labelled queries, as eval reads them")
			f.Text(&p.base, "base", "OLD", "a registry, file or folder, since which the changes are told")
			f.Texts(&p.logs, "replay", "PATH", "logs of agents, as replay reads them; may be repeated")
			f.On(&p.texts, "texts", "write out what users and agents wrote")
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			switch filepath.Ext(file) {
			case ".html", ".htm", ".md":
			case "":
				return nil, runner.Usagef("needs -o FILE, which ends with .html or .md")
			default:
				return nil, runner.Usagef("-o %s: want a name that ends with .html or .md", file)
			}
			st, err := r.LoadGood(ctx)
			if err != nil {
				return nil, err
			}
			s := st.Snapshot
			in := handout.Inputs{Snapshot: s, Posture: st.Files.Posture, Program: report.Program(), Texts: p.texts, Budget: s.Budget(false), Outlook: report.ListingOutlook(s, s.ListCurve())}
			p.json = runner.Object{{"file", file}, {"budget", in.Budget}}
			for _, section := range []func(context.Context, workbench.State, *handout.Inputs) error{p.found, p.compared, p.audited, p.changed} {
				if err := section(ctx, st, &in); err != nil {
					return nil, err
				}
			}
			page := handout.Report(in)
			if title == "" {
				names := []string{"the demo of caliper"}
				if len(r.Flags.Registry) > 0 {
					names = runner.Array(r.Flags.Registry, filepath.Base)
				}
				title = "Tools of " + strings.Join(names, ", ")
			}
			data := []byte(page.HTML(title))
			if filepath.Ext(file) == ".md" {
				whole := new(report.Report)
				whole.Heading(1, "%s", report.Name(title))
				whole.Add(page)
				text, _ := whole.Markdown()
				data = []byte(text)
			}
			if err := r.WriteFile(file, data); err != nil {
				return nil, err
			}
			return &runner.Outcome{Value: p.json, Page: runner.OneLine(report.Textf("%s is written", report.Name(file)))}, nil
		},
	}
}

// found measures the labelled queries and what tools' own words find.
func (p *reporting) found(ctx context.Context, st workbench.State, in *handout.Inputs) error {
	r := p.run
	if p.queries != "" {
		queries, err := r.QueriesOf(p.queries)
		if err != nil {
			return err
		}
		if err := st.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
			return err
		}
		ev, err := labels.Evaluate(ctx, st.Snapshot.Unasked(), queries, r.Counts("queries"))
		if err != nil {
			return err
		}
		in.Evaluations = []labels.Evaluation{ev}
		missed, counts := ev.Misses(), r.Counts("misses")
		missed = missed[:min(len(missed), report.MaxMisses)]
		for i, a := range missed { // with what stopped the first tool that each expects
			m := report.Miss{Answer: a}
			if len(a.Query.Relevant) > 0 {
				why, err := whatif.WhyNot(ctx, r.Bench.Builder, st.Snapshot, a.Query.Text, a.Query.Relevant[0], ev.Limit)
				if err != nil {
					return err
				}
				m.Why = &why
			}
			in.Misses = append(in.Misses, m)
			counts(i+1, len(missed))
		}
		if in.Better, err = r.Bench.Better(ctx, st.Snapshot, in.Evaluations, r.Counts("queries by "+config.RankerHybrid)); err != nil {
			return err
		}
		value := withBetter(evaluationJSON(st.Snapshot.Session.Name, ev), in.Better)
		if !p.texts {
			value = withoutMember(value, "misses", "query")
		}
		p.json = append(p.json, runner.Member{"eval", value})
	}
	survey, err := lint.Survey(ctx, st.Snapshot, r.Counts("tools by their own words"))
	if err != nil {
		return err
	}
	in.Unfindable = lint.Dark(survey)
	p.json = append(p.json, runner.Member{"unfindable", runner.Array(in.Unfindable, func(u lint.Reach) string { return u.Tool.Qualified })})
	return nil
}

// withoutMember returns an object without a member of the objects of one of its lists.
func withoutMember(value runner.Object, list, name string) runner.Object {
	value = slices.Clone(value)
	for i, m := range value {
		if objects, ok := m.Value.([]runner.Object); ok && m.Name == list {
			value[i].Value = runner.Array(objects, func(o runner.Object) runner.Object {
				return slices.DeleteFunc(slices.Clone(o), func(m runner.Member) bool { return m.Name == name })
			})
		}
	}
	return value
}

// compared maps the tools that answer each other's queries, and measures the strategies over
// the labelled queries.
func (p *reporting) compared(ctx context.Context, st workbench.State, in *handout.Inputs) (err error) {
	if in.Confused, err = lint.MapConfusion(ctx, st.Snapshot.Unasked(), in.Queries(), p.run.Counts("tools")); err != nil {
		return err
	}
	p.json = append(p.json, runner.Member{"map", mapJSON(in.Confused)})
	if p.queries == "" {
		return nil
	}
	c := &runner.Preselecting{Run: p.run.Run}
	queries := in.Queries()
	if err := c.Open(ctx, queries[0].Text, true, false); err != nil {
		return err
	}
	of, err := measured(ctx, c, p.queries, queries, true)
	if err != nil {
		return err
	}
	of.Timeless = true // a time is no fact of the registry, and the command by itself takes another
	in.Compared = &of
	p.json = append(p.json, runner.Member{"compare", withoutMember(comparisonJSON(of.Rows, of.Points), "strategies", "select_ms")})
	return nil
}

// audited asks for every tool in every session, and computes what the logs say.
func (p *reporting) audited(ctx context.Context, st workbench.State, in *handout.Inputs) error {
	audit, err := p.run.Bench.Audit(ctx, st, engine.Auditing{Progress: p.run.Counts("steps of the audit")})
	if err != nil {
		return err
	}
	in.Audit = &audit
	p.json = append(p.json, runner.Member{"scope", auditJSON(audit, false, nil)})
	if len(p.logs) == 0 {
		return nil
	}
	of := &replaying{run: p.run, texts: p.texts}
	defer of.memory.end()
	rep, err := of.computed(ctx, st, p.logs)
	if err != nil {
		return err
	}
	in.Replayed = &replays.Replayed{Report: rep, Texts: p.texts}
	p.json = append(p.json, runner.Member{"replay", of.json(rep)})
	return nil
}

// changed compares the registry with the base.
func (p *reporting) changed(ctx context.Context, st workbench.State, in *handout.Inputs) error {
	if p.base == "" {
		return nil
	}
	source := workbench.Input{Flags: p.run.Flags.Bench, Config: p.run.ConfigFile()}
	var err error
	if source.Registry, err = workbench.ReadRegistry(p.base); err != nil {
		return err
	}
	before, err := p.run.Good(p.run.LoadInput(ctx, source))
	if err != nil {
		return err
	}
	d, err := compareStates(ctx, before, st, in.Queries())
	if err != nil {
		return err
	}
	if !p.texts {
		for i := range d.Queries {
			d.Queries[i].Text = d.Queries[i].ID
		}
	}
	in.BaseName = filepath.Base(p.base)
	in.Changed = changes.Diff(d, in.BaseName, "now")
	p.json = append(p.json, runner.Member{"diff", diffJSON(d)})
	return nil
}
