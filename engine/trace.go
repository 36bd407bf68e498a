package engine

import "encoding/json"

// Verdict is the outcome of one gate.
type Verdict string

// The verdicts. Gates after the first that fails are skipped.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	Skip Verdict = "skip"
)

// Step is one gate of a trace. Detail is safe for a terminal.
type Step struct {
	Gate    string  `json:"gate"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Trace is the dry run of one call: every gate it met, the verdict, and what
// the model would be told. Nothing is executed.
type Trace struct {
	Name       string          `json:"name"`      // as called
	RealName   optional        `json:"real_name"` // of the tool behind the bridge; empty unless both scope gates let it through
	Session    string          `json:"session"`
	Authorized bool            `json:"authorized"`
	Code       string          `json:"code"`
	Gate       optional        `json:"gate"` // the gate that failed; empty when authorized
	Message    string          `json:"message"`
	Steps      []Step          `json:"trace"`
	ModelSees  json.RawMessage `json:"model_sees"`
	Arguments  json.RawMessage `json:"-"` // the object the tool would receive; nil unless authorized
}

// allowedAnswer is what the model sees of an authorized call.
type allowedAnswer struct {
	DryRun    bool            `json:"dry_run"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// optional is text that is null in JSON when it is empty.
type optional string

// MarshalJSON returns null for empty text, else a JSON string.
func (o optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return encode(string(o)), nil
}
