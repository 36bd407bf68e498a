package tui

import (
	"encoding/json"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// dryRun is the pane that takes a call through the gates. Arguments are kept
// per tool, so that looking at another tool loses nothing.
type dryRun struct {
	tool    *model.Tool
	other   bool // the way that a model would not take: see viaBridge
	trace   engine.Trace
	typed   map[string]string // arguments text by qualified name
	list    window
	version uint64
}

// keptArguments bounds how many tools' arguments are remembered.
const keptArguments = 500

// argumentsOf returns the text to edit for a tool: what was typed, else an
// example with its required parameters.
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
	p.typed[p.tool.Qualified] = text
}

// run takes the call through the gates of the snapshot.
func (p *dryRun) run(s *engine.Snapshot, t *model.Tool, text string) {
	p.version++
	p.tool = t
	p.trace = engine.Trace{}
	p.list.top = 0
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

// viaBridge reports whether the call is tool_call. A model uses it for what is
// behind the bridge and calls all else by name; with other set, it errs.
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
	p.list.top = max(0, p.list.top+by)
}

// draw returns exactly h lines of w cells: the verdict, the gates, and what
// the model would see. The line of the arguments is the caller's.
func (p *dryRun) draw(t *Theme, w, h int) []string {
	if p.tool == nil {
		return message(t, w, h, "select a tool to dry-run a call")
	}
	lines := p.lines(t, w, h)
	p.list.clamp(h, len(lines))
	lines = lines[p.list.top:]
	return filled(lines, w, h)
}

// lines draws the whole trace, for a pane of h lines.
func (p *dryRun) lines(t *Theme, w, h int) []string {
	var out []string
	var l cells.Line
	l.Start(w)
	if p.trace.Authorized {
		l.Text(t.Badge, " ALLOWED ")
		l.Text(t.Faint, " "+p.trace.Message)
	} else {
		l.Text(t.Stale, " DENIED ")
		l.Text(t.Text, " "+p.trace.Code)
		l.Text(t.Faint, " at gate "+string(p.trace.Gate))
	}
	out = append(out, l.End())
	if each := p.eachGate(t, w); len(out)+len(each)+modelRoom <= h {
		out = append(out, each...)
	} else {
		out = append(out, p.gateLines(t, w)...)
		out = append(out, p.reasonLines(t, w)...)
	}
	return append(out, p.modelLines(t, w, h-len(out))...)
}

// modelRoom is how many lines what the model would see has at least, for the
// gates to have a line each.
const modelRoom = 2

// eachGate draws every gate on a line of its own, or more, with what it says.
func (p *dryRun) eachGate(t *Theme, w int) []string {
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

// worthSaying reports whether a gate has more to say than its verdict: why it
// fails or warns, what it converted, what it could not check, and which hooks
// would see the call.
func (p *dryRun) worthSaying(step engine.Step) bool {
	switch step.Verdict {
	case engine.Fail, engine.Warn:
		return true
	case engine.Skip:
		return step.Detail != ""
	}
	return step.Gate == "schema" && p.trace.Partial || step.Gate == "arguments" && len(p.trace.Coerced) > 0
}

// gateLines draws every gate with its verdict, as many to a line as fit.
func (p *dryRun) gateLines(t *Theme, w int) []string {
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

// verdictWord is the word for a verdict; colour is never the only sign.
func verdictWord(t *Theme, v engine.Verdict) (string, cells.Style) {
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

// reasonLines draws what gates have to say, where only their verdicts are
// drawn.
func (p *dryRun) reasonLines(t *Theme, w int) []string {
	var out []string
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
			out = append(out, l.End())
		}
	}
	return out
}

// modelLines draws what the model would be told: over several lines where
// there is room for them, else as the model gets it.
func (p *dryRun) modelLines(t *Theme, w, room int) []string {
	const heading = "model sees "
	text := cells.Wrap(model.SanitizeText(indented(p.trace.ModelSees)), w)
	if len(text)+1 <= room {
		text = append([]string{heading}, text...)
	} else {
		text = cells.Wrap(heading+model.Sanitize(string(p.trace.ModelSees)), w)
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
