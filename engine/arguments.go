package engine

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Warning is a fault of the arguments that the agent does not refuse, because it
// does not check arguments against the tool's schema.
type Warning struct {
	Path    string `json:"path"` // such as labels[0].name; empty for the arguments as a whole
	Message string `json:"message"`
	Keyword string `json:"-"` // of the schema, which the arguments break; empty for none
}

// String returns "path: message", or the message alone.
func (w Warning) String() string { return arguments.Problem{Path: w.Path, Message: w.Message}.String() }

// gateArguments fails on arguments that are not a JSON object, and on those that
// the agent fails to convert. The agent converts arguments after it has found the
// tool, so this gate converts them only if the gates after it would pass the tool.
func gateArguments(a *attempt) (string, *Fault) {
	object, err := arguments.Parse(a.raw)
	switch {
	case err != nil && a.bridge && err.Code == CodeNotObject:
		a.arguments = []byte("{}")
		return "read as {}, because they are not an object", nil
	case err != nil:
		return "", fault(err.Code, err.Message)
	}
	return a.convert(object, registered, arguments.Coerce)
}

// convert gives the attempt its arguments as the agent converts them, if the call
// reaches a tool.
func (a *attempt) convert(object []byte, parameters func(*model.Tool) []byte, coerce func(schema, args []byte) ([]byte, []arguments.Coerced, *arguments.Fault)) (string, *Fault) {
	a.arguments = object
	if a.quiet || a.bridge {
		return "a JSON object", nil
	}
	callee := a.tool
	if callee == nil { // which later gates look up: none if one of them refuses the call
		ahead := attempt{snapshot: a.snapshot, called: a.called, quiet: true}
		for _, g := range namingGates {
			if _, f := g.check(&ahead); f != nil {
				return "a JSON object", nil
			}
		}
		callee = ahead.tool
	}
	var err *arguments.Fault
	a.arguments, a.coerced, err = coerce(parameters(callee), object)
	if err != nil {
		a.tool, a.inScope = callee, true
		return "", fault(err.Code, err.Message)
	}
	if len(a.coerced) == 0 {
		return "a JSON object", nil
	}
	list := make([]string, len(a.coerced))
	for i, c := range a.coerced {
		list[i] = fmt.Sprintf("%s %s → %s", c.Path, shown(c.Given), shown(c.Coerced))
	}
	return "coerced: " + strings.Join(list, ", "), nil
}

// shown returns a value cut to 40 characters and safe for a terminal.
func shown(value []byte) string {
	const most = 40
	text := words.First(string(value), most)
	if len(text) < len(value) {
		text += "…"
	}
	return safetext.Line(text)
}

// registered returns the parameters of a tool as the agent registers them. The agent
// converts arguments by these.
func registered(t *model.Tool) []byte {
	switch {
	case SourceOf(t.Toolset) == SourceMCP:
		return arguments.Registered(t.Parameters)
	case t.Parameters == nil: // absent, or no schema
		return arguments.Members(t.Function)["parameters"]
	}
	return t.Parameters
}

// gateSchema checks the arguments, as the tool receives them, against its
// parameters. The June 2026 agent does not check them, so a fault is a warning; the
// gate fails only when the snapshot is strict.
func gateSchema(a *attempt) (string, *Fault) {
	problems := a.snapshot.validator.ValidateNullable(a.tool.Parameters, a.arguments)
	var wrong, unchecked []string
	for _, p := range problems {
		if p.Uncheckable {
			unchecked = append(unchecked, p.String())
			continue
		}
		wrong = append(wrong, p.String())
		if !a.snapshot.Strict {
			a.warnings = append(a.warnings, Warning{p.Path, words.Message(p.Message), p.Keyword})
		}
	}
	a.partial = a.partial || len(unchecked) > 0
	if a.partial {
		a.unchecked = "checked in part: " + strings.Join(unchecked, "; ")
	}
	switch {
	case len(wrong) > 0 && a.snapshot.Strict:
		f := fault(CodeInvalidArguments, strings.Join(wrong, "; "))
		f.Parameters = a.tool.Parameters
		return "", f
	case len(wrong) > 0:
		a.misfits = strings.Join(wrong, "; ")
		return sentences(a.misfits, a.unchecked), nil
	case a.partial:
		return sentences("fits", a.unchecked), nil
	}
	return "the arguments fit", nil
}

// sentences joins two halves of a detail; the second may be empty.
func sentences(first, second string) string {
	if second == "" {
		return first
	}
	return first + "; " + second
}

// ArgumentsOf returns the arguments value for a text that a person typed: nil
// (absent arguments) for blank text, the text itself when it is JSON, and otherwise
// the text as a JSON string. So text that is not JSON is treated like the wrongly
// encoded arguments of a model.
func ArgumentsOf(text string) json.RawMessage {
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return jsontree.Encode(text)
}

// ArgumentsExample returns arguments to start from: the tool's required
// parameters with a value of the right type each, as one line of JSON.
func ArgumentsExample(t *model.Tool) string {
	return string(arguments.Skeleton(t.Parameters))
}

// coerce returns arguments as the agent of the generation converts them.
func (s *Snapshot) coerce(t *model.Tool, args []byte) ([]byte, *arguments.Fault) {
	coerce := arguments.Coerce
	if s.later() {
		coerce = arguments.CoerceLater
	}
	converted, _, f := coerce(t.Parameters, args)
	return converted, f
}

// Misfit returns the place of a value in the text of a tool's arguments, as arguments.Place
// does: of the first one that does not fit the tool. Ok is false where no value in the text
// is wrong by itself: all fit, or values are missing, or the text is not an object.
func (s *Snapshot) Misfit(t *model.Tool, text string) (start, end int, ok bool) {
	converted, f := s.coerce(t, []byte(text))
	if f != nil {
		return
	}
	for _, p := range s.validator.ValidateLater(t.Parameters, converted) {
		if p.Uncheckable || p.Path == "" { // the arguments as a whole
			continue
		}
		if start, end, ok = arguments.Place(text, p.Path); ok {
			return
		}
	}
	return
}
