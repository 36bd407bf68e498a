package cli

import (
	"caliper/tui/repro"
	"caliper/tui/workbench"
)

// reproCase returns what a repro says of a state.
func reproCase(st workbench.State) repro.Case {
	return repro.Case{Program: repro.Program(), Snapshot: st.Snapshot, Settings: st.Config.Settings}
}

// printMarkdown prints a repro, which is safe for a terminal, or with --json an
// object that holds it.
func (r *run) printMarkdown(text string) error {
	if r.flags.json {
		return r.printJSON(struct {
			Markdown string `json:"markdown"`
		}{text})
	}
	return r.write([]byte(text))
}
