package report

import (
	"encoding/json"
	"strings"
	"testing"

	"caliper/engine"
)

// A terminal draws nothing that one can read for a character of private use, so the JSON of
// a dry run shows it escaped.
func TestCallEscapesPrivateUse(t *testing.T) {
	call := engine.NextCall{Name: "a", Arguments: json.RawMessage("{\"x\":\"\ue000\"}")}
	trace := engine.Trace{ModelSees: call.JSON(), Correction: &engine.Correction{Kind: engine.CorrectBridge, Call: call}}
	if text := printed(200, Call(trace)); strings.Contains(text, "\ue000") || strings.Count(text, `\ue000`) != 2 {
		t.Errorf("%q", text)
	}
}
