package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// linting is the flags of lint.
type linting struct {
	run   *run
	codes []lint.Code   // empty: all
	least lint.Severity // the least bad that is shown
	tool  string        // name, raw or qualified; empty: every tool
	all   bool          // every finding is printed
	ciFiles
}

// lintRow is `lint`: findability and hygiene of the registry.
func (r *run) lintRow() runner.Row {
	l := &linting{run: r, least: lint.Info}
	return runner.Row{
		Reads: runner.OwnData,
		Flags: func(f runner.FlagSet) {
			f.Value("code", "CODE[,CODE]", "show these findings only; may be repeated", func(s string) error {
				for _, word := range strings.Split(s, ",") {
					c := lint.Code(strings.TrimSpace(word))
					for _, k := range lint.Codes() { // the words of the report are taken too
						if strings.EqualFold(strings.ReplaceAll(string(c), "_", " "), k.Label()) {
							c = k
						}
					}
					if !slices.Contains(lint.Codes(), c) {
						return errors.New("want one of " + strings.Join(runner.Array(lint.Codes(), codeWord), ", "))
					}
					l.codes = append(l.codes, c)
				}
				return nil
			})
			severities := []string{"error", "warning", "info"}
			f.Choice("severity", "SEVERITY", "show what is at least this bad: error, warning or info", severities, func(s string) error {
				l.least = lint.Severity(s)
				return runner.OneOf(s, severities...)
			})
			f.On(&l.all, "all", "print every finding, also those of information; --json always has them")
			f.Text(&l.tool, "tool", "NAME", "show the findings of this tool only")
			l.flags(f)
		},
		On: l.lint,
	}
}

// completeCodes completes the codes of findings.
func completeCodes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, c := range lint.Codes() {
		out = append(out, cobra.CompletionWithDesc(codeWord(c), c.Label()+": "+c.Meaning()))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// codeWord returns a code as --code is offered: by its words on screen, which --code takes
// beside the code of JSON.
func codeWord(c lint.Code) string { return strings.ReplaceAll(c.Label(), " ", "_") }

// lint looks.
func (l *linting) lint(ctx context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
	s, err := engine.Build(ctx, engine.Inputs{
		Registry: st.Snapshot.Registry, Config: st.Snapshot.Config, Session: st.Snapshot.Session.Name,
		Tokenizer: st.Snapshot.Tokenizer, Ranking: &st.Snapshot.Ranking,
	})
	if err != nil {
		return nil, err
	}
	var only []*model.Tool
	if l.tool != "" {
		if only = s.Registry.Lookup(l.tool); len(only) == 0 {
			l.run.Complain("caliper: no tool of the registry is called " + l.tool)
			return nil, runner.ErrBad
		}
	}
	found, err := lint.Run(ctx, s, lint.Options{Skills: st.SkillFaults(), Progress: l.run.Counts("checks"), Keep: func(f lint.Finding) bool {
		return f.Severity.AtLeast(l.least) &&
			(len(l.codes) == 0 || slices.Contains(l.codes, f.Code)) &&
			(only == nil || slices.Contains(only, f.Tool))
	}})
	if err != nil {
		return nil, err
	}
	bad := found.Counts()[lint.Error]
	if err := l.write(l.run.Run, sarifRun{"lint", l.run.Env.Work, s.Registry, l.run.Flags.Config, func() []sarifResult { return lintResults(found.Findings) }}, words.Count(bad, "error"), bad == 0); err != nil {
		return nil, err
	}
	text := report.Lint(s, found, l.tool != "", l.all || len(l.codes) > 0)
	// A finding about the catalog as a whole has no tool, and ranks are null where the change is not
	// about one, and where the query does not score the tool.
	value := runner.Object{{"findings", runner.Each(found.Findings, func(f lint.Finding) runner.Object {
		tool := ""
		if f.Tool != nil {
			tool = f.Tool.Qualified
		}
		var remedy any
		if m := f.Remedy; m != nil {
			remedy = runner.Object{
				{"change", m.Change},
				{"rank_before", runner.OrNull(m.RankBefore)},
				{"rank_after", runner.OrNull(m.RankAfter)},
				{"tokens_before", m.TokensBefore},
				{"tokens_after", m.TokensAfter},
			}
		}
		return runner.Object{{"code", f.Code}, {"severity", f.Severity}, {"tool", tool}, {"message", f.Message}, {"remedy", remedy}}
	})}}
	return &runner.Outcome{Value: value, Page: text, No: bad > 0}, nil
}
