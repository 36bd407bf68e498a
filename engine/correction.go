package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// A call that is refused is often sent again as it was. What ends the loop is the call
// that the model should send instead, in full: a tool of its list and the arguments.
//
// Invariants:
//   - a correction names nothing out of the session's scope
//   - it gets through: a tool that it runs is authorized with these arguments
//   - a tool that it runs is the one whose name was written, and gets every value that was
//     written and no other: see arguments.Lossless
//   - what the policy refuses has none
//   - it runs no tool that runs only as a task, whose server refuses a plain call

// NextCall is a call that the model can send as it stands.
type NextCall struct {
	Name      string          `json:"name"` // in the list of tools that the model is sent
	Arguments json.RawMessage `json:"arguments"`
}

// JSON returns the call as one JSON object.
func (c NextCall) JSON() []byte { return jsontree.Encode(c) }

// Correction is the remedy for a call that is refused.
type Correction struct {
	Kind CorrectionKind `json:"kind"`
	Call NextCall       `json:"call"`
}

// CorrectionKind is the difference of the next call from the one that is refused.
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

// correctable has the codes of calls that another call can replace. A denied call is
// denied however it is called.
var correctable = map[string]bool{
	CodeMissingQuery: true, CodeBridgeInactive: true, CodeMissingName: true, CodeBridgeRecursion: true, CodeBadArguments: true,
	CodeNotObject: true, CodeCoercion: true, CodeUnknownTool: true, CodeAmbiguousName: true, CodeNotDeferrable: true,
	CodeOutOfScope: true, CodeInvalidArguments: true, CodeDeferred: true, CodeNotArray: true, CodeEmpty: true, CodeTooMany: true,
	CodeMissingCalls: true, CodeBadCalls: true, CodeCallsNotArray: true, CodeEntryNotObject: true, CodeLocalBatch: true,
	CodeDirectlyListed: true, CodeNotOffered: true, CodeUnknownName: true, CodeMissingRequired: true, CodeSchemaViolation: true,
}

// correction returns the call to send in place of an attempt that is refused with a
// fault. It is nil for a fault that no call mends. It adds to the message of the fault
// why what was written cannot be sent as it is, where the message does not say so already.
func (a *attempt) correction(f *Fault) *Correction {
	if a.final || !correctable[f.Code] {
		return nil
	}
	c, unfit := a.corrected(f)
	if unfit = slices.DeleteFunc(unfit, func(u string) bool { return strings.Contains(f.Message, u) }); len(unfit) > 0 {
		const most = 5
		if more := len(unfit) - most; more > 0 {
			unfit = append(unfit[:most:most], fmt.Sprintf("and %d more", more))
		}
		f.Message = words.Message(f.Message + "; its arguments do not fit: " + strings.Join(unfit, "; "))
	}
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

// corrected returns the call that seems to be meant, whether or not it gets through, and
// why the arguments that were written cannot be sent.
func (a *attempt) corrected(f *Fault) (c *Correction, unfit []string) {
	s := a.snapshot
	w := written{name: a.called, raw: a.raw}
	if a.outer != nil {
		w = insideOf(written{name: ToolCall, raw: a.outer})
	} else if w.name == "" || w.name == ToolCall {
		w = insideOf(w)
	}
	if IsBridge(w.name) {
		return s.correctBridge(w.name, w.raw), nil
	}
	t := s.meantBy(w.name)
	if t == nil {
		t = s.spelledLike(w.name)
	}
	if t != nil {
		kind := CorrectBridge
		switch {
		case f.Code == CodeInvalidArguments, f.Code == CodeSchemaViolation:
			kind = CorrectArguments
		case s.Status(t) == Sent:
			kind = CorrectDirectly
		case s.ModelName(t) != w.name:
			kind = CorrectName
		}
		// SECURITY: programs send a proposal unchanged. A value that is left out, made
		// up or given to another tool can do what nobody asked for.
		args, unfit := s.fitting(t, w)
		call := NextCall{s.ModelName(t), args}
		switch {
		case len(unfit) > 0 || t.TaskOnly:
			return s.correctUnread(t), unfit // which runs nothing
		case s.Status(t) == Sent:
			return &Correction{kind, call}, nil
		case s.later():
			return &Correction{kind, NextCall{ToolCall, jsontree.Encode(map[string][]NextCall{"calls": {call}})}}, nil
		}
		return &Correction{kind, NextCall{ToolCall, jsontree.Encode(call)}}, nil
	}
	name := w.name
	if name == "" { // the names of the arguments tell what the tool does
		name = strings.Join(namesOf(w.raw), " ")
	}
	if len(f.Suggestions) > 0 { // a name that is only like this one may belong to another tool
		if t := s.meantBy(f.Suggestions[0]); t != nil {
			return s.correctUnread(t), nil
		}
	}
	return s.correctSearch(name), nil
}

// spelledLike returns the one tool that the session can call whose name, or whose name at
// its server, differs from a name in capitals, separators and the prefix mcp alone; nil for
// none and for several.
func (s *Snapshot) spelledLike(name string) (found *model.Tool) {
	letters := func(name string) string {
		return strings.TrimPrefix(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, name), "mcp")
	}
	want := letters(name)
	if want == "" {
		return nil
	}
	for _, t := range s.Registry.Tools {
		if status := s.Status(t); status != Sent && status != Deferred {
			continue
		}
		own := t.OriginalName
		for _, prefix := range model.ServerPrefixes(t.Server) {
			if rest, ok := strings.CutPrefix(t.Name, prefix); ok && own == "" {
				own = rest
			}
		}
		if letters(t.Name) == want || letters(own) == want {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
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

// written is a call as the model wrote it.
type written struct {
	name   string
	raw    json.RawMessage // the arguments
	beside []string        // names of what stands beside them, which a call of the tool would lose
}

// insideOf returns the call that is nested in the arguments of one: the first in them, as
// often as they belong to tool_call. Without a name, its arguments are the innermost.
func insideOf(w written) written {
	const deepest = 8
	for range deepest {
		if w.name != "" && w.name != ToolCall {
			break
		}
		object, err := arguments.Parse(w.raw)
		if err != nil {
			return written{}
		}
		fields := w.open(object)
		if v, err := jsontree.Parse(fields["calls"], jsontree.Python); err == nil {
			if v.Kind == jsontree.String {
				if inner, err := jsontree.Parse([]byte(v.Text), jsontree.Python); err == nil {
					v = inner
				}
			}
			if v.Kind == jsontree.Array && len(v.Children) > 0 {
				if more := len(v.Children) - 1; more > 0 {
					others := "calls[1]"
					if more > 1 {
						others = fmt.Sprintf("calls[1] to calls[%d]", more)
					}
					w.beside = append(w.beside, others)
				}
				v = v.Children[0].Node
			}
			switch v.Kind {
			case jsontree.String: // a name where an object with one was expected
				return written{name: words.Strip(v.Text), beside: w.beside}
			case jsontree.Object:
				w.raw, fields = v.Raw, w.open(v.Raw)
			}
		}
		w.name = words.Strip(arguments.Text(fields["name"]))
		if w.name == "" && fields["arguments"] == nil {
			return w
		}
		w.raw = fields["arguments"]
	}
	return w
}

// open returns the members of an object that holds a call, and notes those that are none
// of a call.
func (w *written) open(object []byte) map[string]json.RawMessage {
	fields := arguments.Members(object)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "name" && name != "arguments" && name != "calls" {
			w.beside = append(w.beside, name)
		}
	}
	return fields
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

// correctUnread returns what to do before a tool is called: read its parameters. It is nil
// for a tool whose parameters are in the list of tools already.
func (s *Snapshot) correctUnread(t *model.Tool) *Correction {
	if s.Status(t) == Sent {
		return nil
	}
	return &Correction{CorrectDescribe, s.asking(ToolDescribe, s.ModelName(t))}
}

// asking returns the call of tool_search or tool_describe for some queries or names.
func (s *Snapshot) asking(tool string, texts ...string) NextCall {
	one, several, most := "name", "names", MaxNames
	if tool == ToolSearch {
		one, several, most = "query", "queries", MaxQueries
	}
	if s.later() {
		return NextCall{tool, jsontree.Encode(map[string][]string{several: texts[:min(len(texts), most)]})}
	}
	return NextCall{tool, jsontree.Encode(map[string]string{one: texts[0]})}
}

// correctSearch returns a search for the words of a name that is not known; nil while
// there is no bridge.
func (s *Snapshot) correctSearch(name string) *Correction {
	if !s.Active() {
		return nil
	}
	// The query is all words, else those that a tool has, else the last of these: bm25-gated
	// finds nothing for a query with a word that no tool has, and the words of a wrong name
	// have one as a rule.
	finds := func(query string) bool { return s.index().Scored(query) > 0 }
	words := splitName(name).words
	query := cmp.Or(strings.Join(words, " "), "what the tool should do")
	if !finds(query) {
		if known := slices.DeleteFunc(words, func(word string) bool { return !finds(word) }); len(known) > 0 {
			if query = strings.Join(known, " "); !finds(query) {
				query = known[len(known)-1]
			}
		}
	}
	return &Correction{CorrectSearch, s.asking(ToolSearch, query)}
}

// correctBridge returns a call of a bridge tool that answers, made of the texts of one
// that does not; nil while there is no bridge.
func (s *Snapshot) correctBridge(tool string, raw json.RawMessage) *Correction {
	texts := textsOf(raw)
	switch {
	case !s.Active():
		return nil
	case tool == ToolDescribe && len(texts) > 0:
		var deferred []string
		for _, name := range texts {
			if c := s.correctName(name); c != nil && c.Kind == CorrectDescribe {
				deferred = append(deferred, textsOf(c.Call.Arguments)...)
			}
		}
		if len(deferred) > 0 {
			return &Correction{CorrectDescribe, s.asking(ToolDescribe, deferred...)}
		}
		return s.correctName(texts[0])
	case tool == ToolSearch && len(texts) > 0:
		return &Correction{CorrectSearch, s.asking(ToolSearch, texts...)}
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

// fitting returns the arguments of a call in a form that the tool takes. It has every value
// that was written and no other. Where no such form exists, unfit has the reasons.
func (s *Snapshot) fitting(t *model.Tool, w written) (args json.RawMessage, unfit []string) {
	for _, name := range w.beside {
		unfit = append(unfit, safetext.Line(name)+": not inside \"arguments\"")
	}
	given, err := arguments.Parse(w.raw)
	if err != nil {
		return nil, append(unfit, err.Message)
	}
	kept, problems := s.validator.Lossless(t.Parameters, given)
	for _, p := range problems {
		unfit = append(unfit, p.String())
	}
	if len(unfit) > 0 {
		return nil, unfit
	}
	// The agent converts what fits already too: text where a union has a number first.
	converted, f := s.coerce(t, kept)
	if f != nil {
		return nil, []string{f.Message}
	}
	if !arguments.SameValues(kept, converted) {
		return nil, []string{"the agent would change a value"}
	}
	if s.Strict && (s.Status(t) == Sent || !s.later()) { // gateSchema checks formats too
		for _, p := range s.validator.ValidateNullable(t.Parameters, converted) {
			if !p.Uncheckable {
				unfit = append(unfit, p.String())
			}
		}
	}
	return kept, unfit
}

// A batch of tool_describe can be answered in part. Each name that is not described
// then has a correction of its own.

// NameCorrection is the remedy for one name of a batch.
type NameCorrection struct {
	Name string `json:"name"` // as the model sent it
	Correction
}

// correctName returns the call to send in place of a tool_describe of one name: the name of the
// tool that is meant, else a search. It is nil when neither gets through, and for a tool
// whose parameters are in the list of tools: who wants to read runs nothing.
func (s *Snapshot) correctName(name string) *Correction {
	t := s.meantBy(name)
	if t == nil {
		if like := s.Suggest(name); len(like) > 0 {
			t = s.meantBy(like[0])
		}
	}
	c := s.correctSearch(name)
	switch {
	case t != nil && s.Status(t) == Deferred:
		c = &Correction{CorrectDescribe, s.asking(ToolDescribe, s.ModelName(t))}
	case t != nil:
		c = nil
	}
	if c == nil || !s.answers(c.Call) {
		return nil
	}
	return c
}

// correctNames adds to an answer the call to send for each name that it does not
// describe, and returns them.
func (s *Snapshot) correctNames(answer *batchDescribeAnswer) []NameCorrection {
	var list []NameCorrection
	for i, name := range answer.Errors.names {
		if c := s.correctName(name); c != nil {
			answer.Errors.values[i].(*Fault).Next = &c.Call // batchDescribe adds nothing else
			list = append(list, NameCorrection{name, *c})
		}
	}
	for _, name := range answer.NotFound {
		if c := s.correctName(name); c != nil {
			answer.Next.add(name, c.Call)
			list = append(list, NameCorrection{name, *c})
		}
	}
	return list
}
