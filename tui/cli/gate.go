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
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cli/runner"
	"caliper/tui/report/changes"
)

// gateRow is `gate`: one verdict on a change of registry or configuration.
func (r *run) gateRow() runner.Row {
	var base, head side
	var queries string
	var agents []string
	var options diff.GateOptions
	var ci ciFiles
	kinds := runner.Array(diff.ReasonKinds(), func(k diff.ReasonKind) string { return string(k) })
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.Text(&base.registry, "base", "PATH", "registry before the change, a dump or a folder of them")
			f.Text(&head.registry, "head", "PATH", "registry after the change")
			f.Text(&base.config, "base-config", "PATH", "config before the change, instead of --config")
			f.Text(&head.config, "head-config", "PATH", "config after the change, instead of --config")
			f.Text(&base.overrides, "base-overrides", "FILE", "descriptions before it, instead of --overrides")
			f.Text(&head.overrides, "head-overrides", "FILE", "descriptions after it, instead of --overrides")
			f.Text(&queries, "queries", "FILE", "labelled queries, one {id, query, relevant} a line")
			runner.SaysDefault(f.Value("alpha", "P", "how often chance may do what fails; 1 fails any loss", func(s string) (err error) {
				if options.Alpha, err = strconv.ParseFloat(s, 64); err != nil || !(options.Alpha > 0 && options.Alpha <= 1) {
					return errors.New("want a number above 0, at most 1")
				}
				return nil
			}), strconv.FormatFloat(diff.DefaultAlpha, 'f', -1, 64))
			f.Number(&options.MaxTokens, "max-tokens", "N", "fail when the session sends more tokens in a turn", "a number of tokens, 1 or more", 1, math.MaxInt)
			f.Choice("accept", "KIND[,KIND]", "kinds of reasons that are intended, such as removed,lint", kinds, func(list string) error {
				for name := range strings.SplitSeq(list, ",") {
					if err := runner.OneOf(name, kinds...); err != nil {
						return err
					}
					options.Accept = append(options.Accept, diff.ReasonKind(name))
				}
				return nil
			})
			f.List(&agents, "hosts", "A,B", "agents that must find what they found", "host", "one of "+strings.Join(hosts.Foreign(), ", "), runner.Among(hosts.Foreign()))
			f.Completed("hosts", hosts.Foreign())
			f.On(&r.Flags.Markdown, "markdown", "print it all as Markdown, for a pull request")
			ci.flags(f)
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			f := &r.Flags
			switch {
			case len(f.Registry) > 0:
				return nil, runner.Usagef("--registry: the two registries are --base and --head")
			case f.Demo:
				return nil, runner.Usagef("--demo: a gate is about your own change")
			case base.registry == "" || head.registry == "":
				return nil, runner.Usagef("needs --base and --head, the registries before and after the change")
			case queries == "":
				return nil, runner.Usagef("needs --queries FILE")
			case f.Config == "" && (base.config == "") != (head.config == ""):
				return nil, runner.Usagef("--base-config and --head-config need each other, or --config for the other side")
			}
			for _, s := range []*side{&base, &head} {
				s.config = cmp.Or(s.config, f.Config)
				s.overrides = cmp.Or(s.overrides, f.Bench.Overrides) // or none, so that a file of descriptions can be new
			}
			for _, name := range agents {
				options.Hosts = append(options.Hosts, hosts.Named(name))
			}
			return r.gate(ctx, base, head, queries, options, ci)
		},
	}
}

// gate judges the change by a file of labelled queries and tells the verdict.
func (r *run) gate(ctx context.Context, base, head side, queriesFile string, options diff.GateOptions, ci ciFiles) (*runner.Outcome, error) {
	queries, err := runner.ReadQueries(queriesFile)
	if err != nil {
		return nil, err
	}
	before, after, err := r.loadSides(ctx, base, head, func(s *engine.Snapshot) string { return diff.LabelledSession(s, queries) })
	if err != nil {
		return nil, err
	}
	for _, w := range after.Warnings { // a mistyped key or name changes nothing, so that the gate would pass without a word
		own := w.File == safetext.Line(head.config) || w.File == safetext.Line(head.overrides)
		was := slices.ContainsFunc(before.Warnings, func(o model.Diagnostic) bool {
			return o.Code == w.Code && o.Path == w.Path && o.Message == w.Message
		})
		if own && !was && w.Code != config.CodeContextUnknown {
			r.Complain(runner.WarningLine(w))
		}
	}
	options.Progress = r.Counts("steps of the comparison")
	found, err := diff.Judge(ctx, r.Bench.Builder, before.Snapshot.Unasked(), after.Snapshot.Unasked(), queries, options)
	if err != nil {
		return nil, err
	}
	if found.Unanswerable == found.Compared {
		return nil, runner.InputError(queriesFile, "no query can be judged: neither registry has a tool that any of them expects")
	}
	r.neither(queriesFile, found.Unknown)
	moved := func(name string) bool {
		was, is := before.Snapshot.Registry.Named(name), after.Snapshot.Registry.Named(name)
		return was == nil || is == nil || was.Toolset != is.Toolset
	}
	if err := ci.write(r.Run, sarifRun{"gate", r.Env.Work, after.Snapshot.Registry, head.config, func() []sarifResult {
		return runner.Array(found.Reasons, func(reason diff.Reason) sarifResult {
			r := sarifResult{level: "error", message: changes.ChangeReason(reason).String(), tools: reason.Tools}
			if reason.Kind == diff.KindLint {
				return r.of(reason.Code) // as lint has it
			}
			// What a session reaches is about the configuration where its tools were in the base, in the same toolsets.
			r.rule = string(reason.Kind)
			r.settings = reason.Kind == diff.KindSession || reason.Kind == diff.KindActivation || reason.Kind == diff.KindScope && !slices.ContainsFunc(reason.Tools, moved)
			return r
		})
	}}, verdictOf(&found), found.Passed()); err != nil {
		return nil, err
	}
	return &runner.Outcome{Value: gateJSON(&found), Page: changes.ChangeGate(&found, base.registry, head.registry), No: !found.Passed()}, nil
}

// gateJSON returns a verdict for JSON. Tokens are those that the session sends in a
// turn. P is null for a reason that no test is about, and a rank for a tool that is not
// found, that is sent in full or that is gone. A query is abstained when the head gives
// the model no hit for want of confidence.
func gateJSON(r *diff.GateResult) runner.Object {
	reasons := func(list []diff.Reason) []runner.Object {
		return runner.Array(list, func(reason diff.Reason) runner.Object {
			return runner.Object{{"kind", reason.Kind}, {"what", changes.ChangeReason(reason).String()}, {"p", runner.NullUnless(reason.Tested, reason.P)}}
		})
	}
	out := runner.Object{
		{"verdict", verdictOf(r)},
		{"reasons", reasons(r.Reasons)},
		{"tokens", runner.Object{{"old", r.Tokens.Old}, {"new", r.Tokens.New}}},
		{"active", runner.Object{{"old", r.OldActive}, {"new", r.NewActive}}},
		{"scope_violations", r.ScopeViolations},
		{"lint_errors", runner.Object{{"old", r.LintErrors.Old}, {"new", r.LintErrors.New}}},
		{"queries", runner.Array(r.Queries, func(q diff.LostQuery) runner.Object {
			out := runner.Object{{"id", q.ID}, {"query", q.Text}, {"tool", q.Tool}, {"old_rank", runner.OrNull(q.OldRank)}, {"new_rank", runner.OrNull(q.NewRank)}, {"lost_to", runner.OrNull(q.LostTo)}}
			if q.Abstained {
				out = append(out, runner.Member{"abstained", true})
			}
			return append(out, runner.Member{"wording", q.Wording.String()})
		})},
		{"recall", recallJSON(r.Recall)},
		{"session", r.Session},
		{"ungranted", r.Ungranted},
		{"wording", runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
			return r.Worded[c].Queries, recallJSON(r.Worded[c])
		})},
	}
	if len(r.Hosts) > 0 {
		out = append(out, runner.Member{"hosts", runner.Array(r.Hosts, func(c diff.HostChange) runner.Object {
			return runner.Object{{"host", c.Host.Name}, {"found", runner.Object{{"old", c.Found.Old}, {"new", c.Found.New}}}, {"lost", runner.Array(c.Lost, func(l diff.LostQuery) runner.Object {
				return runner.Object{{"id", l.ID}, {"query", l.Text}, {"tool", l.Tool}, {"old_rank", runner.OrNull(l.OldRank)}, {"new_rank", runner.OrNull(l.NewRank)}, {"cut_by", l.CutBy}}
			})}}
		})})
	}
	if len(r.Undescribed) > 0 {
		out = append(out, runner.Member{"undescribed", r.Undescribed})
	}
	if len(r.Accepted) > 0 {
		out = append(out, runner.Member{"accepted", reasons(r.Accepted)})
	}
	return out
}

// verdictOf returns the verdict in a word.
func verdictOf(r *diff.GateResult) string {
	if r.Passed() {
		return "pass"
	}
	return "fail"
}

// recallJSON returns the recall before and after a change for JSON.
func recallJSON(r diff.Recall) runner.Object {
	return runner.Object{{"old", r.Old}, {"new", r.New}, {"difference", r.Difference}, {"low", r.Low}, {"high", r.High}, {"p", r.P}}
}
