package cli

import (
	"strings"

	"caliper/config"
	"caliper/model"
	"caliper/tui/demo"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// checkCommand is `check`: parse and validate registry and config.
func (r *run) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "check",
		Short:   "Parse registry and config; print every error and warning with its place.",
		GroupID: groupAudit,
		Example: `caliper check --registry tools.json --config config.yaml
caliper check --registry dumps/ --json`,
		Long: "Exits with 0 when there are no errors, warnings or not, and with 2 when there are any.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := r.load(cmd.Context())
			if err != nil {
				return err
			}
			if !r.flags.json {
				return r.checkText(st)
			}
			if err := r.printJSON(checkJSON(st)); err != nil {
				return err
			}
			if len(st.Errors) > 0 {
				return errBad
			}
			return nil
		},
	}
}

// checkResult is what check found.
type checkResult struct {
	OK       bool `json:"ok"`
	Registry struct {
		Tools    int    `json:"tools"`
		Toolsets int    `json:"toolsets"`
		Shape    string `json:"shape"`
	} `json:"registry"`
	Warnings []diagnosticJSON `json:"warnings"`
	Errors   []diagnosticJSON `json:"errors"`
	Sections []config.Section `json:"sections"` // of the configuration, and whether they count
}

// checkJSON returns what check found for JSON.
func checkJSON(st workbench.State) checkResult {
	registry := st.Snapshot.Registry
	c := checkResult{OK: len(st.Errors) == 0, Warnings: diagnosticsJSON(st.Warnings), Errors: diagnosticsJSON(st.Errors), Sections: append([]config.Section{}, st.Config.Sections...)}
	c.Registry.Tools = len(registry.Tools)
	c.Registry.Toolsets = len(registry.Toolsets)
	c.Registry.Shape = registry.Shape
	return c
}

// checkText prints the outcome for a person; what is wrong goes where
// diagnostics go.
func (r *run) checkText(st workbench.State) error {
	for _, w := range st.Warnings {
		r.complain(warningLine(w))
	}
	if len(st.Errors) > 0 {
		return inputErrors(st.Errors)
	}
	p := r.page()
	registry := st.Snapshot.Registry
	var names []string
	for _, s := range registry.Sources {
		names = append(names, model.Sanitize(s.Name))
	}
	p.line(p.strong("ok"), "  ", counted(len(st.Warnings), "warning"))
	p.blank()
	t := table{columns: []column{{}, {}, {grow: true}}}
	tools := counted(len(registry.Tools), "tool") + " in " + counted(len(registry.Toolsets), "toolset")
	if registry.Shape != "" {
		tools += ", " + registry.Shape
	}
	t.add("registry", tools, strings.Join(names, ", "))
	t.add("config", counted(len(st.Config.Sessions), "session")+", "+counted(len(st.Config.Policy), "policy rule"),
		model.Sanitize(r.configName()))
	t.add("context", contextWords(st.Config.Config), workbench.OriginWords(st.Config.Model.Origin))
	var unread []string
	for _, s := range st.Config.Sections {
		if !s.Read {
			unread = append(unread, model.Sanitize(s.Key))
		}
	}
	if len(unread) > 0 {
		t.add("not read", counted(len(unread), "section"), nameList(unread))
	}
	t.print(p)
	return nil
}

// contextWords returns the context length for a person.
func contextWords(c config.Config) string {
	if c.ContextLength == nil || *c.ContextLength < 1 {
		return "unknown"
	}
	return counted(*c.ContextLength, "token")
}

// configName returns the name of the config file, or what holds without one.
func (r *run) configName() string {
	switch {
	case r.flags.config != "":
		return r.flags.config
	case r.flags.ownData():
		return "(defaults)"
	}
	return demo.ConfigFile
}

// warningLine returns a warning in one line that tells it from an error.
func warningLine(d model.Diagnostic) string {
	place := d.Position()
	d.File, d.Line = "", 0
	if place == "" {
		return "warning: " + d.Error()
	}
	return place + ": warning: " + d.Error()
}
