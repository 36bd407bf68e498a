package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// The bridge of september-2026 takes several queries, and several names, in one call.

// maxLaterDescription bounds a description in an answer of tool_search in
// september-2026, in code points, without the … that marks the cut. Source: the
// reference agent, September 2026.
const maxLaterDescription = 500

// Bounds of the required parameters in such an answer: how many are named, and how
// long a name may be in code points. Source: as above.
const (
	maxRequired     = 32
	maxRequiredName = 64
)

// batchSearchAnswer is the answer of tool_search to the model in september-2026.
type batchSearchAnswer struct {
	Queries        []string      `json:"queries"`
	TotalAvailable int           `json:"total_available"`
	Results        []batchResult `json:"results"` // one for each query
	Tools          named         `json:"tools"`   // every tool that a result names: found
}

// batchResult is the result of one query of a batch.
type batchResult struct {
	Query   string   `json:"query"`
	Matches []string `json:"matches"`
	Sources []named  `json:"available_sources,omitempty"` // the groups of the catalog with their tools, when nothing matches
	abstention
}

// batchDescribeAnswer is the answer of tool_describe to the model in september-2026.
type batchDescribeAnswer struct {
	Tools    named    `json:"tools"`               // described, in the order of the request
	NotFound []string `json:"not_found,omitempty"` // what the session's catalog does not have
	Hint     string   `json:"hint,omitempty"`
	Errors   named    `json:"errors,omitzero"`     // Fault, for names that are no business of the bridge
	Next     named    `json:"next_calls,omitzero"` // NextCall, for names of NotFound
}

// named is a JSON object whose members keep their order.
type named struct {
	names  []string
	values []any
}

// add adds a member, unless there is one of the name.
func (n *named) add(name string, value any) {
	if !slices.Contains(n.names, name) {
		n.names, n.values = append(n.names, name), append(n.values, value)
	}
}

// IsZero reports whether there is no member.
func (n named) IsZero() bool { return len(n.names) == 0 }

// MarshalJSON returns the object.
func (n named) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range n.names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsontree.Encode(name))
		b.WriteByte(':')
		b.Write(jsontree.Encode(n.values[i]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// batchOf returns the texts of a batch, trimmed and without empty ones: the items of
// a list as their texts, or one text by itself. key is the bridge tool's name of the
// batch.
func batchOf(raw json.RawMessage, key string, distinct bool, most int) ([]string, *Fault) {
	var items []json.RawMessage
	v, err := jsontree.Parse(raw, jsontree.Python)
	switch {
	case err == nil && v.Kind == jsontree.String:
		items = []json.RawMessage{raw}
	case err == nil && v.Kind == jsontree.Array:
		for _, item := range v.Children {
			items = append(items, item.Raw)
		}
	default:
		return nil, fault(CodeNotArray, fmt.Sprintf(`%q must be an array of texts: send {%q: ["..."]}`, key, key))
	}
	var texts []string
	for _, item := range items {
		if text := arguments.Text(item); text != "" && !(distinct && slices.Contains(texts, text)) {
			texts = append(texts, text)
		}
	}
	switch {
	case len(texts) == 0:
		return nil, fault(CodeEmpty, fmt.Sprintf(`%q has no text: send {%q: ["..."]}`, key, key))
	case len(texts) > most:
		return nil, fault(CodeTooMany, fmt.Sprintf("%d %s in one call, and at most %d are taken: send the others in a second call", len(texts), key, most))
	}
	return texts, nil
}

// batchSearch searches the session's catalog for several queries.
//
// SECURITY: it ranks the session's catalog and nothing else.
func (s *Snapshot) batchSearch(queries []string, limit int) batchSearchAnswer {
	answer := batchSearchAnswer{Queries: queries, TotalAvailable: len(s.Catalog())}
	for _, query := range queries {
		result := batchResult{Query: query, Matches: []string{}}
		hits := s.index().Search(query, limit).Hits
		if a, abstains := s.abstain(query); abstains && len(hits) > 0 {
			answer.Results = append(answer.Results, batchResult{Query: query, Matches: []string{}, abstention: a})
			continue
		}
		for _, h := range hits {
			t := s.Catalog()[h.Doc]
			result.Matches = append(result.Matches, s.ModelName(t))
			answer.Tools.add(s.ModelName(t), s.found(t))
		}
		if len(result.Matches) == 0 && answer.TotalAvailable > 0 {
			counts := map[string]int{}
			for _, t := range s.Catalog() {
				counts[tokens.GroupLabel(t.Toolset)]++
			}
			for _, label := range slices.Sorted(maps.Keys(counts)) {
				var source named
				source.add("name", label)
				source.add("tool_count", counts[label])
				result.Sources = append(result.Sources, source)
			}
			result.Hint = "No tool has the words of this query. Try other words for what it should do, or the name of a source."
		}
		answer.Results = append(answer.Results, result)
	}
	return answer
}

// requiredNames returns the names that a schema requires, in its order. Items that are
// no names are left out, and a list that is none counts as empty; never nil.
func requiredNames(parameters []byte) []string {
	names := []string{}
	v, err := jsontree.Parse(arguments.Members(parameters)["required"], jsontree.Python)
	if err != nil {
		return names
	}
	for _, item := range v.Elements() {
		if item.Kind == jsontree.String {
			names = append(names, item.Text)
		}
	}
	return names
}

// batchDescribe describes the tools of the session's catalog that some names stand
// for. offered is as for laterName.
//
// SECURITY: a schema outside the session's scope is never shown, whatever its name.
func (s *Snapshot) batchDescribe(names []string, offered func(string) bool) batchDescribeAnswer {
	answer := batchDescribeAnswer{}
	for _, name := range names {
		if t, f := s.describedBy(s.describeGates(), name); f == nil {
			answer.Tools.add(name, s.described(t))
			continue
		}
		if f := s.laterName(name, offered); f != nil && len(s.Registry.Lookup(name)) > 0 {
			answer.Errors.add(name, f)
			continue
		}
		answer.NotFound = append(answer.NotFound, name)
	}
	if len(answer.NotFound) > 0 {
		answer.Hint = fmt.Sprintf("Names are case-sensitive. %s finds them.", ToolSearch)
	}
	return answer
}

// described returns a tool as tool_describe shows it.
func (s *Snapshot) described(t *model.Tool) (shown named) {
	if s.later() {
		description := arguments.Members(t.Function)["description"] // as the definition has it: null stays null
		if description == nil {
			description = json.RawMessage(`""`)
		}
		shown.add("description", description)
	} else {
		shown.add("name", s.ModelName(t))
		shown.add("description", t.Description)
	}
	parameters := json.RawMessage(t.Parameters)
	if parameters == nil {
		parameters = json.RawMessage("{}")
	}
	shown.add("parameters", parameters)
	if t.TaskOnly { // a field that the reference agent does not have
		shown.add("note", onlyAsTask)
	}
	return shown
}

// offered reports whether the model is sent a tool of a name.
func (s *Snapshot) offered(name string) bool {
	if IsBridge(name) {
		return s.Active()
	}
	return slices.ContainsFunc(s.Registry.Lookup(name), func(t *model.Tool) bool { return s.sent[t.Index] })
}

// laterName returns why the agent of september-2026 does not take a name through its
// bridge; nil when the name is deferrable somewhere in the registry, or listed in
// tools.tool_search.defer. Unless the name is one of the registry when its letters are
// lowered and blanks and hyphens are underscores, it is unknown. offered reports which
// names the model is sent; nil when that is not known.
func (s *Snapshot) laterName(name string, offered func(string) bool) *Fault {
	if s.deferrableAnywhere(name) {
		return nil
	}
	plain := foldName(name)
	if len(s.Registry.Lookup(plain)) == 0 {
		return fault(CodeUnknownName, fmt.Sprintf("no tool is called %s: search for it with %s", safetext.Line(name), ToolSearch), s.Suggest(name)...)
	}
	switch {
	case offered == nil || offered(plain):
	case s.deferrableAnywhere(plain):
		return fault(CodeNotOffered, fmt.Sprintf("no tool is called %s: the name is %s", safetext.Line(name), safetext.Line(plain)))
	default:
		return fault(CodeNotOffered, fmt.Sprintf("%s is not behind the bridge, and this session is not sent it", safetext.Line(plain)))
	}
	return fault(CodeDirectlyListed, fmt.Sprintf("%s is in your tools list: call %s directly, not through %s", safetext.Line(plain), safetext.Line(plain), ToolCall))
}

// deferrableAnywhere reports whether some tool of the registry with a name may be
// deferred, whatever the session is granted.
func (s *Snapshot) deferrableAnywhere(name string) bool {
	if s.classifier.deferred[name] {
		return true
	}
	return slices.ContainsFunc(s.Registry.Lookup(name), func(t *model.Tool) bool { return s.classByName[t.Index] == Deferrable })
}

// foldName returns a name as the agent of september-2026 looks it up a second time:
// in lower case, with underscores for blanks and hyphens.
func foldName(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(words.Strip(name)))
}

// agentSuggestions returns the names that the agent of september-2026 offers for one
// that it does not know: the names of the whole registry that end in the name behind two
// underscores, sorted. Unlike Suggest it looks beyond the session's scope.
func (s *Snapshot) agentSuggestions(name string) []string {
	names := []string{}
	tail := "__" + foldName(name)
	for _, t := range s.facts.byName() {
		if strings.HasSuffix(t.Name, tail) && !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// later reports whether the bridge answers as in september-2026.
func (s *Snapshot) later() bool { return s.Config.ToolSearch.Generation == config.September2026 }

// AnswerUnits returns the size of the answer of tool_search to a query, without what it
// lists, in units of Tokenizer. The answer with hits has this size and the HitUnits of
// each, to a few units for the commas between them.
func (s *Snapshot) AnswerUnits(query string) int {
	if s.later() {
		answer := batchSearchAnswer{Queries: []string{query}, TotalAvailable: len(s.Catalog()), Results: []batchResult{{Query: query, Matches: []string{}}}}
		return s.Tokenizer.Units(jsontree.Encode(answer))
	}
	return s.Tokenizer.Units(jsontree.Encode(searchAnswer{Query: query, TotalAvailable: len(s.Catalog()), Matches: []named{}}))
}

// HitUnits returns the size of one hit in the answer of tool_search, in units of
// Tokenizer.
func (s *Snapshot) HitUnits(t *model.Tool) int {
	if s.later() {
		name := s.ModelName(t)
		var tools named
		tools.add(name, s.found(t))
		return s.Tokenizer.Units(jsontree.Encode(name)) + s.Tokenizer.Units(jsontree.Encode(tools)) - s.Tokenizer.Units([]byte("{}"))
	}
	return s.Tokenizer.Units(jsontree.Encode(s.found(t)))
}

// found returns a tool as an answer of tool_search lists it.
func (s *Snapshot) found(t *model.Tool) (shown named) {
	if !s.later() {
		shown.add("name", s.ModelName(t))
	}
	shown.add("source", SourceOf(t.Toolset))
	shown.add("source_name", t.Toolset)
	if s.later() {
		description := words.First(t.Description, maxLaterDescription)
		if len(description) < len(t.Description) {
			description += "…"
		}
		required := requiredNames(t.Parameters)
		required = required[:min(len(required), maxRequired)]
		for i, name := range required {
			required[i] = words.First(name, maxRequiredName)
		}
		shown.add("description", description)
		shown.add("required", required)
	} else {
		shown.add("description", words.First(t.Description, maxMatchDescription))
	}
	if t.TaskOnly { // a field that the reference agent does not have
		shown.add("note", onlyAsTask)
	}
	return shown
}
