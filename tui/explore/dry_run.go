package explore

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// dryRun is the pane that runs a call through the gates. It keeps the arguments
// of each tool, so that selecting another tool loses nothing.
type dryRun struct {
	tool    *model.Tool
	other   bool // call in the way that a model would not; see viaBridge
	trace   engine.Trace
	example bool              // nobody typed the arguments: invented values stand for the required ones
	left    []string          // gates that are left out
	typed   map[string]string // arguments text by qualified name
	list    ui.Window
}

// keptArguments is the number of tools whose arguments are kept.
const keptArguments = 500

// argumentsOf returns the typed arguments of a tool, else an example with the required parameters.
func (p *dryRun) argumentsOf(t *model.Tool, example func(*model.Tool) string) string {
	if text, ok := p.typed[t.Qualified]; ok {
		return text
	}
	return example(t)
}

// run checks the call against the gates of the snapshot.
func (p *dryRun) run(s *engine.Snapshot, t *model.Tool, text string) {
	p.tool = t
	p.trace = engine.Trace{}
	p.list.Top = 0
	if s == nil || t == nil {
		return
	}
	p.left = s.WithoutGates()
	_, typed := p.typed[t.Qualified]
	p.example = !typed && text != "{}"
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

// open reports whether no gate denies the call, but perhaps one that judges invented values.
func (p *dryRun) open() bool {
	return p.trace.Authorized || p.example && (string(p.trace.Gate) == "arguments" || string(p.trace.Gate) == "schema")
}

// quiet reports whether the trace says no more than that the call is allowed.
func (p *dryRun) quiet() bool {
	return p.open() && len(p.trace.Leaked) == 0 && !slices.ContainsFunc(p.trace.Steps, p.worthSaying)
}

// draw returns exactly h lines of w cells; see lines. The caller draws the line of the
// arguments. folded draws the verdict alone where there is nothing else to say.
func (p *dryRun) draw(t *ui.Theme, w, h int, folded bool) []string {
	if p.tool == nil {
		p.list.Clamp(h, 0)
		return ui.Centered(t, w, h, "select a tool to dry-run a call")
	}
	lines := p.lines(t, w, h, folded)
	p.list.Clamp(h, len(lines))
	lines = lines[p.list.Top:]
	return ui.FitLines(lines, w, h)
}

// lines draws the whole trace, for a pane of h lines: the verdict, what the model is told
// and should send instead, the gates, and the answer in full where it is cut above. The
// model would never get an answer to invented values.
func (p *dryRun) lines(t *ui.Theme, w, h int, folded bool) []string {
	if folded && p.quiet() {
		return p.verdictLines(t, w)
	}
	out := p.verdictLines(t, w)
	invented := p.example && p.open()
	switch {
	case invented:
	case p.trace.Authorized: // what the model would see is the tool's, which does not run
		l := ui.StartLine(w, 0)
		l.Text(t.Faint, "would run  ")
		l.Text(t.Text, ui.Truncate(safetext.Line(cmp.Or(string(p.trace.RealName), p.trace.Name)+" "+string(p.trace.Arguments)), l.Room()))
		out = append(out, l.End())
	default:
		out = append(out, headed(t.Faint, "model sees ", t.Text, p.trace.Message, w)...)
		if c := p.trace.Correction; c != nil {
			out = append(out, headed(t.Faint, "next call  ", t.Text, report.NextCall(c.Call), w)...)
		}
	}
	if len(p.trace.Leaked) > 0 { // names outside the session's scope
		out = append(out, headed(t.Bad, "leak       ", t.Text, report.Textf("the agent would suggest %s, out of this session's scope; in scope: %s", report.Names(p.trace.Leaked, len(p.trace.Leaked)), report.Or(report.Names(p.trace.Instead, len(p.trace.Instead)), "none")).String(), w)...)
	}
	if each := p.eachGate(t, w); len(out)+len(each) <= h {
		out = append(out, each...)
	} else {
		var gates []string
		l := ui.StartLine(w, 0)
		for i, step := range p.trace.Steps {
			word, style := p.verdictWord(t, step)
			need := ui.Width(word) + 1 + ui.Width(step.Gate)
			if i > 0 {
				if l.Room() < need+2 {
					gates = append(gates, l.End())
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
		out = append(out, append(gates, l.End())...)
		for _, step := range p.trace.Steps { // except for what stands above
			if detail := p.detail(step); p.worthSaying(step) && detail != "" {
				word, style := p.verdictWord(t, step)
				out = append(out, headed(style, word+" ", t.Text, detail, w)...)
			}
		}
	}
	if invented || p.trace.Authorized {
		return out
	}
	// It is indented where that fits into the lines that are left, else as it is sent.
	room := h - len(out)
	indented := string(p.trace.ModelSees)
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(p.trace.ModelSees) == nil {
		indented = strings.TrimRight(b.String(), "\n")
	}
	text := ui.Wrap(safetext.Lines(indented), w)
	if len(text)+1 > room {
		text = ui.Wrap(safetext.Line(string(p.trace.ModelSees)), w)
	}
	l := ui.StartLine(w, 0)
	l.Text(t.Faint, "the whole answer")
	answer := []string{l.End()}
	for _, line := range text {
		l.Start(w)
		l.Text(t.Text, line)
		answer = append(answer, l.End())
	}
	return append(out, answer...)
}

// verdictLines draws whether the call is allowed, and which gate denies it.
func (p *dryRun) verdictLines(t *ui.Theme, w int) []string {
	l := ui.StartLine(w, 0)
	passed := 0 // those apart that judge invented values
	for _, step := range p.trace.Steps {
		if step.Verdict == engine.Pass && !p.unjudged(step) {
			passed++
		}
	}
	gates := " " + ui.Count(passed, "gate")
	if p.example && p.open() {
		l.Text(t.Text, strings.TrimSpace(gates)+" pass")
		l.Text(t.Faint, ui.Longest(l.Room(), "; the arguments are not typed yet", "; arguments not typed yet", "; no arguments yet"))
		return []string{l.End()}
	}
	if p.trace.Authorized {
		if len(p.trace.Warnings) > 0 {
			l.Text(t.Warn, " ALLOWED ") // no badge: the tool gets what does not fit
			l.Text(t.Warn, ui.Longest(l.Room(), " with wrong arguments, as the agent would; X refuses them", " with wrong arguments; X refuses them", " wrong arguments; X refuses", " with wrong arguments"))
			return []string{l.End()}
		}
		l.Text(t.Badge, " ALLOWED ")
		l.Text(t.Faint, gates)
		return []string{l.End()}
	}
	if p.trace.Code == engine.CodeNeedsApproval {
		l.Text(t.Warn, " ASKS FIRST ") // no badge: a person may let it pass
	} else {
		l.Text(t.Stale, " DENIED ")
	}
	l.Text(t.Text, " "+p.trace.Code)
	var out []string
	gate := " at gate " + string(p.trace.Gate)
	if l.Room() < ui.Width(gate) {
		out = append(out, l.End())
		l.Start(w)
	}
	l.Text(t.Faint, gate)
	return append(out, l.End())
}

// unjudged reports whether a gate says nothing, as the values that it judges are invented.
func (p *dryRun) unjudged(step engine.Step) bool {
	return p.example && (step.Gate == "arguments" || step.Gate == "schema") && p.open()
}

// eachGate draws every gate with its explanation, each starting on its own line. The
// reason of the gate that denies the call stands above.
func (p *dryRun) eachGate(t *ui.Theme, w int) []string {
	column, verdict := 0, 0
	for _, step := range p.trace.Steps {
		word, _ := p.verdictWord(t, step)
		column, verdict = max(column, ui.Width(step.Gate)), max(verdict, ui.Width(word))
	}
	var out []string
	var l ui.Line
	for _, step := range p.trace.Steps {
		word, style := p.verdictWord(t, step)
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
		for i, text := range ui.Wrap(p.detail(step), max(8, w-column-verdict-3)) {
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
	if p.unjudged(step) {
		return false
	}
	switch step.Verdict {
	case engine.Fail, engine.Warn:
		return true
	case engine.Skip:
		return step.Detail != ""
	}
	return p.leftOut(step) || step.Gate == "schema" && p.trace.Partial || step.Gate == "arguments" && len(p.trace.Coerced) > 0
}

// leftOut reports whether a gate passed because it is left out.
func (p *dryRun) leftOut(step engine.Step) bool {
	return step.Verdict == engine.Pass && slices.Contains(p.left, step.Gate)
}

// verdictWord returns what a gate decided, and its style. A gate that is left out decided nothing.
func (p *dryRun) verdictWord(t *ui.Theme, step engine.Step) (string, ui.Style) {
	if p.leftOut(step) {
		return "left out", t.Warn
	}
	if p.unjudged(step) {
		return verdictWord(t, engine.Skip)
	}
	return verdictWord(t, step.Verdict)
}

// verdictWord returns the text and the style of a verdict.
func verdictWord(t *ui.Theme, v engine.Verdict) (string, ui.Style) {
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

// detail returns the explanation of a gate: none where it is the verdict's.
func (p *dryRun) detail(step engine.Step) string {
	switch {
	case p.unjudged(step):
		return "its values are not typed yet"
	case step.Verdict == engine.Fail && step.Gate == string(p.trace.Gate):
		return ""
	case p.leftOut(step):
		return "everything passes"
	}
	return step.Detail
}

// headed draws a text that is wrapped beside its heading.
func headed(head ui.Style, heading string, style ui.Style, text string, w int) []string {
	indent := ui.Width(heading)
	var out []string
	var l ui.Line
	for i, line := range ui.Wrap(text, max(1, w-indent)) {
		l.Start(w)
		if i == 0 {
			l.Text(head, heading)
		} else {
			l.Gap(indent)
		}
		l.Text(style, line)
		out = append(out, l.End())
	}
	return out
}
