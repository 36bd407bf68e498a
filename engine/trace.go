package engine

import (
	"encoding/json"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// Verdict is the outcome of one gate.
type Verdict string

// The verdicts. Gates after the first that fails are skipped.
const (
	Pass Verdict = "pass"
	Warn Verdict = "warn" // passes, with what Trace.Warnings lists, or what TaskOnly says
	Fail Verdict = "fail"
	Skip Verdict = "skip"
)

// MarshalJSON returns the verdict as commands print it, which know three: a
// gate that warns passes.
func (v Verdict) MarshalJSON() ([]byte, error) {
	if v == Warn {
		v = Pass
	}
	return jsontree.Encode(string(v)), nil
}

// Step is one gate of a trace. Detail is safe for a terminal.
type Step struct {
	Gate    string  `json:"gate"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Trace is the dry run of one call: every gate it met, the verdict, and what
// the model would read. Nothing is executed.
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

	// Arguments are what the tool would receive, nil when the call is refused
	// before they are converted. As Coerced they are JSON: see arguments.Strict.
	Arguments json.RawMessage     `json:"arguments"`
	Coerced   []arguments.Coerced `json:"coerced"`             // what the agent converts
	Warnings  []Warning           `json:"warnings"`            // what does not fit and reaches the tool all the same
	Partial   bool                `json:"partial"`             // a gate could check only a part
	TaskOnly  bool                `json:"task_only,omitempty"` // it is authorized, and its server refuses a plain call

	Generation config.Generation `json:"generation"` // by whose rules the call is answered

	Correction *Correction `json:"correction"` // the call to send in place of one that is refused; nil for none

	// Corrections are of the names that a tool_describe is answered without.
	Corrections []NameCorrection `json:"corrections,omitempty"`

	// Leaked are names out of the session's scope that the agent of september-2026 tells
	// the model for an unknown name, and Instead those that it is told here. The model
	// never sees Leaked here.
	Leaked  []string `json:"leaked"`
	Instead []string `json:"instead"`
}

// optional is text that is null in JSON when it is empty.
type optional string

// MarshalJSON returns null for empty text, else a JSON string.
func (o optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return jsontree.Encode(string(o)), nil
}

// Codes of faults and verdicts. They are part of the contract: the model, the
// commands and the screens all show the same ones.
const (
	CodeOK               = "ok"
	CodeMissingQuery     = "missing_query"
	CodeBridgeInactive   = "bridge_inactive"
	CodeMissingName      = "missing_name"
	CodeBridgeRecursion  = "bridge_recursion"
	CodeBadArguments     = "bad_arguments_json"
	CodeNotObject        = "arguments_not_object"
	CodeCoercion         = "coercion_failed"
	CodeUnknownTool      = "unknown_tool"
	CodeAmbiguousName    = "ambiguous_name"
	CodeNotDeferrable    = "not_deferrable"
	CodeOutOfScope       = "out_of_scope"
	CodeInvalidArguments = "invalid_arguments"
	CodeDenied           = "denied_by_policy"
	CodeNeedsApproval    = "needs_approval"
	CodeDeferred         = "deferred" // direct call of a tool that is behind the bridge
)

// Codes of september-2026 alone. Source: the reference agent, September 2026, whose
// faults they name.
const (
	CodeNotArray        = "not_an_array"
	CodeEmpty           = "empty"
	CodeTooMany         = "too_many"
	CodeMissingCalls    = "missing_calls"
	CodeBadCalls        = "bad_calls_json"
	CodeCallsNotArray   = "calls_not_array"
	CodeEntryNotObject  = "entry_not_object"
	CodeLocalBatch      = "local_batch"
	CodeDirectlyListed  = "directly_listed"
	CodeNotOffered      = "not_offered"
	CodeUnknownName     = "unknown_name"
	CodeMissingRequired = "missing_required"
	CodeSchemaViolation = "schema_violation"
)

// Fault is why a bridge tool or a call is refused, as the model reads it.
// Message is safe for a terminal.
type Fault struct {
	Message     string          `json:"error"`
	Code        string          `json:"code"`
	Suggestions []string        `json:"suggestions,omitempty"` // names in the session's scope only
	Parameters  json.RawMessage `json:"parameters,omitempty"`  // of the tool, when its arguments are at fault
	Next        *NextCall       `json:"next_call,omitempty"`   // what to send instead
}

// fault makes a Fault with suggestions.
func fault(code, text string, suggestions ...string) *Fault {
	return &Fault{Code: code, Message: words.Message(text), Suggestions: suggestions}
}
