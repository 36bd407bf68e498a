package jsontree

import "fmt"

// Problem is the fault of a text that is not JSON.
type Problem uint8

// The problems. A value, a name, a colon or a comma is missing where another
// byte is, or the end of the text.
const (
	NoValue    Problem = iota + 1
	NoName             // of a member
	NoColon            // behind a name
	NoComma            // behind an element, nor a bracket that closes
	ExtraComma         // before a bracket that closes
	BadWord            // begins like true, false, null, NaN or Infinity, and is not
	BadNumber          // lacks a digit
	OpenString         // is not closed
	BadControl         // a control character in a string
	BadEscape          // an escape that JSON does not have
	BadHex             // \u without four hexadecimal digits
	TooDeep            // more arrays and objects in one another than are read
	MoreText           // behind the end of the value
)

// SyntaxError is the place where a text is not JSON, and its fault.
type SyntaxError struct {
	Problem Problem
	At      int64  // offset of the byte that is wrong, or the end of the text
	From    int64  // offset of the token that At lies in: of its quote, its backslash or its first byte; of MoreText: the end of the value
	In      Kind   // of ExtraComma and NoComma: Array or Object; of MoreText: the kind of the value
	Ended   bool   // the text ends at At
	Byte    byte   // at At, unless the text ends
	Word    string // of BadWord: which word it begins like
}

// Error returns the offset and the problem.
func (e *SyntaxError) Error() string {
	what := [...]string{
		NoValue: "a value is missing", NoName: "a name is missing", NoColon: "a colon is missing after a name",
		NoComma: "a comma is missing", ExtraComma: "a comma that nothing follows", BadWord: "a word that is not a value",
		BadNumber: "a digit of a number is missing", OpenString: "a string is not closed",
		BadControl: "a control character in a string", BadEscape: "not an escape of JSON", BadHex: `\u needs four hexadecimal digits`,
		TooDeep: "nested too deep", MoreText: "text after the end of the value",
	}[e.Problem]
	return fmt.Sprintf("byte %d: %s", e.At, what)
}
