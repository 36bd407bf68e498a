package report

import (
	"caliper/engine"
	"caliper/model/safetext"
)

// corrections has the words for each kind of correction.
var corrections = map[engine.CorrectionKind]string{
	engine.CorrectDirectly:  "it is in the tools list: call it by its name",
	engine.CorrectBridge:    "it is behind the bridge: call it through it",
	engine.CorrectArguments: "the same tool with arguments that it takes",
	engine.CorrectName:      "the tool with the most similar name",
	engine.CorrectDescribe:  "read its parameters first",
	engine.CorrectSearch:    "search for the tool",
}

// CorrectionReason returns why the next call is the one that a correction has.
func CorrectionReason(c engine.Correction) string { return corrections[c.Kind] }

// NextCall returns a call in one line: the tool and its arguments.
func NextCall(c engine.NextCall) string {
	return safetext.Line(c.Name) + " " + string(safetext.EscapeMasked(c.Arguments))
}

// correct adds the call to send in place of one that is refused, and the names that
// the agent itself would tell.
func (r *Report) correct(t engine.Trace) {
	if c := t.Correction; c != nil {
		r.Blank()
		r.Line(Strong("next call"), Faint("  %s", CorrectionReason(*c)))
		r.Fence("", NextCall(c.Call)) // one line, to be copied
	}
	for _, c := range t.Corrections {
		r.Blank()
		r.Line(Strong("next call"), Faint("  for %s: %s", Name(c.Name), CorrectionReason(c.Correction)))
		r.Fence("", NextCall(c.Call))
	}
	if len(t.Leaked) > 0 {
		r.Blank()
		r.Line(Strong("the agent leaks"), Faint("  %s out of the session's scope, which it suggests here", Count(len(t.Leaked), "name")))
		r.Indented(2, "%s", Names(t.Leaked, len(t.Leaked)))
		instead := TextOf("none")
		if len(t.Instead) > 0 {
			instead = Names(t.Instead, len(t.Instead))
		}
		r.Indented(2, "in scope: %s", instead)
	}
}

// Leak returns the names out of the session's scope that the agent itself would tell the
// model for a name that it does not know, and those in scope.
func Leak(t engine.Trace) string {
	inScope := TextOf("none")
	if len(t.Instead) > 0 {
		inScope = Names(t.Instead, len(t.Instead))
	}
	return Textf("the agent would suggest %s, out of this session's scope; in scope: %s", Names(t.Leaked, len(t.Leaked)), inScope).String()
}
