// Package labels reads labelled queries and measures how well a session's
// search answers them.
//
// A labelled query is a request with the tools that answer it. Parse reads
// them, Evaluate asks the session's catalog for each and measures the rankings
// as package retrieval defines it.
//
// Goals: every broken line is reported with its line and column, and the lines
// around it are read; the same queries give the same figures.
//
// Non-goals: the metrics themselves (package retrieval), writing labels.
//
// # Wording
//
// WordClassOf says how far a labelled query has the words of the tools that it
// expects. Where a query repeats a name, finding the tool proves only that words were
// compared; so every figure on labelled queries is split by it.
//
// A name is the tool's own (OwnName): that of mcp_forge_create_issue and of forge.create_issue
// is create_issue, because no request has to say mcp or forge. An underscore alone sets no
// server apart, so that weather_forecast of the server weather has both words.
//
// A text is cut into words by words.Cutter: createIssue is two. Stop words (package
// lexicon) count only in a name that has no others. Words are compared by English stem; the
// stem of a word beyond ASCII is the word.
//
// With W(x) the stems of a name or of the query, and the needed capabilities of a query,
// each a list of tools any of which provides it, a query is in the class
//
//	none  W(name) ∩ W(query) = ∅ for every tool of every need
//	all   every need has a tool with ∅ ≠ W(name) ⊆ W(query)
//	some  otherwise
//
// Example:
//
// The query "creates an issue for the crash" has the stems creat, issu and crash.
//
//	[[create_issue]]                       all: creat and issu
//	[[report_issue, create_issue]]         all: one tool of the need is enough
//	[[create_issue], [label_issue]]        some: the second need lacks label
//	[[open_ticket]]                        none
//
// Invariants:
//   - a query is in one class, whatever the order of its needs, of their tools and of words
//   - one more word in the query never lowers the class, in the order none, some, all; one
//     more tool in a need does not either
//   - a query made of the names of its tools is in all, one without words in none
//
// Non-goals: synonyms, misspellings, the words of descriptions.
package labels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Query is one labelled query: a request, and the tools that answer it. Names
// are as the model sees them, or qualified where several tools bear one.
type Query struct {
	ID       string // unique in its file
	Text     string // not blank
	Relevant []string
	Groups   [][]string         // needed capabilities, any name of a group satisfies it; nil: every relevant tool is its own
	Grades   map[string]float64 // how relevant a tool is; nil: all are alike
	Group    string             // of the task: queries of one task never stand on both sides of learning; empty: the text is the task
	Line     int                // in its file, from 1
}

// maxQueryFaults bounds how many broken lines Parse reports one by one.
const maxQueryFaults = 20

// Parse reads labelled queries as JSON Lines: one object a line,
//
//	{"id": text, "query": text, "relevant": [names], "groups": [[names]], "grades": {name: number}, "group": text}
//
// where groups, grades and group may be missing, and relevant may when there are
// groups, which then name the relevant tools. A missing id is "line" and the
// number of the line. Blank lines, unknown members, and all but the first
// mention of a name in one list are passed over; CR LF ends a line too.
//
// A line that is not such an object is left out, and the diagnostics have its
// first fault with its position; after twenty of them the last one counts the
// rest. Their codes are not_utf8, json_syntax, not_a_query, missing_field,
// bad_field, duplicate_key and duplicate_id.
func Parse(file string, data []byte) ([]Query, []model.Diagnostic) {
	var queries []Query
	var faults []model.Diagnostic
	more := 0
	lineOf := map[string]int{} // of every id
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\uFEFF"))) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		q, f := parseQuery(line, number)
		if first, taken := lineOf[q.ID]; taken && f == nil {
			f = &model.Diagnostic{Col: 1, Code: "duplicate_id", Path: "id", Message: fmt.Sprintf("%q is also on line %d", q.ID, first)}
		}
		switch {
		case f == nil:
			lineOf[q.ID] = number
			queries = append(queries, q)
		case len(faults) < maxQueryFaults:
			f.File, f.Line = safetext.Line(file), number
			f.Path, f.Message = safetext.Line(f.Path), words.Message(safetext.Line(f.Message))
			faults = append(faults, *f)
		default:
			more++
		}
	}
	if more > 0 {
		rest := "1 more line is not a labelled query"
		if more > 1 {
			rest = fmt.Sprintf("%d more lines are not labelled queries", more)
		}
		faults = append(faults, model.Diagnostic{File: safetext.Line(file), Code: "more_errors", Message: words.Message(rest)})
	}
	return queries, faults
}

// parseQuery reads one line, which is not blank. A fault has its column, code, path and message.
func parseQuery(line []byte, number int) (Query, *model.Diagnostic) {
	if at := len(line) - len(bytes.TrimLeft(line, " \t\r")); line[at] != '{' {
		return Query{}, &model.Diagnostic{Col: at + 1, Code: "not_a_query", Message: "want one JSON object a line"}
	}
	root, f := onlyValue(line)
	if f != nil {
		return Query{}, f
	}
	q := Query{ID: fmt.Sprintf("line %d", number), Line: number}
	members, f := membersOf(root, "")
	if f != nil {
		return Query{}, f
	}
	for _, m := range members {
		if f := q.read(m); f != nil {
			return Query{}, f
		}
	}
	if q.Relevant == nil {
		for _, group := range q.Groups {
			q.Relevant = append(q.Relevant, group...)
		}
		q.Relevant = firstMentions(q.Relevant)
	}
	switch {
	case q.Text == "":
		return Query{}, &model.Diagnostic{Col: root.At + 1, Code: "missing_field", Path: "query", Message: "missing"}
	case len(q.Relevant) == 0:
		return Query{}, &model.Diagnostic{Col: root.At + 1, Code: "missing_field", Path: "relevant", Message: "missing"}
	}
	return q, nil
}

// read takes over one member of a line's object.
func (q *Query) read(m jsontree.Member) (f *model.Diagnostic) {
	switch m.Name {
	case "id":
		q.ID, f = textOf(m.Value, "id")
	case "query":
		q.Text, f = textOf(m.Value, "query")
	case "relevant":
		q.Relevant, f = namesOf(m.Value, "relevant")
	case "groups":
		if m.First() != '[' {
			return badField(m.Value, "groups", "want an array")
		}
		for i, g := range m.Elements() {
			names, f := namesOf(g, fmt.Sprintf("groups[%d]", i))
			if f != nil {
				return f
			}
			q.Groups = append(q.Groups, names)
		}
	case "group":
		q.Group, f = textOf(m.Value, "group")
	case "grades":
		grades, f := membersOf(m.Value, "grades")
		if f != nil {
			return f
		}
		q.Grades = make(map[string]float64, len(grades))
		for _, g := range grades {
			var grade float64
			if err := json.Unmarshal(g.Raw, &grade); err != nil || g.Raw[0] == 'n' || grade < 0 {
				return badField(g.Value, "grades."+g.Name, "want a number, 0 or more")
			}
			q.Grades[g.Name] = grade
		}
	}
	return f
}

// firstMentions returns names without those that stand further ahead already.
// It uses the memory of names.
func firstMentions(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(n string) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
}

// AsCalled returns queries with the names that the tools have in a registry, where
// labels have the names of the agent's other generation.
func AsCalled(r *model.Registry, queries []Query) []Query {
	names := map[string]string{}
	for _, q := range queries {
		for _, list := range append([][]string{q.Relevant}, q.Groups...) {
			for _, name := range list {
				if found := r.Called(name); len(found) == 1 && r.Lookup(name) == nil {
					names[name] = found[0].Qualified
				}
			}
		}
	}
	if len(names) == 0 {
		return queries
	}
	renamed := func(list []string) []string {
		list = slices.Clone(list)
		for i, name := range list {
			if is, ok := names[name]; ok {
				list[i] = is
			}
		}
		return list
	}
	queries = slices.Clone(queries)
	for i := range queries {
		q := &queries[i]
		q.Relevant = renamed(q.Relevant)
		q.Groups = slices.Clone(q.Groups)
		for g, group := range q.Groups {
			q.Groups[g] = renamed(group)
		}
		grades := q.Grades
		if grades == nil {
			continue
		}
		q.Grades = map[string]float64{}
		for name, grade := range grades {
			if is, ok := names[name]; ok {
				name = is
			}
			q.Grades[name] = grade
		}
	}
	return queries
}
