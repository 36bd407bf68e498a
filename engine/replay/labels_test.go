package replay

import (
	"strings"
	"testing"
	"time"

	"caliper/engine/labels"
	"caliper/model"
	_ "caliper/model/require"

	"pgregory.net/rapid"
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an address", "write to mira.k+x@mail.example.org today", "write to [e-mail] today"},
		{"a letter before the domain that is not ASCII", "an jörg@bücher.example", "an [e-mail]"},
		{"a key with a known beginning", "use sk-live-abcdefghijkl0123", "use [secret]"},
		{"a bearer", "Authorization: Bearer abc.def.ghi12", "Authorization: Bearer [secret]"},
		{"a password", `{"password": "hunter22"}`, `{"password": "[secret]"}`},
		{"an assignment", "API_KEY=abcd1234 run it", "API_KEY=[secret] run it"},
		{"an address with a password", "https://mira:pass@host.example/x", "https://[secret]@host.example/x"},
		{"a web token", "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln", "[secret]"},
		{"a private key", "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", "[secret]"},
		{"hexadecimal", "digest 0123456789abcdef0123456789abcdef", "digest [secret]"},
		{"random", "Zk9vQ2pX7rT4mN1bW8yL", "[secret]"},
		{"a tool stays", "call mcp__ledgerly__create_dunning_letter2", "call mcp__ledgerly__create_dunning_letter2"},
		{"a path stays", "read src/internal/retrieval/postings_table_test.go", "read src/internal/retrieval/postings_table_test.go"},
		{"an identifier stays", "session 20260919_090012 of gate 12", "session 20260919_090012 of gate 12"},
	} {
		if got := Mask(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMaskIsIdempotent(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a@b.example", "token=", "abcd1234", " ", "Bearer ", "sk-", "Zk9vQ2pX7rT4mN1bW8yL", "://", ":", "@", "x", "[", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), "")
		once := Mask(text)
		if twice := Mask(once); twice != once {
			t.Fatalf("%q: %q, then %q", text, once, twice)
		}
	})
}

func TestLabelsOf(t *testing.T) {
	tool := func(name string) *model.Tool { return &model.Tool{Name: name, Qualified: name} }
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	call := func(query, name string, status Status, failed bool) Call {
		return Call{Query: "another", Led: query, Tool: tool(name), Status: status, Answered: true, Failed: failed, When: when}
	}
	rep := &Report{Sessions: []Session{{ID: "s", Agent: "codex"}}, Calls: []Call{
		call("Book a slot for a@b.example", "book", Found, false),
		call("book a  slot for c@d.example", "list", NoMatch, false), // masked they are one
		call("refused", "book", Found, true),
		call("core", "read_file", CoreTool, false),
		call("out", "open", OutOfScope, false),
		call("mine already", "book", Below, false),
		call("  ", "book", Below, false),
		{Query: "found others", Tool: tool("book"), Status: Found, Answered: true},
		call(strings.Repeat("x", 2001), "book", Below, false),
	}}
	for i := range 2 { // what did not find one of the tools is named once
		rep.Calls[i].Reworded = []string{"a table for two"}
	}
	got := LabelsOf(rep, []labels.Query{{Text: "Mine  already"}})
	if reworded := got[0]; len(got) != 2 || reworded.Text != "a table for two" || strings.Join(reworded.Missed, ",") != AgentsOwn {
		t.Fatalf("%+v", got)
	}
	got = got[1:]
	if got[0].Text != "Book a slot for [e-mail]" || strings.Join(got[0].Relevant, ",") != "book,list" {
		t.Fatalf("%+v", got)
	}
	read, faults := labels.Parse("q.jsonl", LabelLines(got))
	if len(faults) > 0 || len(read) != 1 || read[0].ID != got[0].ID || read[0].Text != got[0].Text {
		t.Errorf("%+v, %v", read, faults)
	}
	if want := `"source":"codex","session":"s","when":"2026-01-02T03:04:05Z"}`; !strings.Contains(string(LabelLines(got)), want) {
		t.Errorf("%s", LabelLines(got))
	}
}

// What a file of labels holds acts on no terminal that shows it, and stays what it was.
func TestLabelLinesOfHostileTexts(t *testing.T) {
	const evil = "\x1b[2J\u009b31m\u202e\u200b"
	lines := LabelLines([]LabelledQuery{{ID: "1", Text: "book" + evil, Relevant: []string{"book" + evil}, Source: "codex", Session: evil}})
	if strings.ContainsAny(string(lines), evil[:1]+"\u009b\u202e\u200b") {
		t.Errorf("%q", lines)
	}
	if read, faults := labels.Parse("q.jsonl", lines); len(faults) > 0 || len(read) != 1 || read[0].Text != "book"+evil {
		t.Errorf("%v, %v", read, faults)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("write to a@b.example with Bearer abcdefgh")
	f.Add("token=\xff\xfe https://a:b@c")
	f.Fuzz(func(t *testing.T, text string) {
		if got := Mask(text); len(got) > 16*len(text)+16 {
			t.Errorf("%q grew to %d bytes", text, len(got))
		}
	})
}
