package runner

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	v1 "github.com/go-json-experiment/json/v1"
	"github.com/spf13/pflag"
)

// pageWidth is the width of text in cells where the terminal does not say one.
const pageWidth = 100

// Print prints a report for a person.
func (r *Run) Print(text *report.Report) { r.PrintWithin(text, math.MaxInt) }

// PrintWithin prints a report for a person, no wider than most cells.
func (r *Run) PrintWithin(text *report.Report, most int) {
	p := report.Page{Out: r.Out, Width: pageWidth}
	if r.Env.StdoutTerminal && r.Env.Width > 0 {
		p.Width = max(r.Env.Width, 40)
	}
	p.Width = min(p.Width, most)
	noColor, _ := r.Env.Lookup("NO_COLOR")
	term, _ := r.Env.Lookup("TERM")
	p.Styled = r.Env.StdoutTerminal && noColor == "" && term != "dumb" && r.Flags.Theme != "plain"
	p.Print(text)
}

// Say prints one line for a person.
func (r *Run) Say(parts ...any) { r.Print(OneLine(parts...)) }

// OneLine returns a report of one line.
func OneLine(parts ...any) *report.Report {
	text := new(report.Report)
	text.Line(parts...)
	return text
}

// CaseOf returns what a report for an issue depends on, for a state.
func CaseOf(st workbench.State) report.Case {
	return report.Case{Program: report.Program(), Snapshot: st.Snapshot, Posture: st.Files.Posture, Settings: st.Config.Settings}
}

// PrintJSONLine writes one value on one line.
func (r *Run) PrintJSONLine(value any) error {
	text, err := json.Marshal(value, jsonOptions)
	if err != nil {
		return err
	}
	return r.WriteJSON(append(text, '\n'))
}

// PrintJSON writes one value as writeIndented does.
func (r *Run) PrintJSON(value any) error {
	var fault error // which the encoder puts into other words
	err := writeIndented(Writer(func(text []byte) (int, error) {
		fault = r.WriteJSON(text)
		return len(text), fault
	}), value)
	return cmp.Or(fault, err)
}

// WriteJSON writes JSON text. Nothing in it acts on a terminal, whoever reads
// it in the end; on a terminal it also masks what text masks.
func (r *Run) WriteJSON(text []byte) error {
	if r.Env.StdoutTerminal {
		return r.Write(safetext.EscapeMasked(text))
	}
	return r.Write(safetext.EscapeUnseen(text))
}

// Write writes bytes that are safe for a terminal.
func (r *Run) Write(b []byte) error {
	if _, err := r.Out.Write(b); err != nil {
		return OutputError(err)
	}
	return nil
}

// DiagnosticsJSON returns errors or warnings of input files for JSON. Line 0 is
// unknown. The path of a finding is part of its message, as in text.
func DiagnosticsJSON(list []model.Diagnostic) []Object {
	return Array(list, func(d model.Diagnostic) Object {
		message := d.Message
		if d.Path != "" {
			message = d.Path + ": " + message
		}
		return Object{{"file", d.File}, {"line", d.Line}, {"col", d.Col}, {"code", d.Code}, {"message", message}}
	})
}

// WriteFile makes a file or replaces the content of one, in one step; a file of a flag only while it is
// as it was when the command began. A path that is no regular file, as a pipe or /dev/stdout, is
// written to.
func (r *Run) WriteFile(name string, data []byte) error {
	done, err := writeThrough(name, data)
	if !done {
		was, held := r.before(name)
		var old []byte
		if old, err = workbench.ReadFile(name); err == nil && (old == nil || !bytes.Equal(old, data)) {
			if held {
				old = was
			}
			err = workbench.PutFile(name, old, data)
		}
	}
	if err != nil {
		return FileError(name, err)
	}
	return nil
}

// WriteJSONFile is WriteFile for one value as PrintJSON prints it.
func (r *Run) WriteJSONFile(name string, value any) error {
	var out bytes.Buffer
	if err := writeIndented(&out, value); err != nil {
		return err
	}
	return r.WriteFile(name, safetext.EscapeUnseen(out.Bytes()))
}

// WriteOwnFile is WriteFile for what the user alone may read, also where others could
// read the file before.
func (r *Run) WriteOwnFile(name string, data []byte) error {
	err := CloseToOthers(name)
	if err == nil {
		var done bool
		if done, err = writeThrough(name, data); !done {
			was, held := r.before(name)
			_, _, err = workbench.RewriteFile(name, 0o600, func(now []byte) ([]byte, error) {
				if held && !bytes.Equal(was, now) && !bytes.Equal(now, data) {
					return nil, &workbench.ChangedError{Path: name, Data: now}
				}
				return data, nil
			})
		}
	}
	if err != nil {
		return FileError(name, err)
	}
	return nil
}

// CloseToOthers takes a regular file from all but its owner, before it is written: the new
// content has the mode of the old.
func CloseToOthers(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return nil // a missing one is made so
	}
	return os.Chmod(name, info.Mode().Perm()&0o700)
}

// writeThrough writes to a path that is no regular file, and to a standard stream also where
// that goes into one: another file in its place would lose the output. Done is false for
// every other path.
func writeThrough(name string, data []byte) (done bool, err error) {
	stream := os.Stdout
	switch filepath.Clean(name) {
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		stream = os.Stderr
		fallthrough
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		_, err = stream.Write(data)
		return true, err
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		return false, nil
	}
	return true, os.WriteFile(name, data, 0)
}

// hold reads the files that flags of a command name to be written, so that nothing is lost that another
// program saves there while the command works.
func (r *Run) hold(flags *pflag.FlagSet) {
	r.held = map[string][]byte{}
	flags.Visit(func(f *pflag.Flag) {
		if c, ok := f.Value.(*checked); ok && c.written {
			if data, err := workbench.ReadFile(c.text); err == nil {
				r.held[c.text] = data
			}
		}
	})
}

// before returns what a file of a flag had when the command began, nil where it was missing; once: what is
// written after that follows what the command wrote.
func (r *Run) before(name string) (data []byte, held bool) {
	data, held = r.held[name]
	delete(r.held, name)
	return data, held
}

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of a JSON object.
type Member = struct {
	Name  string
	Value any
}

// MarshalJSON returns the object as JSON, for encoders of encoding/json.
func (o Object) MarshalJSON() ([]byte, error) { return json.Marshal(o, jsonOptions) }

// Array returns the values of each element of a list, never nil.
//
//go:noinline // or each caller has a copy
func Array[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// Elements are the objects of a list of JSON that are made while they are written.
type Elements iter.Seq[Object]

// Each is array for a list that may be long: each element is made when it is written.
func Each[T any](list []T, of func(T) Object) Elements {
	return func(yield func(Object) bool) {
		for _, x := range list {
			if !yield(of(x)) {
				return
			}
		}
	}
}

// NotNull returns a list for JSON, which is [] instead of null.
func NotNull[T any](list []T) []T { return append([]T{}, list...) }

// OrNull returns a value for JSON, where one that stands for none is null: rank 0, an empty
// name.
func OrNull[T comparable](value T) any {
	var none T
	return NullUnless(value != none, value)
}

// NullUnless returns a value for JSON, null where it is not known.
func NullUnless(known bool, value any) any {
	if !known {
		return nil
	}
	return value
}

// ByWording returns an object of JSON for each class of wording: the class, how many queries
// it has, and the figures that of returns, which are null without a query.
func ByWording(of func(labels.WordClass) (queries int, figures Object)) []Object {
	return Array(labels.WordClasses, func(c labels.WordClass) Object {
		queries, figures := of(c)
		out := Object{{"class", c.String()}, {"queries", queries}}
		for _, m := range figures {
			out = append(out, Member{m.Name, NullUnless(queries > 0, m.Value)})
		}
		return out
	})
}

// jsonOptions are those of encoding/json, without the escapes for HTML.
var jsonOptions = json.JoinOptions(v1.DefaultOptionsV1(), jsontext.EscapeForHTML(false))

// writeIndented writes a value, indented by two spaces, and a newline. Of a long list of
// Elements only a few are there at a time.
func writeIndented(to io.Writer, value any) error {
	return json.MarshalEncode(jsontext.NewEncoder(to, jsonOptions, jsontext.WithIndent("  ")), value)
}

// MarshalJSONTo writes the object.
func (o Object) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := to.WriteToken(jsontext.String(m.Name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(to, m.Value); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndObject)
}

// MarshalJSONTo writes the list.
func (e Elements) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for o := range e {
		if err := o.MarshalJSONTo(to); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndArray)
}
