package runner

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/retrieval"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/report/replays"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HelpPage returns the help page of a command.
func (r *Run) HelpPage(cmd *cobra.Command) *report.Report {
	page := new(report.Report)
	page.Say("%s", cmd.Short)
	page.Blank()
	for example := range strings.Lines(cmd.Example) {
		page.Line("  " + strings.TrimRight(example, "\n"))
	}
	page.Blank()
	usage := cmd.UseLine()
	switch {
	case !cmd.HasParent():
		usage = "caliper [flags]  |  caliper COMMAND [flags]"
	case cmd.HasAvailableSubCommands():
		usage = cmd.CommandPath() + " COMMAND [flags]"
	}
	page.Line(report.Strong("Usage"), "  ", usage)
	if cmd.Long != "" {
		page.Blank()
		page.Say("%s", cmd.Long)
	}
	for _, g := range cmd.Groups() {
		CommandTable(page, g.Title, r.Commands, g.ID)
	}
	if cmd.HasParent() && cmd.HasAvailableSubCommands() {
		CommandTable(page, "Commands", cmd.Commands(), "")
	}
	if !cmd.HasParent() {
		page.Blank()
		page.Say("Topics: %s.", strings.Join(topics.Names(), ", "))
	}
	if cmd.HasParent() {
		flagGroup(page, "Flags", ownFlags(cmd))
	}
	shared := cmd.Root().PersistentFlags()
	data := groupedFlags(shared, groupData)
	if !cmd.HasParent() || cmd.Name() == "call" || cmd.Name() == "bridge" {
		data = append(data, groupedFlags(shared, groupCalls)...)
	}
	switch reads(cmd.Annotations[readsAnnotation]) {
	case NoRegistry:
		data = slices.DeleteFunc(data, func(f *pflag.Flag) bool {
			return slices.Contains([]string{"registry", "demo", "session", "context"}, f.Name)
		})
	case NoData:
		data = nil
	}
	flagGroup(page, groupData, data)
	output := groupedFlags(shared, groupOutput)
	if !cmd.HasParent() {
		output = append(append(output, groupedFlags(shared, GroupExplorer)...), ownFlags(cmd)...)
	}
	flagGroup(page, groupOutput, output)
	return page
}

// Titled adds a table under a title.
func Titled(page *report.Report, title string, t *report.Table) {
	page.Blank()
	page.Line(report.Strong("%s", title))
	page.Table(t)
}

// CommandTable adds the commands of a group with what each does.
func CommandTable(page *report.Report, title string, list []*cobra.Command, group string) {
	t := report.Columns("", "…")
	for _, c := range list {
		if c.GroupID == group {
			t.Row(c.Name(), c.Short)
		}
	}
	Titled(page, title, t)
}

// flagGroup adds the flags of one group.
func flagGroup(page *report.Report, title string, list []*pflag.Flag) {
	if len(list) == 0 {
		return
	}
	t := report.Columns("", "…")
	for _, f := range list {
		value, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Value.Type() != "bool" {
			name += " " + value
		}
		t.Row(name, text)
	}
	Titled(page, title, t)
}

// ownFlags returns the flags that only cmd has.
func ownFlags(cmd *cobra.Command) []*pflag.Flag {
	var list []*pflag.Flag
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			list = append(list, f)
		}
	})
	return list
}

// groupedFlags returns the flags of a group, in the order they were added.
func groupedFlags(set *pflag.FlagSet, group string) []*pflag.Flag {
	var list []*pflag.Flag
	set.SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		if g := f.Annotations[groupAnnotation]; len(g) == 1 && g[0] == group && !f.Hidden {
			list = append(list, f)
		}
	})
	return list
}

// Pages returns the help of all commands, in its order, and the name of each, after those of
// the command that it is below. The source is Markdown:
//
//	# title          a group of commands
//	## usage         a command, whose name is its first words in small letters
//	    command      an example
//	text             a paragraph, to the next empty line; the first says in a line what the
//	                 command does, and a \ at the end of a line breaks it
//
// {{name}} is a value of the code.
func Pages(source string) (names []string, all []*cobra.Command) {
	values := strings.NewReplacer("\\\n", "\x00", "{{depth}}", strconv.Itoa(labels.EvaluationDepth), "{{max-rank}}", strconv.Itoa(retrieval.MaxRank),
		"{{large}}", words.Thousands(lint.MapWithinBounds), "{{replay-reads}}", replays.ReplayReads, "{{replay-boundary}}", replays.ReplayBoundary)
	group := ""
	for block := range strings.SplitSeq(source, "\n\n") {
		if strings.Contains(block, "{{") || strings.Contains(block, "\\\n") { // every command pays for this
			block = values.Replace(block)
		}
		switch mark, rest, _ := strings.Cut(strings.TrimSuffix(block, "\n"), " "); mark {
		case "#":
			group = rest
		case "##":
			name, of := rest, group
			if end := strings.IndexFunc(rest, func(c rune) bool { return c != ' ' && (c < 'a' || c > 'z') }); end >= 0 {
				name = strings.TrimSpace(rest[:end])
			}
			use := name[strings.LastIndex(name, " ")+1:] + rest[len(name):]
			if use != rest {
				of = "" // of the command above it
			}
			names, all = append(names, name), append(all, &cobra.Command{Use: use, GroupID: of})
		default:
			cmd := all[len(all)-1]
			text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(block), "\n", " "), "\x00", "\n")
			switch {
			case cmd.Short == "":
				cmd.Short = text
			case cmd.Example == "":
				cmd.Example = strings.ReplaceAll(block[4:], "\n    ", "\n")
			case cmd.Long == "":
				cmd.Long = text
			default:
				cmd.Long += "\n\n" + text
			}
		}
	}
	return names, all
}
