package cli

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine/diff"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
)

// gating is the flags of gate.
type gating struct {
	run     *run
	base    side
	head    side
	queries string
	hosts   []string
	options diff.GateOptions
}

// gateRow is `gate`: one verdict on a change of registry or configuration.
func (r *run) gateRow() row {
	g := &gating{run: r}
	return row{
		flags: func(f flagSet) {
			f.text(&g.base.registry, "base", "PATH", "registry before the change, a dump or a folder of them")
			f.text(&g.head.registry, "head", "PATH", "registry after the change")
			f.text(&g.base.config, "base-config", "PATH", "config before the change, instead of --config")
			f.text(&g.head.config, "head-config", "PATH", "config after the change, instead of --config")
			f.text(&g.base.overrides, "base-overrides", "FILE", "descriptions before it, instead of --overrides")
			f.text(&g.head.overrides, "head-overrides", "FILE", "descriptions after it, instead of --overrides")
			f.text(&g.queries, "queries", "FILE", "labelled queries, one {id, query, relevant} a line")
			saysDefault(f.value("alpha", "P", "how often chance may do as much as what fails", func(s string) (err error) {
				if g.options.Alpha, err = strconv.ParseFloat(s, 64); err != nil || !(g.options.Alpha > 0 && g.options.Alpha < 1) {
					return errors.New("want a number between 0 and 1")
				}
				return nil
			}), strconv.FormatFloat(diff.DefaultAlpha, 'f', -1, 64))
			f.number(&g.options.MaxTokens, "max-tokens", "N", "fail when the session sends more tokens in a turn", "a number of tokens, 1 or more", 1, math.MaxInt)
			f.choice("accept", "KIND[,KIND]", "kinds of reasons that are intended, such as removed,lint", kindNames(), g.accept)
			f.list(&g.hosts, "hosts", "A,B", "agents that must find what they found", "host", "one of "+strings.Join(hosts.Foreign(), ", "), among(hosts.Foreign()))
			f.completed("hosts", hosts.Foreign())
			f.on(&r.flags.markdown, "markdown", "print it all as Markdown, for a pull request")
		},
		run: func(ctx context.Context, _ []string) (*outcome, error) {
			if err := g.check(); err != nil {
				return nil, err
			}
			return g.gate(ctx)
		},
	}
}

// kindNames returns the kinds of reasons.
func kindNames() []string {
	return array(diff.ReasonKinds(), func(k diff.ReasonKind) string { return string(k) })
}

// accept reads the kinds of reasons that do not fail.
func (g *gating) accept(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if err := oneOf(name, kindNames()...); err != nil {
			return err
		}
		g.options.Accept = append(g.options.Accept, diff.ReasonKind(name))
	}
	return nil
}

// check returns the fault of the flags.
func (g *gating) check() error {
	f := &g.run.flags
	switch {
	case len(f.registry) > 0:
		return usagef("--registry: the two registries are --base and --head")
	case f.demo:
		return usagef("--demo: a gate is about your own change")
	case g.base.registry == "" || g.head.registry == "":
		return usagef("needs --base and --head, the registries before and after the change")
	case g.queries == "":
		return usagef("needs --queries FILE")
	case f.config == "" && (g.base.config == "") != (g.head.config == ""):
		return usagef("--base-config and --head-config need each other, or --config for the other side")
	}
	for _, s := range []*side{&g.base, &g.head} {
		s.config = cmp.Or(s.config, f.config)
		s.overrides = cmp.Or(s.overrides, f.bench.Overrides) // or none, so that a file of descriptions can be new
	}
	return nil
}

// gate judges the change and tells the verdict.
func (g *gating) gate(ctx context.Context) (*outcome, error) {
	queries, err := readQueries(g.queries)
	if err != nil {
		return nil, err
	}
	before, after, err := g.run.loadSides(ctx, g.base, g.head, true)
	if err != nil {
		return nil, err
	}
	g.warn(before, after)
	for _, name := range g.hosts {
		g.options.Hosts = append(g.options.Hosts, hosts.Named(name))
	}
	g.options.Progress = g.run.counts("steps of the comparison")
	found, err := g.run.bench.JudgeChange(ctx, before, after, queries, g.options)
	if err != nil {
		return nil, err
	}
	if found.Unanswerable == found.Compared {
		return nil, inputError(g.queries, "no query can be judged: neither registry has a tool that any of them expects")
	}
	g.run.neither(g.queries, found.Unknown)
	return &outcome{value: gateJSON(&found), page: changes.ChangeGate(&found, g.base.registry, g.head.registry), no: !found.Passed()}, nil
}

// warn tells the faults that the configuration and the descriptions of the head have and
// the base's have not. A key or a name that is mistyped changes nothing, so that
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

// gateJSON returns a verdict for JSON. Tokens are those that the session sends in a
// turn. P is null for a reason that no test is about, and a rank for a tool that is not
// found, that is sent in full or that is gone. A query is abstained when the head gives
// the model no hit for want of confidence.
func gateJSON(r *diff.GateResult) object {
	verdict := "pass"
	if !r.Passed() {
		verdict = "fail"
	}
	reasons := func(list []diff.Reason) []object {
		return array(list, func(reason diff.Reason) object {
			var p any
			if reason.Tested {
				p = reason.P
			}
			return object{{"kind", reason.Kind}, {"what", changes.ChangeReason(reason).String()}, {"p", p}}
		})
	}
	out := object{
		{"verdict", verdict},
		{"reasons", reasons(r.Reasons)},
		{"tokens", object{{"old", r.Tokens.Old}, {"new", r.Tokens.New}}},
		{"active", object{{"old", r.OldActive}, {"new", r.NewActive}}},
		{"scope_violations", r.ScopeViolations},
		{"lint_errors", object{{"old", r.LintErrors.Old}, {"new", r.LintErrors.New}}},
		{"queries", array(r.Queries, func(q diff.LostQuery) object {
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
		{"wording", array(labels.WordClasses, func(c labels.WordClass) object {
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
	if len(r.Hosts) > 0 {
		out = append(out, member{"hosts", array(r.Hosts, func(c diff.HostChange) object {
			return object{{"host", c.Host.Name}, {"found", object{{"old", c.Found.Old}, {"new", c.Found.New}}}, {"lost", array(c.Lost, func(l diff.LostInHost) object {
				return object{{"id", l.ID}, {"query", l.Text}, {"tool", l.Tool}, {"old_rank", rankOrNull(l.OldRank)}, {"new_rank", rankOrNull(l.NewRank)}, {"cut_by", l.CutBy}}
			})}}
		})})
	}
	if len(r.Accepted) > 0 {
		out = append(out, member{"accepted", reasons(r.Accepted)})
	}
	return out
}

// recallJSON returns the recall before and after a change for JSON.
func recallJSON(r diff.Recall) object {
	return object{{"old", r.Old}, {"new", r.New}, {"difference", r.Difference}, {"low", r.Low}, {"high", r.High}, {"p", r.P}}
}
