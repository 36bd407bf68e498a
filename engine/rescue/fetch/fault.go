package fetch

import "fmt"

// The stable codes of errors.
const (
	CodeMode        = "unknown_mode"
	CodeUnit        = "unknown_unit"
	CodePastEnd     = "past_end"
	CodeBudget      = "budget_too_small"
	CodeFull        = "full_refused"
	CodeNoPattern   = "no_pattern"
	CodePatternLong = "pattern_too_long"
	CodeControl     = "control_characters"
	CodeUnsupported = "pattern_unsupported"
	CodePattern     = "pattern_invalid"
	CodeNoQuery     = "no_query"
	CodeNotJSON     = "not_json"
	CodePointer     = "bad_pointer"
	CodeNoValue     = "pointer_missing"
	CodeRead        = "read_failed"
)

// Error is the reason why a request has no answer. Code is stable; Text is one
// sentence that names the remedy. Text may quote the request and names found
// in the blob, always with %q.
type Error struct {
	Code, Text string
	cause      error
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the error of the source under CodeRead, else nil.
func (e *Error) Unwrap() error { return e.cause }

func faultf(code, format string, a ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, a...)}
}

func readFault(at int64, err error) *Error {
	return &Error{Code: CodeRead, cause: err,
		Text: fmt.Sprintf("the blob cannot be read at byte %d: %v; run the tool again to store it again", at, err)}
}
