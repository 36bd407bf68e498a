package cli

import (
	"bytes"
	"encoding/json"
	"iter"
	"math"
	"strconv"

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
func (r *run) say(parts ...any) {
	text := new(report.Report)
	text.Line(parts...)
	r.print(text)
}

// answer prints an answer: as JSON when that is asked for, else as text.
func (r *run) answer(value any, text *report.Report) error {
	if r.flags.json {
		return r.printJSON(value)
	}
	r.print(text)
	return nil
}

// noWhen returns the outcome of a command that has printed its answer: errNo
// when the answer is no, unless printing failed.
func noWhen(no bool, err error) error {
	if err == nil && no {
		err = errNo
	}
	return err
}

// caseOf returns what a report for an issue depends on, for a state.
func caseOf(st workbench.State) report.Case {
	return report.Case{Program: report.Program(), Snapshot: st.Snapshot, Settings: st.Config.Settings}
}

// printMarkdown prints a report as Markdown, which is safe for a terminal, or
// with --json an object that holds it.
func (r *run) printMarkdown(of *report.Report) error {
	text, _ := of.Markdown()
	if r.flags.json {
		return r.printJSON(object{{"markdown", text}})
	}
	return r.write([]byte(text))
}

// object is a JSON object whose members keep their order.
type object []member

// member is a member of a JSON object.
type member struct {
	name  string
	value any
}

// MarshalJSON returns the object as JSON.
func (o object) MarshalJSON() ([]byte, error) { return encoded(o) }

// encoded returns a value as JSON without spaces.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	w := jsonWriter{&b, json.NewEncoder(&b)}
	w.others.SetEscapeHTML(false)
	err := w.write(value)
	return b.Bytes(), err
}

// jsonWriter writes objects member by member: encoding/json would read again, at
// each level, all that an object's MarshalJSON returns.
type jsonWriter struct {
	*bytes.Buffer
	others *json.Encoder // of all other values
}

// write writes a value.
func (w jsonWriter) write(value any) error {
	switch value := value.(type) {
	case object:
		w.WriteByte('{')
		for i, m := range value {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteByte('"')
			w.WriteString(m.name) // no name has a character to escape
			w.WriteString(`":`)
			if err := w.write(m.value); err != nil {
				return err
			}
		}
		w.WriteByte('}')
	case []object:
		w.WriteByte('[')
		for i, o := range value {
			if i > 0 {
				w.WriteByte(',')
			}
			if err := w.write(o); err != nil {
				return err
			}
		}
		w.WriteByte(']')
	case elements:
		w.WriteByte('[')
		first := true
		for o := range value {
			if !first {
				w.WriteByte(',')
			}
			first = false
			if err := w.write(o); err != nil {
				return err
			}
		}
		w.WriteByte(']')
	case int:
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(value), 10))
	case bool:
		w.Write(strconv.AppendBool(w.AvailableBuffer(), value))
	default:
		if err := w.others.Encode(value); err != nil {
			return err
		}
		w.Truncate(w.Len() - 1) // its line break
	}
	return nil
}

// array returns the values of each element of a list, never nil.
func array[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// elements are the objects of a list of JSON that are made while they are written.
type elements = iter.Seq[object]

// each is array for a list that may be long: each element is made when it is written.
func each[T any](list []T, of func(T) object) elements {
	return func(yield func(object) bool) {
		for _, x := range list {
			if !yield(of(x)) {
				return
			}
		}
	}
}

// notNull returns a list for JSON, which is [] instead of null.
func notNull[T any](list []T) []T { return append([]T{}, list...) }

// rankOrNull returns a rank for JSON: null for 0, which is none.
func rankOrNull(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}

// printJSONLine writes one value on one line.
func (r *run) printJSONLine(value any) error {
	text, err := encoded(value)
	if err != nil {
		return outputError(err)
	}
	return r.writeJSON(append(text, '\n'))
}

// printJSON writes one value, indented by two spaces, and a newline.
func (r *run) printJSON(value any) error {
	p := piecewise{run: r}
	p.value(value, "")
	p.piece.WriteByte('\n')
	p.flush()
	return p.err
}

// piecewise writes an indented value in pieces: elements are written one by one, so
// that of a long list only one is there at a time.
type piecewise struct {
	run   *run
	piece bytes.Buffer
	err   error // the first
}

// value writes a value whose lines but the first begin with a prefix.
func (p *piecewise) value(value any, prefix string) {
	inner := prefix + "  "
	switch value := value.(type) {
	case object:
		p.list('{', '}', prefix, func(next func()) {
			for _, m := range value {
				next()
				p.piece.WriteString(`"` + m.name + `": `)
				p.value(m.value, inner)
			}
		})
	case elements:
		p.list('[', ']', prefix, func(next func()) {
			for o := range value {
				next()
				p.indented(o, inner)
				p.flush()
				if p.err != nil {
					return
				}
			}
		})
	default:
		p.indented(value, prefix)
	}
}

// list writes what add adds between two brackets; add calls next before each element.
func (p *piecewise) list(open, close byte, prefix string, add func(next func())) {
	p.piece.WriteByte(open)
	some := false
	add(func() {
		if some {
			p.piece.WriteByte(',')
		}
		some = true
		p.piece.WriteString("\n" + prefix + "  ")
	})
	if some {
		p.piece.WriteString("\n" + prefix)
	}
	p.piece.WriteByte(close)
}

// indented writes a value that is small: a long list is of elements, which value writes
// one by one.
func (p *piecewise) indented(value any, prefix string) {
	text, err := encoded(value)
	if err == nil {
		err = json.Indent(&p.piece, text, prefix, "  ")
	}
	if err != nil && p.err == nil {
		p.err = outputError(err)
	}
}

// flush writes the piece.
func (p *piecewise) flush() {
	if p.err == nil {
		p.err = p.run.writeJSON(p.piece.Bytes())
	}
	p.piece.Reset()
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
