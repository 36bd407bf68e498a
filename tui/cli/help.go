package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/topics"
)

// topicWidth is the widest that the text of a topic is set, in cells: longer lines
// are hard to read.
const topicWidth = 92

// helpRow is `help`: the page of a topic, or of a command, as its
// --help. A topic comes before a command of its name.
func (r *run) helpRow() runner.Row {
	return runner.Row{
		Reads: runner.NoData,
		Args:  func([]string) error { return nil },
		Complete: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var list []cobra.Completion
			if len(args) == 0 {
				for _, t := range topics.All {
					list = append(list, cobra.CompletionWithDesc(t.Name, t.Title))
				}
				for _, c := range r.Commands {
					list = append(list, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		},
		Run: func(_ context.Context, args []string) (*runner.Outcome, error) {
			if len(args) == 0 { // the commands and the topics
				page := new(report.Report)
				page.Line(report.Strong("caliper"), "  ", r.Root.Short)
				for _, g := range r.Root.Groups() {
					runner.CommandTable(page, g.Title, r.Commands, g.ID)
				}
				t := report.Columns("", "…")
				for _, topic := range topics.All {
					t.Row(topic.Name, topic.Title)
				}
				runner.Titled(page, "Topics", t)
				page.Blank()
				page.Line("caliper help TOPIC, caliper COMMAND --help; caliper --help has the flags of all commands.")
				return &runner.Outcome{Page: page, Value: runner.Object{{"topics", runner.Array(topics.All, func(t topics.Topic) runner.Object {
					return runner.Object{{"topic", t.Name}, {"title", t.Title}}
				})}}}, nil
			}
			if t, ok := topics.Find(strings.ToLower(args[0])); ok && len(args) == 1 {
				page := t.Page()
				if !r.Flags.JSON {
					r.PrintWithin(page, topicWidth)
					return nil, nil
				}
				text, _ := page.Markdown()
				out := runner.Object{{"topic", t.Name}, {"title", t.Title}, {"text", text}}
				if t.Name == "glossary" {
					terms := []runner.Object{}
					for _, s := range topics.Glossary() {
						for _, term := range s.Terms {
							terms = append(terms, runner.Object{{"term", term.Word}, {"also", runner.NotNull(term.Also)}, {"meaning", term.Meaning}})
						}
					}
					out = append(out, runner.Member{"terms", terms})
				}
				return nil, r.PrintJSON(out)
			}
			about, rest, err := r.Root.Find(args)
			if err != nil || len(rest) > 0 {
				word, names := strings.Join(args, " "), topics.Names()
				known := slices.Clone(names)
				for _, c := range r.Root.Commands() {
					known = append(known, c.Name())
				}
				return nil, runner.Usagef("no topic or command %q%s; topics: %s", word, words.DidYouMean(words.Nearest(word, known)), strings.Join(names, ", "))
			}
			about.InitDefaultHelpFlag()
			page := r.HelpPage(about)
			text, _ := page.Markdown()
			return &runner.Outcome{Page: page, Value: runner.Object{{"topic", strings.Join(args, " ")}, {"title", about.Short}, {"text", text}}}, nil
		},
	}
}

// manRow is `man`: the manual pages, made from the help pages. A page is
// written without a library: the one that cobra has reads our sentences as
// Markdown, in which mcp__SERVER__TOOL is bold.
func (r *run) manRow() runner.Row {
	return runner.Row{
		Reads: runner.NoData,
		Args:  runner.ArgumentCount(1, 1, "one DIR"), Complete: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		Run: func(_ context.Context, args []string) (*runner.Outcome, error) {
			if args[0] == "" {
				return nil, runner.Usagef("DIR: want a value that is not empty")
			}
			folder := args[0]
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, runner.FileError(folder, err)
			}
			var names []string
			page := func(name, about string, of *report.Report) error {
				names = append(names, name+".1")
				return r.WriteFile(filepath.Join(folder, name+".1"), []byte(of.Manual(name, about)))
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
		},
	}
}

// builtWith is the answer of `version` and of --version: what the build recorded.
func builtWith() *runner.Outcome {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = new(debug.BuildInfo)
	}
	set := map[string]string{}
	for _, s := range build.Settings {
		set[s.Key] = s.Value
	}
	revision, modified := set["vcs.revision"], set["vcs.modified"] == "true" // built from files that differ from the revision
	line := fmt.Sprintf("caliper %s, %s", runner.Version(), build.GoVersion)
	if revision != "" {
		line += ", revision " + revision
		if modified {
			line += " (modified)"
		}
	}
	return &runner.Outcome{Page: runner.OneLine(line), Value: runner.Object{{"version", runner.Version()}, {"go", build.GoVersion}, {"revision", revision}, {"time", set["vcs.time"]}, {"modified", modified}}}
}
