package engine

import (
	"fmt"
	"strings"

	"caliper/engine/arguments"
	"caliper/model"
)

// Warning is something that the agent lets pass: it does not check arguments
// against the tool's schema.
type Warning struct {
	Path    string `json:"path"` // such as labels[0].name; empty for the arguments as a whole
	Message string `json:"message"`
}

// String returns "path: message", or the message alone.
func (w Warning) String() string { return arguments.Problem{Path: w.Path, Message: w.Message}.String() }

// gateArguments fails on arguments that are not a JSON object, and on those
// that the agent fails to convert. The agent converts what goes to the tool
// when it has found it: whether it fails is asked here of a tool that the gates
// after this one would let through, and of no other.
func gateArguments(a *attempt) (string, *Fault) {
	object, err := arguments.Parse(a.raw)
	switch {
	case err != nil && a.bridge && err.Code == CodeNotObject:
		a.arguments = []byte("{}")
		return "read as {}, for they are no object", nil
	case err != nil:
		return "", fault(err.Code, err.Message)
	}
	a.arguments = object
	callee := a.callee()
	if callee == nil {
		return "a JSON object", nil
	}
	a.arguments, a.coerced, err = arguments.Coerce(registered(callee), object)
	if err != nil {
		a.tool, a.inScope = callee, true
		return "", fault(err.Code, err.Message)
	}
	if len(a.coerced) == 0 {
		return "a JSON object", nil
	}
	words := make([]string, len(a.coerced))
	for i, c := range a.coerced {
		words[i] = fmt.Sprintf("%s %s → %s", c.Path, shown(c.Given), shown(c.Coerced))
	}
	return "coerced: " + strings.Join(words, ", "), nil
}

// shown returns a value short and safe for a terminal.
func shown(value []byte) string {
	const most = 40
	text := firstRunes(string(value), most)
	if len(text) < len(value) {
		text += "…"
	}
	return model.Sanitize(text)
}

// callee returns the tool that the arguments are for, nil when the call does
// not get to one, or when nobody asks what becomes of them.
func (a *attempt) callee() *model.Tool {
	switch {
	case a.quiet || a.bridge:
		return nil
	case a.tool != nil:
		return a.tool
	}
	ahead := attempt{snapshot: a.snapshot, called: a.called, quiet: true}
	for _, g := range namingGates {
		if _, f := g.check(&ahead); f != nil {
			return nil
		}
	}
	return ahead.tool
}

// registered returns the parameters of a tool as the agent registers them,
// which is what it converts by.
func registered(t *model.Tool) []byte {
	switch {
	case SourceOf(t.Toolset) == SourceMCP:
		return arguments.Registered(t.Parameters)
	case t.Parameters == nil: // absent, or what is no schema
		return arguments.Members(t.Function)["parameters"]
	}
	return t.Parameters
}

// gateSchema compares the arguments as they reach the tool with its
// parameters. The June agent checks nothing, so that what does not fit is a
// warning; it fails when the snapshot is strict.
func gateSchema(a *attempt) (string, *Fault) {
	problems := a.snapshot.validator.Validate(a.tool.Parameters, a.arguments)
	var wrong, unchecked []string
	for _, p := range problems {
		if p.Uncheckable {
			unchecked = append(unchecked, p.String())
			continue
		}
		wrong = append(wrong, p.String())
		if !a.snapshot.Strict {
			a.warnings = append(a.warnings, Warning{p.Path, p.Message})
		}
	}
	a.partial = a.partial || len(unchecked) > 0
	partly := ""
	if a.partial {
		partly = "checked in part: " + strings.Join(unchecked, "; ")
	}
	switch {
	case len(wrong) > 0 && a.snapshot.Strict:
		f := fault(CodeInvalidArguments, strings.Join(wrong, "; "))
		f.Parameters = a.tool.Parameters
		return "", f
	case len(wrong) > 0:
		return sentences(strings.Join(wrong, "; ")+"; would reach the tool", partly), nil
	case a.partial:
		return sentences("fits", partly), nil
	}
	return "the arguments fit", nil
}

// sentences joins two halves of a detail, the second of which may be empty.
func sentences(first, second string) string {
	if second == "" {
		return first
	}
	return first + "; " + second
}
