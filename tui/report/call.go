package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

// Call returns the report of a dry run: every gate, and the answer to the
// model.
func Call(t engine.Trace) *Report {
	r := new(Report)
	r.Head(Or(Name(t.Name), "(no name)"), "dry run in session %s, %s", Name(t.Session), string(t.Generation))
	r.Blank()
	gates := Columns("", "", "¶")
	for _, s := range t.Steps {
		verdict := string(s.Verdict)
		if s.Verdict == engine.Fail || s.Verdict == engine.Warn { // which stands out without colour
			verdict = strings.ToUpper(verdict)
		}
		gates.Row(verdict, s.Gate, Sentence(s.Detail))
		gates.rows[len(gates.rows)-1].faint = s.Verdict == engine.Skip
	}
	r.Table(gates)
	r.Blank()
	switch {
	case t.Authorized:
		r.Line(Strong("authorized"))
	case t.Code == engine.CodeNeedsApproval:
		r.Line(Strong("waits for approval"), Textf(" at gate %s: %s", Name(t.Gate), Name(t.Code)))
	default:
		r.Line(Strong("refused"), Textf(" at gate %s: %s", Name(t.Gate), Name(t.Code)))
	}
	r.Indented(2, "%s", Sentence(t.Message))
	if c := t.Correction; c != nil { // the call to send in place of the one that is refused
		r.Blank()
		r.Line(Strong("next call"), Faint("  %s", Corrections[c.Kind]))
		r.Fence("", NextCall(c.Call)) // one line, to be copied
	}
	for _, c := range t.Corrections {
		r.Blank()
		r.Line(Strong("next call"), Faint("  for %s: %s", Name(c.Name), Corrections[c.Kind]))
		r.Fence("", NextCall(c.Call))
	}
	if len(t.Leaked) > 0 {
		r.Blank()
		r.Line(Strong("the agent leaks"), Faint("  %s out of the session's scope, which it suggests here", Count(len(t.Leaked), "name")))
		r.Indented(2, "%s", Names(t.Leaked, len(t.Leaked)))
		r.Indented(2, "in scope: %s", Or(Names(t.Instead, len(t.Instead)), "none"))
	}
	r.Blank()
	r.Line(Faint("the model sees"))
	r.Fence("json", string(safetext.EscapeMasked(t.ModelSees))) // one line, to be copied
	return r
}

// Call returns the report of a dry run for an issue, with what the tool would receive. The
// arguments are as the model sent them, nil for none; direct is a call by name, without the bridge.
func (c Case) Call(given json.RawMessage, direct bool, t engine.Trace) *Report {
	r := new(Report)
	if given == nil {
		r.Say("The model sends no arguments.")
	} else {
		r.Fence("json", Indented(given))
	}
	r.Add(Call(t))
	if len(t.Coerced) > 0 || len(t.Warnings) > 0 {
		r.Heading(3, "The tool would receive")
		r.Fence("json", Indented(t.Arguments))
		changes := Columns("argument", "given", "coerced")
		for _, one := range t.Coerced {
			changes.Row(Name(one.Path), Name(string(one.Given)), Name(string(one.Coerced)))
		}
		if len(t.Coerced) > 0 {
			r.Table(changes)
		}
	}
	arguments := string(given)
	var compact bytes.Buffer
	if strings.ContainsAny(arguments, "\r\n") && json.Compact(&compact, given) == nil {
		arguments = compact.String() // on one line
	}
	command := c.Command("call", t.Name, arguments)
	if direct {
		command.add("--direct")
	}
	return c.Issue("caliper call", r, command)
}

// Indented returns JSON over several lines, and text that is not JSON
// unchanged.
func Indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// Warning returns a diagnostic in one line, with the names of files instead of
// their paths.
func Warning(d model.Diagnostic) string {
	if d.File != "" {
		name := workbench.ShortName(d.File)
		d.Message, d.File = strings.ReplaceAll(d.Message, d.File, name), name
	}
	return safetext.Line(d.Error())
}

// Verdict returns what a dry run decided, in words, and how good that is.
func Verdict(t engine.Trace) (string, Level) {
	switch {
	case t.Code == engine.CodeNeedsApproval:
		return "ASKS FIRST, " + t.Code + " at gate " + string(t.Gate), Warn
	case !t.Authorized:
		return "DENIED " + t.Code + " at gate " + string(t.Gate), Bad
	case len(t.Warnings) > 0:
		var warnings []string
		for _, w := range t.Warnings {
			warnings = append(warnings, w.String())
		}
		return "ALLOWED with wrong arguments: " + strings.Join(warnings, "; "), Warn
	case t.TaskOnly:
		return "ALLOWED, but only as a task, which no plain call starts", Warn
	case t.Partial:
		return "ALLOWED, checked in part", Good
	}
	return "ALLOWED", Good
}

// DryRun returns the outcome of a dry run, under the real name of the tool, and a
// line for every gate that ran or gives a reason.
func DryRun(t engine.Trace) (title Line, gates []Line) {
	verdict, l := Verdict(t)
	levels := map[engine.Verdict]Level{engine.Warn: Warn, engine.Fail: Bad}
	for _, step := range t.Steps {
		if step.Verdict != engine.Skip || step.Detail != "" {
			gates = append(gates, Line{levels[step.Verdict], string(step.Verdict) + " " + step.Gate + ": " + step.Detail})
		}
	}
	return Linef(l, "dry run %s  %s", Name(cmp.Or(string(t.RealName), t.Name)), verdict), gates
}

// Corrections are why the next call is the one that a correction has.
var Corrections = map[engine.CorrectionKind]string{
	engine.CorrectDirectly:  "it is in the tools list: call it by its name",
	engine.CorrectBridge:    "it is behind the bridge: call it through it",
	engine.CorrectArguments: "the same tool with arguments that it takes",
	engine.CorrectName:      "the tool with the most similar name",
	engine.CorrectDescribe:  "read its parameters first",
	engine.CorrectSearch:    "search for the tool",
}

// NextCall returns a call in one line: the tool and its arguments.
func NextCall(c engine.NextCall) string {
	return safetext.Line(c.Name) + " " + string(safetext.EscapeMasked(c.Arguments))
}
