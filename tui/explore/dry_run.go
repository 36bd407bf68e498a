package explore

import (
	"encoding/json"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// dryRun is the pane that runs a call through the gates. It keeps the arguments
// of each tool, so that selecting another tool loses nothing.
type dryRun struct {
	tool    *model.Tool
	other   bool // call in the way that a model would not; see viaBridge
	trace   engine.Trace
	typed   map[string]string // arguments text by qualified name
	list    ui.Window
	version uint64
}

// keptArguments is the number of tools whose arguments are kept.
const keptArguments = 500

// argumentsOf returns the arguments of a tool: the typed text, else an example
// with the required parameters.
func (p *dryRun) argumentsOf(t *model.Tool, example func(*model.Tool) string) string {
	if text, ok := p.typed[t.Qualified]; ok {
		return text
	}
	return example(t)
}

// keep remembers the arguments typed for the tool.
func (p *dryRun) keep(text string) {
	if p.tool == nil {
		return
	}
	if len(p.typed) >= keptArguments {
		clear(p.typed)
	}
	if p.typed == nil {
		p.typed = map[string]string{}
	}
	p.typed[strings.Clone(p.tool.Qualified)] = text // not a part of the registry file, which it would keep
}

// run checks the call against the gates of the snapshot.
func (p *dryRun) run(s *engine.Snapshot, t *model.Tool, text string) {
	p.version++
	p.tool = t
	p.trace = engine.Trace{}
	p.list.Top = 0
	if s == nil || t == nil {
		return
	}
	args := engine.ArgumentsOf(text)
	if p.viaBridge(s) {
		p.trace = s.Call(t.Qualified, args)
	} else {
		p.trace = s.Direct(t.Qualified, args)
	}
}

// viaBridge reports whether the call is a tool_call. A model uses tool_call for
// tools behind the bridge and calls all others by name; with other set, the
// call does the opposite.
func (p *dryRun) viaBridge(s *engine.Snapshot) bool {
	behind := s.Active() && (p.tool == nil || s.Class(p.tool) == engine.Deferrable)
	return behind != p.other
}

// title returns the heading of the pane and its note.
func (p *dryRun) title(s *engine.Snapshot) (heading, note string) {
	note = "direct call"
	if s != nil && p.viaBridge(s) {
		note = engine.ToolCall
	}
	if s != nil && s.Strict {
		note += ", strict"
	}
	return "dry run", note
}

// move scrolls by lines.
func (p *dryRun) move(by int) {
	p.version++
	p.list.Top = max(0, p.list.Top+by)
}

// draw returns exactly h lines of w cells: the verdict, the gates, and the
// answer that the model would get. The caller draws the line of the arguments.
func (p *dryRun) draw(t *ui.Theme, w, h int) []string {
	if p.tool == nil {
		return ui.Centered(t, w, h, "select a tool to dry-run a call")
	}
	lines := p.lines(t, w, h)
	p.list.Clamp(h, len(lines))
	lines = lines[p.list.Top:]
	return ui.FitLines(lines, w, h)
}

// lines draws the whole trace, for a pane of h lines. Where the gates do not have a line
// each, the reason of the gate that denies the call stands above them, so that it is
// seen in the smallest pane.
func (p *dryRun) lines(t *ui.Theme, w, h int) []string {
	out := p.verdictLines(t, w)
	if each := p.eachGate(t, w); len(out)+len(each)+modelRoom <= h {
		out = append(out, each...)
	} else {
		denied, others := p.reasonLines(t, w)
		out = slices.Concat(out, denied, p.gateLines(t, w), others)
	}
	return append(out, p.modelLines(t, w, h-len(out))...)
}

// verdictLines draws whether the call is allowed, and which gate denies it.
func (p *dryRun) verdictLines(t *ui.Theme, w int) []string {
	var l cells.Line
	l.Start(w)
	if p.trace.Authorized {
		l.Text(t.Badge, " ALLOWED ")
		if len(p.trace.Warnings) > 0 {
			l.Text(t.Warn, " although "+p.trace.Warnings[0].String())
			return []string{l.End()}
		}
		l.Text(t.Faint, " "+p.trace.Message)
		return []string{l.End()}
	}
	l.Text(t.Stale, " DENIED ")
	l.Text(t.Text, " "+p.trace.Code)
	var out []string
	gate := " at gate " + string(p.trace.Gate)
	if l.Room() < cells.Width(gate) {
		out = append(out, l.End())
		l.Start(w)
	}
	l.Text(t.Faint, gate)
	return append(out, l.End())
}

// modelRoom is the fewest lines that the answer to the model needs when each
// gate gets its own line.
const modelRoom = 2

// eachGate draws every gate with its explanation, each starting on its own
// line.
func (p *dryRun) eachGate(t *ui.Theme, w int) []string {
	column, verdict := 0, 0
	for _, step := range p.trace.Steps {
		word, _ := verdictWord(t, step.Verdict)
		column, verdict = max(column, cells.Width(step.Gate)), max(verdict, cells.Width(word))
	}
	var out []string
	var l cells.Line
	for _, step := range p.trace.Steps {
		word, style := verdictWord(t, step.Verdict)
		name, detail := t.Text, t.Faint
		switch {
		case step.Verdict == engine.Skip:
			name = t.Faint
		case p.worthSaying(step):
			detail = t.Text
		}
		l.Start(w)
		l.Cell(style, word, min(verdict, l.Room()))
		l.Gap(1)
		l.Cell(name, step.Gate, min(column, l.Room()))
		for i, text := range cells.Wrap(step.Detail, max(8, w-column-verdict-3)) {
			if i > 0 {
				out = append(out, l.End())
				l.Start(w)
			}
			l.To(column + verdict + 3)
			l.Text(detail, text)
		}
		out = append(out, l.End())
	}
	return out
}

// worthSaying reports whether a gate has an explanation besides its verdict:
// why it fails or warns, what it converted, what it could not check, or which
// hooks would see the call.
func (p *dryRun) worthSaying(step engine.Step) bool {
	switch step.Verdict {
	case engine.Fail, engine.Warn:
		return true
	case engine.Skip:
		return step.Detail != ""
	}
	return step.Gate == "schema" && p.trace.Partial || step.Gate == "arguments" && len(p.trace.Coerced) > 0
}

// gateLines draws every gate with its verdict, as many on a line as fit.
func (p *dryRun) gateLines(t *ui.Theme, w int) []string {
	var out []string
	var l cells.Line
	l.Start(w)
	for i, step := range p.trace.Steps {
		word, style := verdictWord(t, step.Verdict)
		need := cells.Width(word) + 1 + cells.Width(step.Gate)
		if i > 0 {
			if l.Room() < need+2 {
				out = append(out, l.End())
				l.Start(w)
			} else {
				l.Gap(2)
			}
		}
		l.Text(style, word)
		name := t.Text
		if step.Verdict == engine.Skip {
			name = t.Faint
		}
		l.Text(name, " "+step.Gate)
	}
	return append(out, l.End())
}

// verdictWord returns the text and the style of a verdict. The text alone is
// enough to tell verdicts apart.
func verdictWord(t *ui.Theme, v engine.Verdict) (string, cells.Style) {
	switch v {
	case engine.Pass:
		return "ok", t.Ok
	case engine.Warn:
		return "warn", t.Warn
	case engine.Fail:
		return "NO", t.Bad
	default:
		return "--", t.Faint
	}
}

// reasonLines draws the explanations of the gates: of the one that denies the call, and
// of the others.
func (p *dryRun) reasonLines(t *ui.Theme, w int) (denied, others []string) {
	var l cells.Line
	for _, step := range p.trace.Steps {
		if !p.worthSaying(step) {
			continue
		}
		word, style := verdictWord(t, step.Verdict)
		indent := cells.Width(word) + 1
		for i, text := range cells.Wrap(step.Detail, max(1, w-indent)) {
			l.Start(w)
			if i == 0 {
				l.Text(style, word+" ")
			} else {
				l.Gap(indent)
			}
			l.Text(t.Text, text)
			if step.Verdict == engine.Fail && step.Gate == string(p.trace.Gate) {
				denied = append(denied, l.End())
			} else {
				others = append(others, l.End())
			}
		}
	}
	return denied, others
}

// modelLines draws the answer that the model would get: indented over several
// lines when they fit into room, else as it is sent.
func (p *dryRun) modelLines(t *ui.Theme, w, room int) []string {
	const heading = "model sees "
	text := cells.Wrap(safetext.Lines(indented(p.trace.ModelSees)), w)
	if len(text)+1 <= room {
		text = append([]string{heading}, text...)
	} else {
		text = cells.Wrap(heading+safetext.Line(string(p.trace.ModelSees)), w)
	}
	out := make([]string, len(text))
	var l cells.Line
	for i, line := range text {
		l.Start(w)
		if rest, ok := strings.CutPrefix(line+" ", heading); ok && i == 0 {
			l.Text(t.Faint, heading)
			line = rest
		}
		l.Text(t.Text, line)
		out[i] = l.End()
	}
	return out
}

// indented returns JSON over several lines.
func indented(raw json.RawMessage) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(raw); err != nil {
		return string(raw)
	}
	return strings.TrimRight(b.String(), "\n")
}
