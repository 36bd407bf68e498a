package lint

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"caliper/engine/whatif"
	"caliper/model"
)

// noTool is the place of no tool.
const noTool = -1

// The types below mirror the elements of a report with a tool's place in its
// registry instead of the tool.
type (
	keptFinding struct {
		Code     Code
		Severity Severity
		Tool     int
		Message  string
		Remedy   *keptRemedy
	}
	keptRemedy struct {
		Change                    string
		Edits                     []keptEdit
		Query                     string
		Subject                   int
		RankBefore, RankAfter     int
		Enters                    bool
		Displaced                 int
		TokensBefore, TokensAfter int
	}
	keptEdit struct {
		Tool              int
		Name, Description *string
		Parameters        []byte // as bytes, for JSON within JSON would lose its white space
		Remove            bool
	}
	keptReach struct {
		Tool                       int
		Name, Sentence, Parameters keptProbe
	}
	keptProbe struct {
		Query   string
		Rank    int
		Found   bool
		Shadows []int
	}
)

// Kept returns what writes the report about a registry, from which ReadReport makes it
// again. Writing fails when that would be another report: when a text is not UTF-8, which
// JSON cannot hold, or when a tool is none of the registry.
func (r Report) Kept(of *model.Registry) io.WriterTo { return &reportWriter{r: r, of: of} }

// errNotKept reports a report that cannot be read again as it is.
var errNotKept = errors.New("a report that JSON cannot hold")

// WriteTo writes the report. The elements are written one by one: all of them as kept
// types, or as one text, would be the most memory that lint takes.
func (w *reportWriter) WriteTo(to io.Writer) (int64, error) {
	w.to = bufio.NewWriterSize(to, 1<<16)
	w.print(`{"Findings":`)
	writeList(w, w.r.Findings, w.finding)
	w.print(`,"Reach":`)
	writeList(w, w.r.Reach, w.reach)
	w.print(fmt.Sprintf(`,"Limit":%d,"Untried":%d}`, w.r.Limit, w.r.Untried))
	if w.failed {
		return w.size, errNotKept
	}
	return w.size, w.to.Flush()
}

// print writes a text. The buffer keeps an error until it is flushed.
func (w *reportWriter) print(text string) {
	w.to.WriteString(text)
	w.size += int64(len(text))
}

// writeList writes what f makes of every element as JSON; null for nil.
func writeList[A, B any](w *reportWriter, list []A, f func(A) B) {
	if list == nil {
		w.print("null")
		return
	}
	w.print("[")
	for i, a := range list {
		if i > 0 {
			w.print(",")
		}
		element, err := json.Marshal(f(a))
		if w.failed = w.failed || err != nil; w.failed {
			return
		}
		w.print(string(element))
	}
	w.print("]")
}

// mapped returns what f makes of every element; nil of nil.
func mapped[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// reportWriter takes the places of tools. It has failed when a tool has none, or when a
// text cannot be kept.
type reportWriter struct {
	r      Report
	of     *model.Registry
	to     *bufio.Writer
	size   int64
	failed bool
}

// place returns the place of a tool in the registry; noTool for nil.
func (w *reportWriter) place(t *model.Tool) int {
	if t == nil {
		return noTool
	}
	w.failed = w.failed || t.Index < 0 || t.Index >= len(w.of.Tools) || w.of.Tools[t.Index] != t
	return t.Index
}

// text returns a text as it is.
func (w *reportWriter) text(s string) string {
	w.failed = w.failed || !utf8.ValidString(s)
	return s
}

// part returns a part of an edit as it is; nil for nil.
func (w *reportWriter) part(s *string) *string {
	if s != nil {
		w.text(*s)
	}
	return s
}

func (w *reportWriter) finding(f Finding) keptFinding {
	k := keptFinding{Code: f.Code, Severity: f.Severity, Tool: w.place(f.Tool), Message: w.text(f.Message)}
	if m := f.Remedy; m != nil {
		k.Remedy = &keptRemedy{
			Change: w.text(m.Change), Query: w.text(m.Query), Subject: w.place(m.Subject),
			RankBefore: m.RankBefore, RankAfter: m.RankAfter, TokensBefore: m.TokensBefore, TokensAfter: m.TokensAfter,
			Enters: m.Enters, Displaced: w.place(m.Displaced),
			Edits: mapped(m.Edits, func(e whatif.Edit) keptEdit {
				return keptEdit{w.place(e.Tool), w.part(e.Name), w.part(e.Description), e.Parameters, e.Remove}
			}),
		}
	}
	return k
}

func (w *reportWriter) reach(r Reach) keptReach {
	probe := func(p Probe) keptProbe {
		return keptProbe{w.text(p.Query), p.Rank, p.Found, mapped(p.Shadows, w.place)}
	}
	w.failed = w.failed || r.Tool == nil
	return keptReach{w.place(r.Tool), probe(r.Name), probe(r.Sentence), probe(r.Parameters)}
}

// errNoReport is the error that bytes are no report.
var errNoReport = errors.New("not the bytes of a report")

// ReadReport returns the report from what Kept wrote for the same registry. It does not
// trust that: a report that it returns names tools of the registry only. The elements are
// read one by one, as they are written.
func ReadReport(of *model.Registry, from io.Reader) (Report, error) {
	r := reportReader{of: of, from: json.NewDecoder(from)}
	var report Report
	r.expect(json.Delim('{'))
	for !r.failed && r.from.More() {
		switch r.token() {
		case "Findings":
			report.Findings = readList(&r, r.finding)
		case "Reach":
			report.Reach = readList(&r, r.reach)
		case "Limit":
			r.decode(&report.Limit)
		case "Untried":
			r.decode(&report.Untried)
		default:
			r.failed = true
		}
	}
	r.expect(json.Delim('}'))
	if _, err := r.from.Token(); r.failed || err != io.EOF {
		return Report{}, errNoReport
	}
	return report, nil
}

// readList reads a list, of whose elements f makes those that it returns; nil for null.
func readList[A, B any](r *reportReader, f func(A) B) []B {
	start := r.token()
	if start == nil {
		return nil
	}
	r.failed = r.failed || start != json.Delim('[')
	list := []B{}
	for !r.failed && r.from.More() {
		var a A
		r.decode(&a)
		list = append(list, f(a))
	}
	r.expect(json.Delim(']'))
	return list
}

// reportReader finds tools by their places. It has failed when no tool has the
// place that is read, or when the input is not a report.
type reportReader struct {
	of     *model.Registry
	from   *json.Decoder
	failed bool
}

// token returns the next token; nil for null and after the last one.
func (r *reportReader) token() json.Token {
	t, err := r.from.Token()
	r.failed = r.failed || err != nil
	return t
}

// expect reads a token, which is to be a certain one.
func (r *reportReader) expect(want json.Token) {
	got := r.token()
	r.failed = r.failed || got != want
}

// decode reads a value.
func (r *reportReader) decode(into any) {
	err := r.from.Decode(into)
	r.failed = r.failed || err != nil
}

// tool returns the tool at a place; nil for noTool.
func (r *reportReader) tool(at int) *model.Tool {
	if at < noTool || at >= len(r.of.Tools) {
		r.failed = true
		return nil
	}
	if at == noTool {
		return nil
	}
	return r.of.Tools[at]
}

func (r *reportReader) finding(k keptFinding) Finding {
	f := Finding{Code: k.Code, Severity: k.Severity, Tool: r.tool(k.Tool), Message: k.Message}
	if m := k.Remedy; m != nil {
		f.Remedy = &Remedy{
			Change: m.Change, Query: m.Query, Subject: r.tool(m.Subject),
			RankBefore: m.RankBefore, RankAfter: m.RankAfter, TokensBefore: m.TokensBefore, TokensAfter: m.TokensAfter,
			Enters: m.Enters, Displaced: r.tool(m.Displaced),
			Edits: mapped(m.Edits, func(e keptEdit) whatif.Edit {
				return whatif.Edit{Tool: r.tool(e.Tool), Name: e.Name, Description: e.Description, Parameters: e.Parameters, Remove: e.Remove}
			}),
		}
	}
	return f
}

func (r *reportReader) reach(k keptReach) Reach {
	tool := r.tool(k.Tool)
	r.failed = r.failed || tool == nil
	probe := func(p keptProbe) Probe {
		return Probe{p.Query, p.Rank, p.Found, mapped(p.Shadows, func(at int) *model.Tool {
			r.failed = r.failed || at == noTool
			return r.tool(at)
		})}
	}
	return Reach{tool, probe(k.Name), probe(k.Sentence), probe(k.Parameters)}
}
