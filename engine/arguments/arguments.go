// Package arguments judges what a model passes to tool_call: whether it is a
// JSON object at all, whether that fits the tool's parameter schema, and what
// would fit.
//
// Parse takes the raw arguments value as the reference agent does, which
// accepts a JSON object, a string that holds one, null and nothing at all.
// A Validator checks an object against a schema and says where it does not
// fit, in one short line each. Skeleton makes an example to start from.
//
// Goals:
//   - the verdicts of the reference agent on what is an object and what is not
//   - messages that end a model's loop: where, what, and what to send instead
//   - every schema that a server sends is checked as far as it can be, and
//     what cannot be is named
//   - bounded work on hostile schemas and arguments; nothing is ever loaded
//
// Non-goals: repairing arguments, converting types (the text "5" is no
// number), executing anything.
//
// All messages are safe for a terminal.
package arguments

import "bytes"

// Parse returns the object that the raw value of "arguments" stands for, as
// JSON text with numbers as they were written and without white space around
// it. Nothing and null stand for {}. A string is parsed as JSON text. Where a
// name repeats in an object, the last value counts; the text keeps all.
//
// As for the reference agent, NaN, Infinity and -Infinity are numbers, in text
// and outside: the object is then not JSON to others, which json.Valid tells.
// The result may share memory with raw.
func Parse(raw []byte) ([]byte, *Fault) {
	if len(bytes.Trim(raw, " \t\r\n")) == 0 {
		return []byte("{}"), nil
	}
	v, err := parse(raw)
	if err != nil {
		return nil, badJSON(raw, err, false)
	}
	switch v.kind {
	case object:
		return raw[v.start:v.end], nil
	case null:
		return []byte("{}"), nil
	case str:
		text := []byte(v.text)
		if v, err = parse(text); err != nil {
			return nil, badJSON(text, err, true)
		}
		if v.kind == object {
			return text[v.start:v.end], nil
		}
		return nil, notObject(v, true)
	}
	return nil, notObject(v, false)
}

// Fault is why arguments are not an object. Code is one of the two codes
// below, Message says where, what and what to send instead.
type Fault struct {
	Code      string
	Message   string
	Offset    int // of the error in the text, in bytes; 0 when it is no matter of place
	Line, Col int // of the error, from 1, Col in bytes; 0 when it is no matter of place
}

// The codes of faults.
const (
	CodeBadJSON   = "bad_arguments_json"   // text that is not JSON
	CodeNotObject = "arguments_not_object" // JSON, but no object
)

// Error returns the message.
func (f *Fault) Error() string { return f.Message }

// position returns the line and the column of an offset, from 1.
func position(text []byte, offset int) (line, col int) {
	before := text[:offset]
	return 1 + bytes.Count(before, []byte{'\n'}), offset - bytes.LastIndexByte(before, '\n')
}
