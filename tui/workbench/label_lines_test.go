package workbench

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/engine/labels"
	"caliper/model/require"
)

func TestLabelQuery(t *testing.T) {
	t.Parallel()
	const one = `{"id": "q1", "query": "a", "relevant": ["x"]}`
	tests := []struct {
		name, data, query, tool string
		want                    string
		did                     string
	}{
		{"first", "", "a", "x", one + "\n", `labelled "a" with x, as q1`},
		{"behind others", "{}\n\n" + one + "\n", "b", "y", "{}\n\n" + one + "\n" + `{"id": "q2", "query": "b", "relevant": ["y"]}` + "\n", `labelled "b" with y, as q2`},
		{"no final newline", one, "b", "y", one + "\n" + `{"id": "q2", "query": "b", "relevant": ["y"]}` + "\n", `labelled "b" with y, as q2`},
		{"CR LF", one + "\r\n", "b", "y", one + "\r\n" + `{"id": "q2", "query": "b", "relevant": ["y"]}` + "\r\n", `labelled "b" with y, as q2`},
		{"mark", "\uFEFF" + one + "\n", "a", "y", "\uFEFF" + `{"id": "q1", "query": "a", "relevant": ["x", "y"]}` + "\n", `labelled "a" with y too, in q1`},
		{"id is taken", `{"id": "q2", "query": "c", "relevant": ["x"]}` + "\n", "b", "y", `{"id": "q2", "query": "c", "relevant": ["x"]}` + "\n" + `{"id": "q3", "query": "b", "relevant": ["y"]}` + "\n", `labelled "b" with y, as q3`},
		{"escapes only what must", "", `a "b" <c> é` + "\t", "x", `{"id": "q1", "query": "a \"b\" <c> é\t", "relevant": ["x"]}` + "\n", "labelled \"a \\\"b\\\" <c> é \" with x, as q1"},
		{"one more, spaces and case aside", "  " + `{ "query":"a   b","grades":{"x":2}, "relevant" : [ "x" ] , "note": 1 }  ` + "\r\n" + "x", "a b", "y",
			"  " + `{ "query":"a   b","grades":{"x":2}, "relevant" : [ "x", "y" ] , "note": 1 }  ` + "\r\n" + "x", `labelled "a b" with y too, in line 1`},
		{"groups and relevant", `{"groups": [["x", "z"]], "query": "a", "relevant": ["x"]}`, "a", "y", `{"groups": [["x", "z"], ["y"]], "query": "a", "relevant": ["x", "y"]}`, `labelled "a" with y too, in line 1`},
		{"groups alone", `{"query": "a", "groups": [["x"]]}`, "a", "y", `{"query": "a", "groups": [["x"], ["y"]]}`, `labelled "a" with y too, in line 1`},
		{"wanted already", one, "a", "x", one, ""},
		{"wanted by its other name", `{"query": "a", "relevant": ["s/x"]}`, "a", "x", `{"query": "a", "relevant": ["s/x"]}`, ""},
	}
	for _, tt := range tests {
		got, did, err := AddLabel([]byte(tt.data), tt.query, tt.tool, "s/"+tt.tool)
		if err != nil || string(got) != tt.want || did != tt.did {
			t.Errorf("%s: %q, %q, %v\nwant %q, %q", tt.name, got, did, err, tt.want, tt.did)
		}
	}
}

func TestUnLabel(t *testing.T) {
	t.Parallel()
	const a, b = `{"id": "1", "query": "a", "relevant": ["x"]}`, `{"id": "2", "query": "b", "relevant": ["x"]}`
	tests := []struct{ name, data, want string }{
		{"first", a + "\n" + b + "\n", b + "\n"},
		{"last, without its end", b + "\r\n" + a, b + "\r\n"},
		{"alone", a, ""},
		{"behind a mark", "\uFEFF" + a + "\n" + b, "\uFEFF" + b},
		{"among broken lines", "{\n" + a + "\n\n{", "{\n\n{"},
	}
	for _, tt := range tests {
		got, _, err := RemoveLabel([]byte(tt.data), labels.Query{ID: "1", Text: "a"})
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	if _, _, err := RemoveLabel([]byte(b), labels.Query{ID: "1", Text: "a"}); err == nil || err.Error() != `"a" is not in the file any more` {
		t.Error(err)
	}
}

// FuzzLabels labels a query and takes it away again: the parser sees exactly
// that, and no other line changes a byte.
func FuzzLabels(f *testing.F) {
	for _, data := range []string{"", "\uFEFF", "{", "\r\n", `{"id": "q1", "query": "a", "relevant": ["x"]}`,
		"\uFEFF" + `{"query": "a", "relevant": [ "x" ], "groups": [["x"], ["z"]]}` + "\r\n{}\n", `{"query":"b","groups":[["\u0078"]]}` + "\n\n"} {
		f.Add([]byte(data), "a", "y")
	}
	f.Fuzz(func(t *testing.T, data []byte, query, name string) {
		fine := func(s string) bool { return utf8.ValidString(s) && strings.TrimSpace(s) != "" }
		if probe, _ := labels.Parse("", slices.Concat([]byte(`{"query": `), quoted(query), []byte(`, "relevant": [`), quoted(name), []byte("]}"))); len(probe) != 1 || !fine(query) || !fine(name) {
			return
		}
		before, _ := labels.Parse("", data)
		changed, did, err := AddLabel(data, query, name, name)
		require.NoError(t, err)
		after, _ := labels.Parse("", changed)
		q := FindLabel(after, query)
		if q == nil || !slices.Contains(q.Relevant, name) {
			t.Fatalf("%q is not labelled in %q", query, changed)
		}
		had := FindLabel(before, query)
		if did == "" && !bytes.Equal(changed, data) || had == nil && len(after) != len(before)+1 || had != nil && len(after) != len(before) {
			t.Fatalf("%d queries, then %d: %q → %q", len(before), len(after), data, changed)
		}
		kept(t, data, changed, q.Line)

		taken, _, err := RemoveLabel(changed, *q)
		require.NoError(t, err)
		rest, _ := labels.Parse("", taken)
		named := !strings.HasPrefix(q.ID, "line ") // else the id of the line behind it
		if named && slices.ContainsFunc(rest, func(x labels.Query) bool { return x.ID == q.ID && x.Text == q.Text }) {
			t.Fatalf("%q is still in %q", q.ID, taken)
		}
		if want := len(splitLines(changed)) - 1; len(splitLines(bytes.TrimPrefix(taken, bom))) != want {
			t.Fatalf("%d lines, want %d: %q → %q", len(splitLines(taken)), want, changed, taken)
		}
	})
}

// kept fails unless all lines but one have the bytes that they had, but for an
// end that was missing.
func kept(t *testing.T, was, now []byte, but int) {
	t.Helper()
	trimmed := func(data []byte) (lines []string) {
		for _, line := range splitLines(data) {
			lines = append(lines, strings.TrimRight(string(line), "\r\n"))
		}
		return lines
	}
	a, b := trimmed(was), trimmed(now)
	for i, line := range a {
		if i != but-1 && (i >= len(b) || b[i] != line) {
			t.Fatalf("line %d was %q: %q", i+1, line, now)
		}
	}
}

// A file that somebody else changes all the time is named.
func TestRewriteLabelsGivesUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "q.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
	msg := RewriteLabels(path, func(data []byte) ([]byte, string, error) {
		err := os.WriteFile(path, append(data, ' '), 0o600)
		return []byte("lost"), "lost", err
	})().(LabelsWrittenMsg)
	if msg.Err == nil || msg.Err.Error() != "q.jsonl keeps changing" {
		t.Errorf("%+v", msg)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "{}\n"+strings.Repeat(" ", attempts) {
		t.Errorf("%v, the file has %q", err, got)
	}
}
