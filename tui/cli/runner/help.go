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

// ofRegistry are the flags that matter only to commands that read a registry.
var ofRegistry = map[string]bool{"registry": true, "demo": true, "session": true, "context": true}

// HelpPage returns the help page of a command.
func (r *Run) HelpPage(cmd *cobra.Command) *report.Report {
	page := new(report.Report)
	page.Say("%s", cmd.Short)
	page.Blank()
	for example := range strings.Lines(cmd.Example) {
		page.Line("  " + strings.TrimRight(example, "\n"))
	}
	page.Blank()
	page.Line(report.Strong("Usage"), "  ", usage(cmd))
	if cmd.Long != "" {
		page.Blank()
		page.Say("%s", cmd.Long)
	}
	for _, g := range cmd.Groups() {
		r.CommandGroup(page, g)
	}
	if cmd.HasParent() && cmd.HasAvailableSubCommands() {
		commandTable(page, "Commands", cmd.Commands())
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
	switch readsOf(cmd) {
	case NoRegistry:
		data = slices.DeleteFunc(data, func(f *pflag.Flag) bool { return ofRegistry[f.Name] })
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

// usage returns the usage line of a command.
func usage(cmd *cobra.Command) string {
	switch {
	case !cmd.HasParent():
		return "caliper [flags]  |  caliper COMMAND [flags]"
	case cmd.HasAvailableSubCommands():
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

// CommandGroup adds the commands of one group.
func (r *Run) CommandGroup(page *report.Report, g *cobra.Group) {
	commandTable(page, g.Title, slices.DeleteFunc(slices.Clone(r.Commands), func(c *cobra.Command) bool { return c.GroupID != g.ID }))
}

// Titled adds a table under a title.
func Titled(page *report.Report, title string, t *report.Table) {
	page.Blank()
	page.Line(report.Strong("%s", title))
	page.Table(t)
}

// commandTable adds commands with what each does.
func commandTable(page *report.Report, title string, list []*cobra.Command) {
	t := report.Columns("", "…")
	for _, c := range list {
		t.Row(c.Name(), c.Short)
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

// page is the help of a command.
type page struct{ Name, Group, use, short, example, long string }

// Pages returns the pages of all commands, in the order of the help. Their source is
// Markdown:
//
//	# title          a group of commands
//	## usage         a command, whose name is its first words in small letters
//	    command      an example
//	text             a paragraph, to the next empty line; the first says in a line what the
//	                 command does, and a \ at the end of a line breaks it
//
// {{name}} is a value of the code.
func Pages(source string) []page {
	values := strings.NewReplacer("\\\n", "\x00", "{{depth}}", strconv.Itoa(labels.EvaluationDepth), "{{max-rank}}", strconv.Itoa(retrieval.MaxRank),
		"{{large}}", words.Thousands(lint.MapWithinBounds), "{{replay-reads}}", replays.ReplayReads, "{{replay-boundary}}", replays.ReplayBoundary)
	var all []page
	group := ""
	for block := range strings.SplitSeq(source, "\n\n") {
		if strings.Contains(block, "{{") || strings.Contains(block, "\\\n") { // every command pays for what is made here
			block = values.Replace(block)
		}
		switch mark, rest, _ := strings.Cut(strings.TrimSuffix(block, "\n"), " "); mark {
		case "#":
			group = rest
		case "##":
			name, of := commandName(rest), group
			use := name[strings.LastIndex(name, " ")+1:] + rest[len(name):]
			if use != rest {
				of = "" // of the command above it
			}
			all = append(all, page{Name: name, Group: of, use: use})
		default:
			all[len(all)-1].add(block)
		}
	}
	return all
}

// commandName returns the first words in small letters.
func commandName(usage string) string {
	for i, c := range usage {
		if c != ' ' && (c < 'a' || c > 'z') {
			return strings.TrimSpace(usage[:i])
		}
	}
	return usage
}

// add adds a paragraph.
func (p *page) add(block string) {
	text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(block), "\n", " "), "\x00", "\n")
	switch {
	case p.short == "":
		p.short = text
	case p.example == "":
		p.example = strings.ReplaceAll(block[4:], "\n    ", "\n")
	case p.long == "":
		p.long = text
	default:
		p.long += "\n\n" + text
	}
}
