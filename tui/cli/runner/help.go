package runner

import (
	"slices"
	"strings"

	"caliper/tui/report"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ofRegistry are the flags that matter only to commands that read a registry.
var ofRegistry = map[string]bool{"registry": true, "demo": true, "session": true, "context": true}

// Help writes the help page of a command: what it does, examples, usage, and
// its flags in groups. A page fits a screen of 40 lines, the page of caliper
// itself, with every command and every flag, one of 75.
func (r *Run) Help(cmd *cobra.Command, _ []string) { r.Print(r.HelpPage(cmd)) }

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
