package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/model"

	"github.com/spf13/cobra"
)

// linting is what the flags of lint ask for.
type linting struct {
	run   *run
	codes []lint.Code   // empty: all
	least lint.Severity // the least bad that is shown
	tool  string        // name, raw or qualified; empty: every tool
}

// lintCommand is `lint`: findability and hygiene of the registry.
func (r *run) lintCommand() *cobra.Command {
	l := &linting{run: r, least: lint.Info}
	cmd := &cobra.Command{
		Use:     "lint",
		Short:   "Find tools that nobody finds, and definitions that cost too much.",
		GroupID: groupAudit,
		Example: `caliper lint --demo
caliper lint --demo --severity warning
caliper lint --demo --code name_not_found --tool mcp_mail_search`,
		Long: "Asks the session's search for every tool by the words of its name, its first sentence and its parameter " +
			"names, and looks at names, descriptions and schemas of the whole registry. Remedies are tried in memory: " +
			"ranks and tokens before and after are those of a new search and a new count. Exits with 1 when one of " +
			"the findings shown is an error.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return l.lint(cmd.Context()) },
	}
	cmd.Flags().Var(&checked{kind: "CODE[,CODE]", set: l.code}, "code", "show these findings only; may be repeated")
	cmd.Flags().Var(&checked{kind: "SEVERITY", set: l.severity}, "severity", "show what is at least this bad: error, warning or info")
	cmd.Flags().Var(&checked{kind: "NAME", set: func(s string) error {
		l.tool = s
		return notEmpty(s)
	}}, "tool", "show the findings of this tool only")
	_ = cmd.RegisterFlagCompletionFunc("code", completeCodes)
	_ = cmd.RegisterFlagCompletionFunc("severity", cobra.FixedCompletions([]string{"error", "warning", "info"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// completeCodes completes the codes of findings.
func completeCodes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, c := range lint.Codes() {
		out = append(out, string(c)+"\t"+c.Meaning())
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// code reads the codes of one flag.
func (l *linting) code(s string) error {
	for _, word := range strings.Split(s, ",") {
		c := lint.Code(strings.TrimSpace(word))
		if !slices.Contains(lint.Codes(), c) {
			var known []string
			for _, k := range lint.Codes() {
				known = append(known, string(k))
			}
			return errors.New("want one of " + strings.Join(known, ", "))
		}
		l.codes = append(l.codes, c)
	}
	return nil
}

// severity reads the least severity to show.
func (l *linting) severity(s string) error {
	if !slices.Contains(lint.Severities(), lint.Severity(s)) {
		return errors.New("want error, warning or info")
	}
	l.least = lint.Severity(s)
	return nil
}

// lint looks and prints.
func (l *linting) lint(ctx context.Context) error {
	st, err := l.run.loadGood(ctx)
	if err != nil {
		return err
	}
	builder := engine.NewBuilder()
	s, err := builder.Build(ctx, engine.Inputs{
		Registry: st.Snapshot.Registry, Config: st.Snapshot.Config, Session: st.Snapshot.Session.Name,
		Tokenizer: st.Snapshot.Tokenizer, Ranking: &st.Snapshot.Ranking,
	})
	if err != nil {
		return err
	}
	var only []*model.Tool
	if l.tool != "" {
		if only = s.Registry.Lookup(l.tool); len(only) == 0 {
			l.run.complain("caliper: no tool of the registry is called " + l.tool)
			return errBad
		}
	}
	report, err := lint.Run(ctx, builder, s, lint.Options{Keep: func(f lint.Finding) bool {
		return f.Severity.AtLeast(l.least) &&
			(len(l.codes) == 0 || slices.Contains(l.codes, f.Code)) &&
			(only == nil || slices.Contains(only, f.Tool))
	}})
	if err != nil {
		return err
	}
	if l.run.flags.json {
		err = l.run.printJSON(lintJSON(report))
	} else {
		l.text(s, report)
	}
	if err == nil && report.Counts()[lint.Error] > 0 {
		err = errNo
	}
	return err
}

// lintResult is a report for JSON.
type lintResult struct {
	Findings []findingJSON `json:"findings"`
}

// findingJSON is one finding for JSON. The tool is the qualified name, empty
// for what is about the catalog as a whole. Without a remedy that helps it is
// null.
type findingJSON struct {
	Code     lint.Code     `json:"code"`
	Severity lint.Severity `json:"severity"`
	Tool     string        `json:"tool"`
	Message  string        `json:"message"`
	Remedy   *remedyJSON   `json:"remedy"`
}

// remedyJSON is a remedy for JSON. Ranks are null where the change is not
// about one, and where the query does not score the tool.
type remedyJSON struct {
	Change       string `json:"change"`
	RankBefore   *int   `json:"rank_before"`
	RankAfter    *int   `json:"rank_after"`
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
}

// lintJSON returns a report for JSON.
func lintJSON(report lint.Report) lintResult {
	out := lintResult{Findings: make([]findingJSON, len(report.Findings))}
	for i, f := range report.Findings {
		j := findingJSON{Code: f.Code, Severity: f.Severity, Message: f.Message}
		if f.Tool != nil {
			j.Tool = f.Tool.Qualified
		}
		if r := f.Remedy; r != nil {
			j.Remedy = &remedyJSON{r.Change, rankOrNull(r.RankBefore), rankOrNull(r.RankAfter), r.TokensBefore, r.TokensAfter}
		}
		out.Findings[i] = j
	}
	return out
}
