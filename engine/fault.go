package engine

import (
	"encoding/json"
)

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

// Fault is why a bridge tool or a call is refused, as the model is told.
// Message is safe for a terminal.
type Fault struct {
	Message     string          `json:"error"`
	Code        string          `json:"code"`
	Suggestions []string        `json:"suggestions,omitempty"` // names in the session's scope only
	Parameters  json.RawMessage `json:"parameters,omitempty"`  // of the tool, when its arguments are at fault
}

// fault makes a Fault with suggestions.
func fault(code, message string, suggestions ...string) *Fault {
	return &Fault{Code: code, Message: message, Suggestions: suggestions}
}
