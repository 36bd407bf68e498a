// Package arguments does what the June 2026 agent does with what a model
// passes to a tool, and checks what the agent does not: whether it fits.
//
// Parse takes the raw arguments value: a JSON object, a string that holds one,
// null and nothing at all. Coerce converts the object as the agent does before
// it hands it to the tool. A Validator checks an object against the tool's
// schema and says where it does not fit, in one short line each. Skeleton
// makes an example to start from. Text and Whole read names, queries and
// limits as the agent does.
//
// # Conversions
//
// Only the properties that the schema declares at its top level, one by one:
//
//   - type array: a text becomes the list that it is the JSON of; any other
//     value but null and a list, and any other text, is put into a list
//   - type integer, number: a text becomes the number that Python's float
//     reads, so that "4.0", " 42 " and "４２" count and digits beyond 2^53 are
//     rounded. Without a fraction it is an integer; one with a fraction stays
//     text where an integer is wanted, as do NaN and infinities
//   - type boolean: true and false in any case; type object: the JSON of one
//   - the word null becomes null where type, nullable or a direct alternative
//     of anyOf or oneOf says null
//   - a list of types: the first that converts, even where text is one of them
//
// All else stays as it is: what only anyOf, allOf or $ref describe, and what
// stands deeper. The agent changes the schemas of MCP servers when it registers
// them, and converts by what it registered; see Registered. Where a property
// that is given has a schema that is no object, or a type that is one, the
// agent fails, and so does Coerce.
//
// For {"type":"object","properties":{"n":{"type":"integer"},"tags":{"type":"array"}}}
// the arguments {"n":"42","tags":"bug","x":"1"} become {"n":42,"tags":["bug"],"x":"1"}.
//
// The rules were measured on LauncherCapital/hermes-agent at 3c231eb39
// (2026-06-05), case by case, in testdata/coercion.json.gz: coerce_tool_args of
// model_tools.py, the registration of tools/mcp_tool.py. There is no
// difference on purpose. Python's recursion limit is taken as 1,000 levels.
//
// # Invariants
//
//   - names neither come nor go, and keep their order; only declared ones change
//   - null stays null; a value that is no text changes only by being put in a list
//   - converting twice is converting once, registering twice registering once
//   - the arguments given are never changed
//
// Goals: the verdicts of the reference agent on which texts are an object and which are
// not; messages that end a model's loop, with where, what, and what to send
// instead; every schema that a server sends is checked as far as it can be, and
// what cannot be is named; bounded work on hostile schemas and arguments;
// nothing is ever loaded.
//
// Non-goals: repairing arguments in ways the agent does not, executing
// anything.
//
// All messages are safe for a terminal; values of arguments are not.
package arguments

import (
	"bytes"

	"caliper/model/jsontree"
)

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
	v, err := jsontree.Parse(raw, jsontree.Python)
	if err != nil {
		return nil, badJSON(raw, err, false)
	}
	switch v.Kind {
	case jsontree.Object:
		return v.Raw, nil
	case jsontree.Null:
		return []byte("{}"), nil
	case jsontree.String:
		text := []byte(v.Text)
		if v, err = jsontree.Parse(text, jsontree.Python); err != nil {
			return nil, badJSON(text, err, true)
		}
		if v.Kind == jsontree.Object {
			return v.Raw, nil
		}
		return nil, notObject(v, true)
	}
	return nil, notObject(v, false)
}

// Fault is why arguments are not an object. Code is one of the codes
// below, Message says where, what and what to send instead.
type Fault struct {
	Code      string
	Message   string
	Offset    int // of the error in the text, in bytes; 0 when the fault has no position
	Line, Col int // of the error, from 1, Col in bytes; 0 when the fault has no position
}

// The codes of faults.
const (
	CodeBadJSON   = "bad_arguments_json"   // text that is not JSON
	CodeNotObject = "arguments_not_object" // JSON, but no object
	CodeCoercion  = "coercion_failed"      // the agent fails over the tool's schema
)

// Error returns the message.
func (f *Fault) Error() string { return f.Message }
