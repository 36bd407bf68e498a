package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
)

// manRow is `man`: the manual pages, made from the help pages. A page is
// written without a library: the one that cobra has reads our sentences as
// Markdown, in which mcp__SERVER__TOOL is bold.
func (r *run) manRow() runner.Row {
	return runner.Row{
		Reads: runner.NoData,
		Args:  runner.ArgumentCount(1, 1, "one DIR"), Complete: runner.Folders,
		Run: func(_ context.Context, args []string) (*runner.Outcome, error) {
			if args[0] == "" {
				return nil, runner.Usagef("DIR: want a value that is not empty")
			}
			return r.writeManual(args[0])
		},
	}
}

// writeManual writes all pages to a folder.
func (r *run) writeManual(folder string) (*runner.Outcome, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, runner.FileError(folder, err)
	}
	var names []string
	page := func(name, about string, of *report.Report) error {
		names = append(names, name+".1")
		return runner.WriteFile(filepath.Join(folder, name+".1"), []byte(of.Manual(name, about)))
	}
	var walk func(*cobra.Command) error
	walk = func(cmd *cobra.Command) error {
		if err := page(strings.ReplaceAll(cmd.CommandPath(), " ", "-"), cmd.Short, r.HelpPage(cmd)); err != nil {
			return err
		}
		for _, c := range cmd.Commands() {
			if err := walk(c); err != nil {
				return err
			}
		}
		return nil
	}
	err := walk(r.Root)
	for _, t := range topics.All {
		if err == nil {
			err = page("caliper-help-"+t.Name, t.Title, t.Page())
		}
	}
	return &runner.Outcome{Value: runner.Object{{"dir", folder}, {"pages", names}}, Page: runner.OneLine(report.Textf("%s in %s", report.Count(len(names), "page"), report.Name(folder)))}, err
}
