package cli

import (
	"os"
	"path/filepath"
	"strings"

	"caliper/tui/report"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
)

// manCommand is `man`: the manual pages, made from the help pages. A page is
// written without a library: the one that cobra has reads our sentences as
// Markdown, in which mcp__SERVER__TOOL is bold.
func (r *run) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "man DIR",
		Short:       "Write the manual pages, one for each command.",
		GroupID:     groupAbout,
		Annotations: withoutData(),
		Example: `caliper man man1
caliper man man1 --json`,
		Long: "Makes DIR and writes caliper.1, a caliper-COMMAND.1 for each command, and a caliper-help-TOPIC.1 for each topic. The same " +
			"version writes the same bytes. JSON: {dir, pages}.",
		Args: argumentCount(1, 1, "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "" {
				return usageErrorf(cmd, "DIR: want a value that is not empty")
			}
			return r.writeManual(cmd.Root(), args[0])
		},
	}
}

// writeManual writes all pages to a folder.
func (r *run) writeManual(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fileError(folder, err)
	}
	var pages []string
	page := func(name, about string, of *report.Report) error {
		pages = append(pages, name+".1")
		return writeFile(filepath.Join(folder, name+".1"), []byte(of.Manual(name, about)))
	}
	var walk func(*cobra.Command) error
	walk = func(cmd *cobra.Command) error {
		if cmd.Hidden {
			return nil
		}
		if err := page(strings.ReplaceAll(cmd.CommandPath(), " ", "-"), cmd.Short, r.helpPage(cmd)); err != nil {
			return err
		}
		for _, c := range cmd.Commands() {
			if err := walk(c); err != nil {
				return err
			}
		}
		return nil
	}
	err := walk(root)
	for _, t := range topics.All {
		if err == nil {
			err = page("caliper-help-"+t.Name, t.Title, t.Page())
		}
	}
	if err != nil {
		return err
	}
	if r.flags.json {
		return r.printJSON(object{{"dir", folder}, {"pages", pages}})
	}
	r.say(report.Textf("%s in %s", report.Count(len(pages), "page"), report.Name(folder)))
	return nil
}
