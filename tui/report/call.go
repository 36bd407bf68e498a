package report

import (
	"bytes"
	"encoding/json"
	"strconv"

	"caliper/config"
	"caliper/engine"
	"caliper/model/safetext"
)

// Call returns the report of a dry run: every gate, and the answer to the
// model.
func Call(t engine.Trace) *Report {
	r := new(Report)
	r.Head(or(Name(t.Name), "(no name)"), "dry run in session %s, %s", Name(t.Session), string(t.Generation))
	r.Blank()
	gates := Columns("", "", "¶")
	for _, s := range t.Steps {
		gates.Row(verdictWord(s.Verdict), s.Gate, Sentence(s.Detail))
		gates.rows[len(gates.rows)-1].faint = s.Verdict == engine.Skip
	}
	r.Table(gates)
	r.Blank()
	if t.Authorized {
		r.Line(Strong("authorized"))
	} else {
		r.Line(Strong("refused"), Textf(" at gate %s: %s", Name(t.Gate), Name(t.Code)))
	}
	r.Indented(2, "%s", Sentence(t.Message))
	r.correct(t)
	r.Blank()
	r.Line(Faint("the model sees"))
	r.Fence("json", string(safetext.EscapeMasked(t.ModelSees))) // one line, to be copied
	return r
}

// Inactive returns why tool search is not active, and what the user can do to try the
// bridge: another session in which it is active, empty for none, or another setting.
func Inactive(b engine.Budget, session string) *Report {
	r := new(Report)
	r.Blank()
	r.Line(Strong("what you can do"))
	setting := textOf("set tools.tool_search.enabled to on")
	if n := contextOf(b); n > 0 && b.Mode == config.Auto {
		if pct := b.DeferredTokens * 100 / n; pct > 0 {
			setting = Textf("set tools.tool_search.threshold_pct to %d or less (it is %s)", pct, strconv.FormatFloat(b.ThresholdPct, 'g', -1, 64))
		}
	}
	if b.DeferredCount == 0 {
		setting = textOf("grant the session tools other than core tools")
	}
	if session != "" {
		setting = Textf("take --session %s, in which it is active, or %s", Name(session), setting)
	}
	r.Indented(2, "%s To try the bridge, %s.", verdict(b), setting)
	return r
}

// verdictWord returns the text of a verdict in a table; a failure stands out
// without colour.
func verdictWord(v engine.Verdict) string {
	switch v {
	case engine.Fail:
		return "FAIL"
	case engine.Warn:
		return "WARN"
	}
	return string(v)
}

// Called is one dry run.
type Called struct {
	Arguments json.RawMessage // as the model sent them, nil for none
	Direct    bool            // by name, without the bridge
	Trace     engine.Trace
}

// Call returns the report of a dry run for an issue, with what the tool would receive.
func (c Case) Call(call Called) *Report {
	r, t := new(Report), call.Trace
	if call.Arguments == nil {
		r.Say("The model sends no arguments.")
	} else {
		r.Fence("json", Indented(call.Arguments))
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
	command := c.command("call", t.Name, oneLine(call.Arguments))
	if call.Direct {
		command.add("--direct")
	}
	return c.issue("caliper call", r, command)
}

// oneLine returns JSON of several lines without insignificant white space, and
// any other text unchanged.
func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if !bytes.ContainsAny(raw, "\r\n") || json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
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
