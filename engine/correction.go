package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/python"
)

// A call that is refused is often sent again as it was. What ends the loop is the call
// that the model should send instead, in full: a tool of its list and the arguments.
//
// Invariants:
//   - a correction names nothing out of the session's scope
//   - it gets through: a tool that it runs is authorized with these arguments
//   - what the policy refuses has none

// NextCall is a call that the model can send as it stands.
type NextCall struct {
	Name      string          `json:"name"` // in the list of tools that the model is sent
	Arguments json.RawMessage `json:"arguments"`
}

// JSON returns the call as one JSON object.
func (c NextCall) JSON() []byte { return jsontree.Encode(c) }

// Correction is what to do about a call that is refused.
type Correction struct {
	Kind CorrectionKind `json:"kind"`
	Call NextCall       `json:"call"`
}

// CorrectionKind says how the next call differs from the one that is refused.
type CorrectionKind string

// The kinds of corrections.
const (
	CorrectDirectly  CorrectionKind = "call_directly"       // without the bridge
	CorrectBridge    CorrectionKind = "call_through_bridge" // with it
	CorrectArguments CorrectionKind = "send_arguments"      // the same tool with arguments that it takes
	CorrectName      CorrectionKind = "use_name"            // the tool that was probably meant
	CorrectDescribe  CorrectionKind = "describe"            // read the parameters first
	CorrectSearch    CorrectionKind = "search"              // find the tool
)

// correctable has the codes of calls that another call can replace. What is denied is
// denied however it is called.
var correctable = map[string]bool{
	CodeMissingQuery: true, CodeBridgeInactive: true, CodeMissingName: true, CodeBridgeRecursion: true, CodeBadArguments: true,
	CodeNotObject: true, CodeCoercion: true, CodeUnknownTool: true, CodeAmbiguousName: true, CodeNotDeferrable: true,
	CodeOutOfScope: true, CodeInvalidArguments: true, CodeDeferred: true, CodeNotArray: true, CodeEmpty: true, CodeTooMany: true,
	CodeMissingCalls: true, CodeBadCalls: true, CodeCallsNotArray: true, CodeEntryNotObject: true, CodeLocalBatch: true,
	CodeDirectlyListed: true, CodeNotOffered: true, CodeUnknownName: true, CodeMissingRequired: true, CodeSchemaViolation: true,
}

// wrongArguments has the codes of calls whose arguments are at fault.
var wrongArguments = map[string]bool{
	CodeBadArguments: true, CodeNotObject: true, CodeCoercion: true,
	CodeInvalidArguments: true, CodeMissingRequired: true, CodeSchemaViolation: true,
}

// correction returns the call to send in place of an attempt that is refused with a
// fault. It is nil for a fault that no call mends.
func (a *attempt) correction(f *Fault) *Correction {
	if a.final || !correctable[f.Code] {
		return nil
	}
	c := a.corrected(f)
	if c == nil || !a.snapshot.answers(c.Call) {
		return nil
	}
	return c
}

// answers reports whether a call gets through.
func (s *Snapshot) answers(c NextCall) bool {
	if c.Name == ToolCall {
		gates, inner, name := s.insideCall(c.Arguments)
		inner.final = true
		return s.take(gates, inner, name).Authorized
	}
	return s.take(directGates, &attempt{snapshot: s, called: c.Name, raw: c.Arguments, final: true}, c.Name).Authorized
}

// corrected returns the call that seems to be meant, whether or not it gets through.
func (a *attempt) corrected(f *Fault) *Correction {
	s := a.snapshot
	name, raw := a.called, a.raw
	switch {
	case name == "" && a.outer != nil:
		name, raw = insideOf(ToolCall, a.outer)
	case name == "" || name == ToolCall:
		name, raw = insideOf(name, raw)
	}
	if IsBridge(name) {
		return s.correctBridge(name, raw)
	}
	if t := s.meantBy(name); t != nil {
		kind := CorrectBridge
		switch {
		case wrongArguments[f.Code]:
			kind = CorrectArguments
		case s.Status(t) == Sent:
			kind = CorrectDirectly
		case s.ModelName(t) != name:
			kind = CorrectName
		}
		return s.correctTool(kind, t, raw)
	}
	if name == "" { // what the arguments are called says what the tool does
		name = strings.Join(namesOf(raw), " ")
	}
	if len(f.Suggestions) > 0 {
		if t := s.meantBy(f.Suggestions[0]); t != nil {
			return s.correctTool(CorrectName, t, raw)
		}
	}
	return s.correctSearch(name)
}

// bridgeParameters are the names that bridge tools give their own parameters, which say
// nothing of the tool that is meant.
var bridgeParameters = map[string]bool{"calls": true, "name": true, "arguments": true, "names": true, "query": true, "queries": true}

// namesOf returns the names of the members of some arguments, in order, without those
// of the bridge.
func namesOf(raw json.RawMessage) []string {
	object, err := arguments.Parse(raw)
	if err != nil {
		return nil
	}
	v, bad := jsontree.Parse(object, jsontree.Python)
	if bad != nil {
		return nil
	}
	var names []string
	for _, m := range v.Children {
		if !bridgeParameters[strings.ToLower(m.Name)] {
			names = append(names, m.Name)
		}
	}
	return names
}

// insideOf returns the name and the arguments that are nested in a call: those of its
// arguments, or of the first call in them, as often as they are those of tool_call.
// Without a name, the arguments are the innermost.
func insideOf(name string, raw json.RawMessage) (string, json.RawMessage) {
	const deepest = 8
	for range deepest {
		if name != "" && name != ToolCall {
			break
		}
		object, err := arguments.Parse(raw)
		if err != nil {
			return "", raw
		}
		fields := arguments.Members(object)
		if v, err := jsontree.Parse(fields["calls"], jsontree.Python); err == nil {
			if v.Kind == jsontree.Array && len(v.Children) > 0 {
				v = v.Children[0].Node
			}
			switch v.Kind {
			case jsontree.String: // a name where an object with one was expected
				return python.Strip(v.Text), nil
			case jsontree.Object:
				raw, fields = v.Raw, arguments.Members(v.Raw)
			}
		}
		name = python.Strip(arguments.Text(fields["name"]))
		if name == "" && fields["arguments"] == nil {
			return "", raw
		}
		raw = fields["arguments"]
	}
	return name, raw
}

// meantBy returns the tool of a name that the session can call, by the name as the
// agent folds it too; nil for none and for several.
func (s *Snapshot) meantBy(name string) *model.Tool {
	for _, n := range []string{name, foldName(name)} {
		if found := s.bearers(n); len(found) == 1 && (s.Status(found[0]) == Sent || s.Status(found[0]) == Deferred) {
			return found[0]
		}
	}
	return nil
}

// correctTool returns the call of a tool, with the arguments that were sent where they
// fit. Where none are found that do, the model reads the parameters first.
func (s *Snapshot) correctTool(kind CorrectionKind, t *model.Tool, raw json.RawMessage) *Correction {
	args, ok := s.fitting(t, raw)
	name := s.ModelName(t)
	if s.Status(t) == Sent {
		if !ok {
			return nil // its parameters are in the list already
		}
		return &Correction{kind, NextCall{name, args}}
	}
	if !ok {
		return &Correction{CorrectDescribe, s.describing(name)}
	}
	return &Correction{kind, s.calling(name, args)}
}

// calling returns the call of a deferred tool in the generation's own form.
func (s *Snapshot) calling(name string, args json.RawMessage) NextCall {
	type call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	one := call{name, args}
	if s.later() {
		return NextCall{ToolCall, jsontree.Encode(map[string][]call{"calls": {one}})}
	}
	return NextCall{ToolCall, jsontree.Encode(one)}
}

// describing returns the call that reads the parameters of a tool.
func (s *Snapshot) describing(names ...string) NextCall {
	if s.later() {
		return NextCall{ToolDescribe, jsontree.Encode(map[string][]string{"names": names[:min(len(names), MaxNames)]})}
	}
	return NextCall{ToolDescribe, jsontree.Encode(map[string]string{"name": names[0]})}
}

// searching returns the call that searches for some queries.
func (s *Snapshot) searching(queries ...string) NextCall {
	if s.later() {
		return NextCall{ToolSearch, jsontree.Encode(map[string][]string{"queries": queries[:min(len(queries), MaxQueries)]})}
	}
	return NextCall{ToolSearch, jsontree.Encode(map[string]string{"query": queries[0]})}
}

// correctSearch returns a search for the words of a name that is not known; nil while
// there is no bridge.
func (s *Snapshot) correctSearch(name string) *Correction {
	if !s.Active() {
		return nil
	}
	query := s.finding(splitName(name).words)
	if query == "" {
		query = "what the tool should do"
	}
	return &Correction{CorrectSearch, s.searching(query)}
}

// finding returns the query of some words that finds a tool: of all of them, else of
// those that a tool has, else of the last one that does. bm25-gated finds nothing for
// a query with a word that no tool has, and the words of a wrong name have one as a
// rule. Where no word finds a tool, it returns all of them.
func (s *Snapshot) finding(words []string) string {
	finds := func(query string) bool { return s.indexFor(query).Scored(query) > 0 }
	all := strings.Join(words, " ")
	if all == "" || finds(all) {
		return all
	}
	known := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !finds(word) })
	if len(known) == 0 {
		return all
	}
	if some := strings.Join(known, " "); finds(some) {
		return some
	}
	return known[len(known)-1]
}

// correctBridge returns a call of a bridge tool that answers, made of the texts of one
// that does not; nil while there is no bridge.
func (s *Snapshot) correctBridge(tool string, raw json.RawMessage) *Correction {
	texts := textsOf(raw)
	switch {
	case !s.Active():
		return nil
	case tool == ToolDescribe && len(texts) > 0:
		return s.correctDescribe(texts)
	case tool == ToolSearch && len(texts) > 0:
		return &Correction{CorrectSearch, s.searching(texts...)}
	}
	return s.correctSearch("")
}

// textsOf returns the texts that the arguments of tool_search or tool_describe ask
// for, in either generation's form.
func textsOf(raw json.RawMessage) []string {
	object, err := arguments.Parse(raw)
	if err != nil {
		return nil
	}
	fields := arguments.Members(object)
	var texts []string
	for _, key := range []string{"queries", "query", "names", "name"} {
		v, err := jsontree.Parse(fields[key], jsontree.Python)
		if err != nil {
			continue
		}
		items := []*jsontree.Node{v}
		if v.Kind == jsontree.Array {
			items = nil
			for _, item := range v.Children {
				items = append(items, item.Node)
			}
		}
		for _, item := range items {
			if text := arguments.Text(item.Raw); item.Kind == jsontree.String && text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// fitting returns arguments for a tool: those that were sent if the call gets through
// with them, else these with the members that are lacking or wrong as the schema has
// them, else those of the schema alone. What the model has to write itself is a blank,
// or an example where the schema allows no blank. ok is false when none gets through.
func (s *Snapshot) fitting(t *model.Tool, raw json.RawMessage) (args json.RawMessage, ok bool) {
	given, err := arguments.Parse(raw)
	if err != nil {
		given = []byte("{}")
	}
	if s.takes(t, given) {
		return arguments.Strict(given), true
	}
	blanks, example := arguments.Blanks(t.Parameters), arguments.Skeleton(t.Parameters)
	for _, candidate := range [][]byte{s.mended(t, given, blanks), s.mended(t, given, example), blanks, example} {
		if s.takes(t, candidate) {
			return arguments.Strict(candidate), true
		}
	}
	return nil, false
}

// takes reports whether a call of a tool with some arguments fits its parameters: a
// parameter that is required and missing does not, in either generation.
func (s *Snapshot) takes(t *model.Tool, args []byte) bool {
	if len(s.problems(t, args)) > 0 {
		return false
	}
	given := arguments.Members(args)
	for _, name := range requiredNames(t.Parameters) {
		if _, ok := given[name]; !ok {
			return false
		}
	}
	return true
}

// problems returns what does not fit a tool of some arguments, after the agent's
// conversions.
func (s *Snapshot) problems(t *model.Tool, args []byte) []arguments.Problem {
	coerce := arguments.Coerce
	if s.later() {
		coerce = arguments.CoerceLater
	}
	converted, _, f := coerce(t.Parameters, args)
	if f != nil {
		return []arguments.Problem{{Message: f.Message}}
	}
	var out []arguments.Problem
	for _, p := range s.validator.ValidateLater(t.Parameters, converted) {
		if !p.Uncheckable {
			out = append(out, p)
		}
	}
	return out
}

// Misfit returns the place of a value in the text of a tool's arguments, as arguments.Place
// does: of the first one that does not fit the tool. Ok is false where no value in the text
// is wrong by itself: all fit, or values are missing, or the text is not an object.
func (s *Snapshot) Misfit(t *model.Tool, text string) (start, end int, ok bool) {
	for _, p := range s.problems(t, []byte(text)) {
		if p.Path == "" { // the arguments as a whole
			continue
		}
		if start, end, ok = arguments.Place(text, p.Path); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// mended returns an object with the members of given that fit by themselves, and those
// of the skeleton for the others.
func (s *Snapshot) mended(t *model.Tool, given, skeleton []byte) []byte {
	wrong := map[string]bool{}
	for _, p := range s.problems(t, given) {
		name, _, _ := strings.Cut(p.Path, ".")
		name, _, _ = strings.Cut(name, "[")
		wrong[name] = true
	}
	base, err := jsontree.Parse(given, jsontree.Python)
	if err != nil {
		return skeleton
	}
	seen := map[string]bool{}
	var b strings.Builder
	add := func(name string, value []byte) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(jsontree.Encode(name))
		b.WriteByte(':')
		b.Write(value)
		seen[name] = true
	}
	last := arguments.Members(given)
	for _, m := range base.Children {
		if !wrong[m.Name] && !seen[m.Name] {
			add(m.Name, last[m.Name])
		}
	}
	filled, err := jsontree.Parse(skeleton, jsontree.Python)
	if err != nil {
		return skeleton
	}
	for _, m := range filled.Children {
		if !seen[m.Name] {
			add(m.Name, m.Raw)
		}
	}
	return []byte("{" + b.String() + "}")
}
