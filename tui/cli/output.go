package cli

import (
	"math"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// pageWidth is the width of text in cells where the terminal does not say one.
const pageWidth = 100

// print prints a report for a person.
func (r *run) print(text *report.Report) { r.printWithin(text, math.MaxInt) }

// printWithin prints a report for a person, no wider than most cells.
func (r *run) printWithin(text *report.Report, most int) {
	p := report.Page{Out: r.out, Width: pageWidth}
	if r.env.StdoutTerminal && r.env.Width > 0 {
		p.Width = max(r.env.Width, 40)
	}
	p.Width = min(p.Width, most)
	noColor, _ := r.env.Lookup("NO_COLOR")
	term, _ := r.env.Lookup("TERM")
	p.Styled = r.env.StdoutTerminal && noColor == "" && term != "dumb" && r.flags.theme != "plain"
	p.Print(text)
}

// say prints one line for a person.
func (r *run) say(parts ...any) { r.print(oneLine(parts...)) }

// oneLine returns a report of one line.
func oneLine(parts ...any) *report.Report {
	text := new(report.Report)
	text.Line(parts...)
	return text
}

// caseOf returns what a report for an issue depends on, for a state.
func caseOf(st workbench.State) report.Case {
	return report.Case{Program: report.Program(), Snapshot: st.Snapshot, Settings: st.Config.Settings}
}

// printJSONLine writes one value on one line.
func (r *run) printJSONLine(value any) error {
	text, err := encoded(value)
	if err != nil {
		return err
	}
	return r.writeJSON(append(text, '\n'))
}

// printJSON writes one value, indented by two spaces, and a newline. Of a long list of
// elements only a few are there at a time.
func (r *run) printJSON(value any) error {
	w := newJSONWriter()
	w.indented, w.full = true, r.writeJSON
	if err := w.write(value); err != nil {
		return err
	}
	w.WriteByte('\n')
	return r.writeJSON(w.Bytes())
}

// writeJSON writes JSON text. Nothing in it acts on a terminal, whoever reads
// it in the end; on a terminal it also masks what text masks.
func (r *run) writeJSON(text []byte) error {
	if r.env.StdoutTerminal {
		return r.write(safetext.EscapeMasked(text))
	}
	return r.write(safetext.EscapeUnseen(text))
}

// write writes bytes that are safe for a terminal.
func (r *run) write(b []byte) error {
	if _, err := r.out.Write(b); err != nil {
		return outputError(err)
	}
	return nil
}

// diagnosticsJSON returns errors or warnings of input files for JSON. Line 0 is
// unknown. The path of a finding is part of its message, as in text.
func diagnosticsJSON(list []model.Diagnostic) []object {
	return array(list, func(d model.Diagnostic) object {
		message := d.Message
		if d.Path != "" {
			message = d.Path + ": " + message
		}
		return object{{"file", d.File}, {"line", d.Line}, {"col", d.Col}, {"code", d.Code}, {"message", message}}
	})
}
