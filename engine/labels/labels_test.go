package labels

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/words"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []Query
	}{
		{"nothing", "", nil},
		{"blank lines", "\n \t\r\n\n", nil},
		{"plain", `{"id": "a", "query": "open a door", "relevant": ["door_open"]}`,
			[]Query{{ID: "a", Text: "open a door", Relevant: []string{"door_open"}, Line: 1}}},
		{"byte order mark, CR LF, blank line between", "\uFEFF{\"query\":\"x\",\"relevant\":[\"t\"]}\r\n\r\n{\"id\":\"b\",\"query\":\"y\",\"relevant\":[\"u\"]}\r\n",
			[]Query{{ID: "line 1", Text: "x", Relevant: []string{"t"}, Line: 1}, {ID: "b", Text: "y", Relevant: []string{"u"}, Line: 3}}},
		{"unknown members", `{"id":"a","query":"x","relevant":["t"],"category":{"query":1},"n":null}`,
			[]Query{{ID: "a", Text: "x", Relevant: []string{"t"}, Line: 1}}},
		{"grades", `{"id":"a","query":"x","relevant":["t","u"],"grades":{"t":2,"u":0.5}}`,
			[]Query{{ID: "a", Text: "x", Relevant: []string{"t", "u"}, Grades: map[string]float64{"t": 2, "u": 0.5}, Line: 1}}},
		{"groups", `{"id":"a","query":"x","relevant":["t","u"],"groups":[["t"],["u","t"]]}`,
			[]Query{{ID: "a", Text: "x", Relevant: []string{"t", "u"}, Groups: [][]string{{"t"}, {"u", "t"}}, Line: 1}}},
		{"groups alone", `{"id":"a","groups":[["t","t"],["u","t"]],"query":"x"}`,
			[]Query{{ID: "a", Text: "x", Relevant: []string{"t", "u"}, Groups: [][]string{{"t"}, {"u", "t"}}, Line: 1}}},
		{"repeated names", `{"id":"a","query":"x","relevant":["t","u","t"]}`,
			[]Query{{ID: "a", Text: "x", Relevant: []string{"t", "u"}, Line: 1}}},
		{"escapes", `{"id":"\u0061","query":"\u001b[31m","relevant":["m\u00fc"]}`,
			[]Query{{ID: "a", Text: "\x1b[31m", Relevant: []string{"mü"}, Line: 1}}},
	}
	for _, tt := range tests {
		got, faults := Parse("q.jsonl", []byte(tt.text))
		if !reflect.DeepEqual(got, tt.want) || len(faults) > 0 {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, got, faults, tt.want)
		}
	}
}

func TestParseQueriesDuplicateIDs(t *testing.T) {
	line := `{"id":"a","query":"x","relevant":["t"]}` + "\n"
	got, faults := Parse("q\x1b.jsonl", []byte(line+"broken\n"+line))
	if len(got) != 1 || len(faults) != 2 || faults[1].Error() != `q␛.jsonl:3:1: id: "a" is also on line 1` {
		t.Errorf("%+v, %v", got, faults)
	}
}

// The files that are labelled already are read whole.
func TestParseQueriesOfOthers(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/eval/*/queries.jsonl")
	files = append(files, "../../tui/demo/queries.jsonl")
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		queries, faults := Parse(name, data)
		if lines := strings.Count(strings.TrimSpace(string(data)), "\n") + 1; len(queries) != lines || len(faults) > 0 {
			t.Errorf("%s: %d queries of %d lines, %v", name, len(queries), lines, faults)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","query":"x","relevant":["t"],"groups":[["t"]],"grades":{"t":1}}`,
		"\uFEFF{}\r\n[]\n{\"id\":1}\n", `{"query":"x","relevant":["t"]} x`, "\xff", `{"a":{"a":[`,
		strings.Repeat("[", 20_000), `{"":0,"":0}`, "{\"query\":\"x\",\"relevant\":[\"\\ud800\"]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		queries, faults := Parse("q", data)
		again, sameFaults := Parse("q", data)
		if !reflect.DeepEqual(queries, again) || !reflect.DeepEqual(faults, sameFaults) {
			t.Fatal("two readings differ")
		}
		lines := strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
		for _, d := range faults {
			if d.Code != "more_errors" && (d.Line < 1 || d.Line > len(lines) || d.Col < 1 || d.Col > len(lines[d.Line-1])+1) {
				t.Fatalf("%v is outside of the file", d)
			}
		}
		// What was read, written and read again, is the same.
		var text strings.Builder
		ids := map[string]bool{}
		for _, q := range queries {
			if ids[q.ID] || words.Strip(q.Text) == "" || len(q.Relevant) == 0 || !utf8.ValidString(q.Text) {
				t.Fatalf("%+v", q)
			}
			ids[q.ID] = true
			members := map[string]any{"id": q.ID, "query": q.Text, "relevant": q.Relevant}
			if q.Groups != nil {
				members["groups"] = q.Groups
			}
			if q.Grades != nil {
				members["grades"] = q.Grades
			}
			line, err := json.Marshal(members)
			require.NoError(t, err)
			fmt.Fprintf(&text, "%s%s\n", strings.Repeat("\n", q.Line-1-strings.Count(text.String(), "\n")), line)
		}
		written, faults := Parse("q", []byte(text.String()))
		if len(faults) > 0 || !reflect.DeepEqual(written, queries) {
			t.Fatalf("%+v, %v; want %+v", written, faults, queries)
		}
	})
}

// Every broken line has its fault in whole words, and its place; the
// lines around it are read.
func TestQueryFaultWords(t *testing.T) {
	const whole = `{"id":"z","query":"x","relevant":["t"]}`
	tests := []struct{ name, line, want, code string }{
		{"a name without quotes", `{"id":"a",query:1}`, `2:11: invalid character 'q' looking for beginning of object key string`, "json_syntax"},
		{"a comma too many", `{"id":"a",}`, `2:11: invalid character '}' looking for beginning of object key string`, "json_syntax"},
		{"a value too many", whole + " 7", "2:41: more than one value on the line", "json_syntax"},
		{"an open text", `{"id":"a`, "2:9: the line ends within a value", "json_syntax"},
		{"a tab in a text", "{\"id\":\"a\tb\"}", `2:9: invalid character '\t' in string literal`, "json_syntax"},
		{"a word", "query", "2:1: want one JSON object a line", "not_a_query"},
		{"a text", `  "query"`, "2:3: want one JSON object a line", "not_a_query"},
		{"an empty object", `{}`, "2:1: query: missing", "missing_field"},
		{"an empty id", `{"id":"","query":"x","relevant":["t"]}`, "2:7: id: empty", "bad_field"},
		{"a blank id", `{"id": " ","query":"x","relevant":["t"]}`, "2:8: id: empty", "bad_field"},
		{"a number for id", `{"id": 7,"query":"x","relevant":["t"]}`, "2:8: id: want text", "bad_field"},
		{"an object for query", `{"query": {},"relevant":["t"]}`, "2:11: query: want text", "bad_field"},
		{"null for relevant", `{"query":"x","relevant": null}`, "2:26: relevant: want an array", "bad_field"},
		{"an empty name", `{"query":"x","relevant":["t",""]}`, "2:30: relevant[1]: empty", "bad_field"},
		{"no relevant", ` {"query":"x"}`, "2:2: relevant: missing", "missing_field"},
		{"an object for groups", `{"query":"x","groups":{}}`, "2:23: groups: want an array", "bad_field"},
		{"a number in a group", `{"query":"x","groups":[["t"],["u", 1]]}`, "2:36: groups[1][1]: want text", "bad_field"},
		{"a text for a grade", `{"query":"x","relevant":["t"],"grades":{"t":"1"}}`, "2:45: grades.t: want a number, 0 or more", "bad_field"},
		{"a grade twice", `{"query":"x","relevant":["t"],"grades":{"t":1, "t":2}}`, "2:52: grades.t: given twice", "duplicate_key"},
		{"an id that is taken", whole, `2:1: id: "z" is also on line 1`, "duplicate_id"},
		{"not UTF-8, after wide characters", "{\"id\":\"é\xc3\"}", "2:10: not UTF-8", "not_utf8"},
		{"a mark in the middle of a file", "\uFEFF" + whole, "2:1: want one JSON object a line", "not_a_query"},
		{"empty relevant", `{"id":"a","query":"x","relevant": []}`, "2:35: relevant: names no tool", "bad_field"},
		{"empty group", `{"id":"a","query":"x","groups":[["t"], []]}`, "2:40: groups[1]: names no tool", "bad_field"},
		{"blank query", `{"id":"a","query":" \t","relevant":["t"]}`, "2:19: query: empty", "bad_field"},
		{"number in relevant", `{"id":"a","query":"x","relevant":["t", 3]}`, "2:40: relevant[1]: want text", "bad_field"},
		{"text in groups", `{"id":"a","query":"x","groups":["t"]}`, "2:33: groups[0]: want an array", "bad_field"},
		{"grade below zero", `{"id":"a","query":"x","relevant":["t"],"grades":{"t": -1}}`, "2:55: grades.t: want a number, 0 or more", "bad_field"},
		{"huge grade", `{"id":"a","query":"x","relevant":["t"],"grades":{"t":1e999}}`, "2:54: grades.t: want a number, 0 or more", "bad_field"},
		{"null", `null`, "2:1: want one JSON object a line", "not_a_query"},
		{"cut off", `{"id":"a","qu`, "2:14: the line ends within a value", "json_syntax"},
		{"opening bracket", `[`, "2:1: want one JSON object a line", "not_a_query"},
		{"another language", ` tools: {}`, "2:2: want one JSON object a line", "not_a_query"},
		{"opening brace", `{`, "2:2: the line ends within a value", "json_syntax"},
		{"not UTF-8", "{\"id\":\"\xff\"}", "2:8: not UTF-8", "not_utf8"},
		{"escapes of a terminal", `{"query":"x","relevant":["t"],"grades":{"\u001b[2J":-1}}`, "2:53: grades.␛[2J: want a number, 0 or more", "bad_field"},
	}
	for _, tt := range tests {
		for _, end := range []string{"\n", "\r\n"} {
			text := "\uFEFF" + whole + end + tt.line + end + strings.Replace(whole, "z", "y", 1)
			got, faults := Parse("q.jsonl", []byte(text))
			if len(got) != 2 || got[1].ID != "y" || got[1].Line != 3 || len(faults) != 1 {
				t.Errorf("%s: %+v, %v", tt.name, got, faults)
				continue
			}
			if f := faults[0]; f.Error() != "q.jsonl:"+tt.want || f.Code != tt.code {
				t.Errorf("%s: %s %s\nwant %s q.jsonl:%s", tt.name, f.Code, f.Error(), tt.code, tt.want)
			}
		}
	}
}

// Broken lines are counted one by one up to the bound, and the rest together:
// at the bound there is no rest.
func TestQueryFaultsAtTheBound(t *testing.T) {
	for lines, last := range map[int]string{
		20:   "q.jsonl:20:1: want one JSON object a line",
		21:   "q.jsonl: 1 more line is not a labelled query",
		1000: "q.jsonl: 980 more lines are not labelled queries",
	} {
		got, faults := Parse("q.jsonl", []byte(strings.Repeat("oops\n", lines)+`{"query":"x","relevant":["t"]}`))
		if len(got) != 1 || got[0].ID != fmt.Sprint("line ", lines+1) || len(faults) != min(lines, 21) || faults[len(faults)-1].Error() != last {
			t.Errorf("%d lines: %v", lines, faults)
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, query string
		needs       [][]string
		want        WordClass
	}{
		{"every word, in another form", "creates an issue for the crash", [][]string{{"create_issue"}}, AllWords},
		{"one tool of the need is enough", "creates an issue for the crash", [][]string{{"report_issue", "create_issue"}}, AllWords},
		{"the second need lacks a word", "creates an issue for the crash", [][]string{{"create_issue"}, {"label_issue"}}, SomeWords},
		{"no word", "creates an issue for the crash", [][]string{{"open_ticket"}}, NoWords},
		{"words of two tools do not add up", "list the labels", [][]string{{"list_issues", "open_labels"}}, SomeWords},
		{"one need whole, one untouched", "open a ticket", [][]string{{"open_ticket"}, {"send_mail"}}, SomeWords},
		{"camelCase", "parse http response", [][]string{{"parseHTTPResponse"}}, AllWords},
		{"a part of a word is no word", "reissue the card", [][]string{{"issue"}}, NoWords},
		{"stop words of a name do not count", "list issues", [][]string{{"list_of_the_issues"}}, AllWords},
		{"stop words of a query do not either", "the what of it", [][]string{{"list_of_the_issues"}}, NoWords},
		{"a name of stop words alone", "what is on now", [][]string{{"Now"}}, AllWords},
		{"a name of stop words alone, without them", "today's weather", [][]string{{"Now"}}, NoWords},
		{"another script", "请查询港口管理", [][]string{{"港口管理"}}, AllWords},
		{"a name without words", "open a ticket", [][]string{{"___"}}, NoWords},
		{"a tool without words beside one with", "open a ticket", [][]string{{"___", "open_ticket"}}, AllWords},
		{"an empty query", "", [][]string{{"open_ticket"}}, NoWords},
		{"no needs", "open a ticket", nil, NoWords},
		{"a need without tools", "open a ticket", [][]string{{"open_ticket"}, {}}, SomeWords},
	} {
		if got := WordClassOf(c.query, c.needs); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		name string
		tool model.Tool
		want string
	}{
		{"one underscore", model.Tool{Name: "mcp_forge_create_issue", Toolset: "mcp-forge"}, "create_issue"},
		{"two underscores", model.Tool{Name: "mcp__forge__create_issue", Toolset: "mcp-forge"}, "create_issue"},
		{"the server says more than the toolset", model.Tool{Name: "mcp_big_forge_sync", Toolset: "mcp-big", Server: "big-forge"}, "sync"},
		{"the source says it", model.Tool{Name: "forge_x1", OriginalName: "createIssue", Toolset: "mcp-forge"}, "createIssue"},
		{"a dot", model.Tool{Name: "geometry.area", Toolset: "geometry"}, "area"},
		{"a namespace", model.Tool{Name: "forge__create_issue", Toolset: "forge"}, "create_issue"},
		{"an underscore sets nothing apart", model.Tool{Name: "weather_forecast", Toolset: "mcp-weather"}, "weather_forecast"},
		{"another's dot", model.Tool{Name: "geometry.area", Toolset: "shapes"}, "geometry.area"},
		{"nothing behind it", model.Tool{Name: "forge__", Toolset: "forge"}, "forge__"},
		{"no toolset", model.Tool{Name: ".hidden"}, ".hidden"},
	} {
		if got := OwnName(&c.tool); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The invariants of the package, on words that stem alike, that are stop words and that
// are neither.
func TestInvariants(t *testing.T) {
	word := rapid.SampledFrom([]string{"create", "creating", "issue", "issues", "ticket", "the", "of", "now", "mail", "港口"})
	text := func(between string, least int) *rapid.Generator[string] {
		return rapid.Map(rapid.SliceOfN(word, least, 4), func(list []string) string { return strings.Join(list, between) })
	}
	needs := rapid.SliceOfN(rapid.SliceOfN(text("_", 1), 1, 3), 1, 3)
	rapid.Check(t, func(t *rapid.T) {
		query, of := text(" ", 0).Draw(t, "query"), needs.Draw(t, "needs")
		class := WordClassOf(query, of)

		turned := slices.Clone(of)
		slices.Reverse(turned)
		for i := range turned {
			turned[i] = slices.Clone(turned[i])
			slices.Reverse(turned[i])
		}
		said := strings.Fields(query)
		slices.Reverse(said)
		if got := WordClassOf(strings.Join(said, " "), turned); got != class {
			t.Errorf("%v, in another order %v", class, got)
		}
		if got := WordClassOf(query+" "+word.Draw(t, "one more"), of); got < class {
			t.Errorf("%v, with one more word %v", class, got)
		}
		more := slices.Clone(of)
		more[0] = append(slices.Clone(of[0]), text("_", 1).Draw(t, "one more tool"))
		if got := WordClassOf(query, more); got < class {
			t.Errorf("%v, with one more tool %v", class, got)
		}
		var names []string
		for _, need := range of {
			names = append(names, need...)
		}
		if got := WordClassOf(strings.ReplaceAll(strings.Join(names, " "), "_", " "), of); got != AllWords {
			t.Errorf("the names themselves: %v", got)
		}
		if got := WordClassOf("", of); got != NoWords {
			t.Errorf("without words: %v", got)
		}
	})
}

// TestWordSplit: a class without a query has the recall 0, the others the mean.
func TestWordSplit(t *testing.T) {
	var s WordSplit
	for _, add := range []struct {
		class  WordClass
		recall float64
	}{{SomeWords, 1}, {AllWords, 0.5}, {SomeWords, 0}, {SomeWords, 0.5}} {
		s.Add(add.class, add.recall)
	}
	if s.Means(); s != (WordSplit{{}, {3, 0.5}, {1, 0.5}}) {
		t.Errorf("%+v", s)
	}
	if got := []string{NoWords.String(), SomeWords.String(), AllWords.String()}; !slices.Equal(got, []string{"none", "some", "all"}) {
		t.Errorf("%q", got)
	}
}

// TestAsCalled: labels with the names of the agent's other generation are of the registry's tools;
// names that it has, or that several tools have, stay. The queries that were given do not change.
func TestAsCalled(t *testing.T) {
	made := func(name, server, original string) *model.Tool {
		return &model.Tool{Name: name, Server: server, OriginalName: original, Toolset: "mcp-" + server, Available: true}
	}
	r := model.NewRegistry([]*model.Tool{made("mcp_port_list-ships", "port", "list-ships"), made("plain", "", "")}, nil)
	other := r.Tools[0].Aliases()[0]
	given := Query{ID: "7", Text: "q", Group: "g", Relevant: []string{other, "plain", "none"}, Groups: [][]string{{"plain"}, {other, "none"}}, Grades: map[string]float64{other: 2, "none": 1}}
	for name, c := range map[string]struct {
		given Query
		want  Query
	}{
		"as it is": {Query{Relevant: []string{"plain", "none"}}, Query{Relevant: []string{"plain", "none"}}},
		"renamed": {given, Query{ID: "7", Text: "q", Group: "g", Relevant: []string{"mcp_port_list-ships", "plain", "none"}, Groups: [][]string{{"plain"}, {"mcp_port_list-ships", "none"}},
			Grades: map[string]float64{"mcp_port_list-ships": 2, "none": 1}}},
		"in a group alone": {Query{Relevant: []string{"plain"}, Groups: [][]string{{other}}}, Query{Relevant: []string{"plain"}, Groups: [][]string{{"mcp_port_list-ships"}}}},
	} {
		got := AsCalled(r, []Query{c.given})
		if !reflect.DeepEqual(got, []Query{c.want}) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		lesson := learned.Lesson{ID: c.want.ID, Text: c.want.Text, Group: c.want.Group, Tools: c.want.Relevant}
		if l := Lessons(r, []Query{c.given}).List; !reflect.DeepEqual(l, []learned.Lesson{lesson}) {
			t.Errorf("%s: lessons %+v", name, l)
		}
	}
	if given.Relevant[0] != other || given.Groups[1][0] != other || given.Grades[other] != 2 {
		t.Errorf("changed: %+v", given)
	}
}
