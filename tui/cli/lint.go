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

// lintRow is `lint`: findability and hygiene of the registry.
func (r *run) lintRow() runner.Row {
	var codes []lint.Code // empty: all
	least := lint.Info    // the least bad that is shown
	var name string       // of the tool, raw or qualified; empty: every tool
	var all bool          // every finding is printed
	var ci ciFiles
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
					codes = append(codes, c)
				}
				return nil
			})
			severities := []string{"error", "warning", "info"}
			f.Choice("severity", "SEVERITY", "show what is at least this bad: error, warning or info", severities, func(s string) error {
				least = lint.Severity(s)
				return runner.OneOf(s, severities...)
			})
			f.On(&all, "all", "print every finding, also those of information; --json always has them")
			f.Text(&name, "tool", "NAME", "show the findings of this tool only")
			ci.flags(f)
		},
		On: func(ctx context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			s, err := engine.Build(ctx, engine.Inputs{
				Registry: st.Snapshot.Registry, Config: st.Snapshot.Config, Session: st.Snapshot.Session.Name,
				Tokenizer: st.Snapshot.Tokenizer, Ranking: &st.Snapshot.Ranking,
			})
			if err != nil {
				return nil, err
			}
			var only []*model.Tool
			if name != "" {
				if only = s.Registry.Lookup(name); len(only) == 0 {
					r.Complain("caliper: no tool of the registry is called " + name)
					return nil, runner.ErrBad
				}
			}
			found, err := lint.Run(ctx, s, lint.Options{Skills: st.SkillFaults(), Progress: r.Counts("checks"), Keep: func(f lint.Finding) bool {
				return f.Severity.AtLeast(least) &&
					(len(codes) == 0 || slices.Contains(codes, f.Code)) &&
					(only == nil || slices.Contains(only, f.Tool))
			}})
			if err != nil {
				return nil, err
			}
			bad := found.Counts()[lint.Error]
			if err := ci.write(r.Run, sarifRun{"lint", r.Env.Work, s.Registry, r.Flags.Config, func() []sarifResult { return lintResults(found.Findings) }}, words.Count(bad, "error"), bad == 0); err != nil {
				return nil, err
			}
			return &runner.Outcome{Value: findingsJSON(found.Findings), Page: report.Lint(s, found, name != "", all || len(codes) > 0), No: bad > 0}, nil
		},
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

// findingsJSON returns findings for JSON. One about the catalog as a whole has no tool. Ranks are
// null where the change is not about one, and where the query does not score the tool.
func findingsJSON(found []lint.Finding) runner.Object {
	return runner.Object{{"findings", runner.Each(found, func(f lint.Finding) runner.Object {
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
}
