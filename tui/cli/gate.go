package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/changegate"
	"caliper/engine/wording"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"
)

// gating is what the flags of gate ask for.
type gating struct {
	run      *run
	base     sideFlags
	head     sideFlags
	queries  string
	markdown bool
	options  changegate.Options
}

// sideFlags name the files of one side of a change.
type sideFlags struct{ registry, config, overrides string }

// gateCommand is `gate`: one verdict on a change of registry or configuration.
func (r *run) gateCommand() *cobra.Command {
	g := &gating{run: r}
	cmd := &cobra.Command{
		Use:     "gate --base OLD --head NEW --queries FILE",
		Short:   "Pass or fail a change: scope, activation, lint errors, lost queries.",
		GroupID: groupAudit,
		Example: `caliper gate --base old.json --head new.json --queries queries.jsonl
caliper gate --base old/ --head new/ --queries queries.jsonl --markdown`,
		Long: "Compares two registries, configurations and overrides: --config and --overrides hold for a side " +
			"that names no other. Fails on a tool that a session reaches and must not (also one that " +
			"the base does not grant it, or whose call the new policy refuses less), a session that is gone, tool " +
			"search switched on or off in any session, a new lint error, a tool that is gone and has met a need of a labelled " +
			"query that nothing else meets, and recall (shown by wording, too) that falls by more than chance: the paired test over the labelled " +
			"queries has a P of at most --alpha. What a session cannot reach any more, and what own words find, is tested so, too. " +
			"Tokens count with --max-tokens alone. Exits with 1 on fail.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := g.check(cmd); err != nil {
				return err
			}
			return g.gate(cmd.Context())
		},
	}
	textFlag(cmd.Flags(), &g.base.registry, "base", "PATH", "registry before the change, a dump or a folder of them")
	textFlag(cmd.Flags(), &g.head.registry, "head", "PATH", "registry after the change")
	textFlag(cmd.Flags(), &g.base.config, "base-config", "PATH", "config file before the change, instead of --config")
	textFlag(cmd.Flags(), &g.head.config, "head-config", "PATH", "config file after the change, instead of --config")
	textFlag(cmd.Flags(), &g.base.overrides, "base-overrides", "FILE", "descriptions before the change, instead of --overrides")
	textFlag(cmd.Flags(), &g.head.overrides, "head-overrides", "FILE", "descriptions after the change, instead of --overrides")
	textFlag(cmd.Flags(), &g.queries, "queries", "FILE", "labelled queries, one {id, query, relevant} a line")
	saysDefault(valueFlag(cmd.Flags(), "alpha", "P", "how often chance may do as much as what fails", func(s string) (err error) {
		if g.options.Alpha, err = strconv.ParseFloat(s, 64); err != nil || !(g.options.Alpha > 0 && g.options.Alpha < 1) {
			return errors.New("want a number between 0 and 1")
		}
		return nil
	}), strconv.FormatFloat(changegate.DefaultAlpha, 'f', -1, 64))
	valueFlag(cmd.Flags(), "max-tokens", "N", "fail when the session sends more tokens in a turn", func(s string) (err error) {
		if g.options.MaxTokens, err = strconv.Atoi(s); err != nil || g.options.MaxTokens < 1 {
			return errors.New("want a number of tokens, 1 or more")
		}
		return nil
	})
	choiceFlag(cmd, "accept", "KIND[,KIND]", "intended: scope, session, activation, lint, removed, recall, tokens", kindNames(), g.accept)
	markdownFlag(cmd, &g.markdown)
	cmd.Flags().Lookup("markdown").Usage = "print it all as Markdown, for a pull request"
	return cmd
}

// kindNames returns the kinds of reasons.
func kindNames() []string {
	return array(changegate.Kinds(), func(k changegate.Kind) string { return string(k) })
}

// accept reads the kinds of reasons that do not fail.
func (g *gating) accept(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if err := oneOf(name, kindNames()...); err != nil {
			return err
		}
		g.options.Accept = append(g.options.Accept, changegate.Kind(name))
	}
	return nil
}

// check returns what is wrong with the flags.
func (g *gating) check(cmd *cobra.Command) error {
	f := &g.run.flags
	switch {
	case len(f.registry) > 0:
		return usageErrorf(cmd, "--registry: the two registries are --base and --head")
	case f.demo:
		return usageErrorf(cmd, "--demo: a gate is about your own change")
	case g.base.registry == "" || g.head.registry == "":
		return usageErrorf(cmd, "needs --base and --head, the registries before and after the change")
	case g.queries == "":
		return usageErrorf(cmd, "needs --queries FILE")
	case f.config == "" && (g.base.config == "") != (g.head.config == ""):
		return usageErrorf(cmd, "--base-config and --head-config need each other, or --config for the other side")
	}
	for _, side := range []*sideFlags{&g.base, &g.head} {
		if side.config == "" {
			side.config = f.config
		}
		if side.overrides == "" { // or none, so that a file of descriptions can be new
			side.overrides = f.bench.Overrides
		}
	}
	return nil
}

// gate judges the change and prints the verdict.
func (g *gating) gate(ctx context.Context) error {
	queries, err := readQueries(g.queries)
	if err != nil {
		return err
	}
	before, after, err := g.load(ctx)
	if err != nil {
		return err
	}
	g.warn(before, after)
	p := g.run.progress("steps of the comparison")
	g.options.Progress = p.report
	found, err := g.run.bench.JudgeChange(ctx, before, after, queries, g.options)
	p.clear()
	if err != nil {
		return err
	}
	if found.Unanswerable == found.Compared {
		return inputError(g.queries, "no query can be judged: neither registry has a tool that any of them expects")
	}
	if len(found.Unknown) > 0 {
		g.run.complain(g.queries + ": neither registry has " + words.CountThousands(len(found.Unknown), "relevant tool") + ": " + report.FirstNames(found.Unknown))
	}
	text := report.ChangeGate(&found, g.base.registry, g.head.registry)
	if g.markdown {
		return noWhen(!found.Passed(), g.run.printMarkdown(text))
	}
	return noWhen(!found.Passed(), g.run.answer(gateJSON(&found), text))
}

// warn tells what is wrong with the configuration and the descriptions of the head and was
// not with those of the base. A key or a name that is mistyped changes nothing, so that
// the gate would pass without a word.
func (g *gating) warn(before, after workbench.State) {
	for _, w := range after.Warnings {
		own := w.File == safetext.Line(g.head.config) || w.File == safetext.Line(g.head.overrides)
		was := slices.ContainsFunc(before.Warnings, func(o model.Diagnostic) bool {
			return o.Code == w.Code && o.Path == w.Path && o.Message == w.Message
		})
		if own && !was && w.Code != config.CodeContextUnknown {
			g.run.complain(warningLine(w))
		}
	}
}

// load makes the states of both sides. The error is what is broken in either.
func (g *gating) load(ctx context.Context) (before, after workbench.State, err error) {
	var states [2]workbench.State
	var broken inputErrors
	for i, side := range []sideFlags{g.base, g.head} {
		in := workbench.Input{Flags: g.run.flags.bench, OnDemand: true}
		in.Flags.Overrides = side.overrides
		if side.config != "" {
			f := watch.Read(side.config)
			in.Config = &f
		}
		if in.Registry, err = workbench.ReadRegistry(side.registry); err != nil {
			return before, after, asInputError(err)
		}
		if i == 1 { // the session of the base, if the head has it
			in.Flags.Session = states[0].Snapshot.Session.Name
		}
		states[i], err = g.run.loadInput(ctx, in)
		var unknown *engine.UnknownSessionError
		if i == 1 && errors.As(err, &unknown) { // a session that is gone is a reason
			in.Flags.Session = ""
			states[i], err = g.run.loadInput(ctx, in)
		}
		if err != nil {
			return before, after, err
		}
		g.run.leaveOut(states[i])
		for _, d := range states[i].Broken() {
			if !slices.Contains(broken, d) {
				broken = append(broken, d)
			}
		}
	}
	if len(broken) > 0 {
		return before, after, broken
	}
	return states[0], states[1], nil
}

// gateJSON returns a verdict for JSON. Tokens are those that the session sends in a
// turn. P is null for a reason that no test is about, and a rank for a tool that is not
// found, that is sent in full or that is gone. A query is abstained when the head gives
// the model no hit for want of confidence.
func gateJSON(r *changegate.Result) object {
	verdict := "pass"
	if !r.Passed() {
		verdict = "fail"
	}
	reasons := func(list []changegate.Reason) []object {
		return array(list, func(reason changegate.Reason) object {
			var p any
			if reason.Tested {
				p = reason.P
			}
			return object{{"kind", reason.Kind}, {"what", report.ChangeReason(reason).String()}, {"p", p}}
		})
	}
	out := object{
		{"verdict", verdict},
		{"reasons", reasons(r.Reasons)},
		{"tokens", object{{"old", r.Tokens.Old}, {"new", r.Tokens.New}}},
		{"active", object{{"old", r.OldActive}, {"new", r.NewActive}}},
		{"scope_violations", r.ScopeViolations},
		{"lint_errors", object{{"old", r.LintErrors.Old}, {"new", r.LintErrors.New}}},
		{"queries", array(r.Queries, func(q changegate.LostQuery) object {
			var to any
			if q.LostTo != "" {
				to = q.LostTo
			}
			out := object{{"id", q.ID}, {"query", q.Text}, {"tool", q.Tool}, {"old_rank", rankOrNull(q.OldRank)}, {"new_rank", rankOrNull(q.NewRank)}, {"lost_to", to}}
			if q.Abstained {
				out = append(out, member{"abstained", true})
			}
			return append(out, member{"wording", q.Wording.String()})
		})},
		{"recall", recallJSON(r.Recall)},
		{"wording", array(wording.Classes, func(c wording.Class) object {
			out := object{{"class", c.String()}, {"queries", r.Worded[c].Queries}}
			for _, m := range recallJSON(r.Worded[c].Recall) {
				if r.Worded[c].Queries == 0 {
					m.value = nil
				}
				out = append(out, m)
			}
			return out
		})},
	}
	if len(r.Accepted) > 0 {
		out = append(out, member{"accepted", reasons(r.Accepted)})
	}
	return out
}

// recallJSON returns the recall before and after a change for JSON.
func recallJSON(r changegate.Recall) object {
	return object{{"old", r.Old}, {"new", r.New}, {"difference", r.Difference}, {"low", r.Low}, {"high", r.High}, {"p", r.P}}
}
