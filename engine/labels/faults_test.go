package labels

import (
	"strings"
	"testing"
)

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
		maxQueryFaults:     "q.jsonl:20:1: want one JSON object a line",
		maxQueryFaults + 1: "q.jsonl: 1 more line is not a labelled query",
	} {
		_, faults := Parse("q.jsonl", []byte(strings.Repeat("oops\n", lines)))
		if len(faults) != lines || faults[len(faults)-1].Error() != last {
			t.Errorf("%d lines: %v", lines, faults)
		}
	}
}
