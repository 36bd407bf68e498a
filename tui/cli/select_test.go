package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A message may hold anything: nothing of it acts on the terminal, and what is
// no UTF-8 is taken as text.
func TestSelectTakesAnyMessage(t *testing.T) {
	t.Parallel()
	hostileText := "shut \x1b[2Jthe\u202e \x9b\xff door\u2028"
	turns := write(t, "turns.txt", "\uFEFF"+hostileText+"\r\nmake light\n")
	data := []string{"--registry", write(t, "r.json", hallTools), "--strategy", "hybrid", "--k", "1"}
	for _, args := range [][]string{
		{"select", hostileText}, {"select", hostileText, "--json"}, {"select", hostileText, "--bytes"},
		{"select", "--turns", turns}, {"select", "--turns", turns, "--json"},
	} {
		code, out, complaints := command(t, append(args, data...)...)
		if code != 0 || complaints != "" || out == "" || strings.ContainsFunc(out, hostile) {
			t.Errorf("%q: exit code %d, %q, %q", args, code, complaints, out)
		}
	}
}

// The bytes are those of the selection that the JSON tells of: its tools in
// their order, then the bridge.
func TestSelectBytes(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"eager", "tool_search", "keyword", "semantic", "hybrid"} {
		args := []string{"select", "refund the charge for booking 7", "--strategy", strategy}
		selected := answer[struct{ Selected []struct{ Name string } }](t, args...)
		_, out, _ := command(t, append(args, "--bytes")...)
		if strings.Count(out, "\n") != 1 {
			t.Errorf("%s: want one line", strategy)
		}
		var definitions []struct{ Function struct{ Name string } }
		if err := json.Unmarshal([]byte(out), &definitions); err != nil {
			t.Errorf("%s: %v", strategy, err)
			continue
		}
		var names []string
		for _, d := range definitions {
			names = append(names, d.Function.Name)
		}
		var want []string
		for _, s := range selected.Selected {
			_, name, qualified := strings.Cut(s.Name, "/")
			if !qualified {
				name = s.Name
			}
			want = append(want, name)
		}
		if strategy != "eager" {
			want = append(want, "tool_search", "tool_describe", "tool_call")
		}
		if len(names) != len(want) || strategy != "eager" && strings.Join(names, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %q, want %q", strategy, names, want)
		}
	}
}

func TestParseConversation(t *testing.T) {
	for _, tc := range []struct {
		name, give string
		want       []string
	}{
		{"nothing", "", nil},
		{"blank lines", "\n \r\n\t\n", nil},
		{"one a line", "book a room\nand a table\n", []string{"book a room", "and a table"}},
		{"no last line break", "a\n\nb", []string{"a", "b"}},
		{"of another system", "\ufeffa\r\nb\r\n", []string{"a", "b"}},
		{"a mark within", "a\ufeff\n\ufeffb\n", []string{"a\ufeff", "\ufeffb"}},
		{"blanks at the ends", "  a \n", []string{"  a "}},
		{"no UTF-8", "a\xff\xfeb\n", []string{"a\ufffdb"}},
		{"a carriage return within", "a\rb\n", []string{"a\rb"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := parseConversation([]byte(tc.give)); !slices.Equal(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// FuzzConversation: a message is a line that is not blank, and a conversation is
// read again from the messages one a line.
func FuzzConversation(f *testing.F) {
	f.Add([]byte("book a room\nand a table\n"))
	f.Add([]byte("\ufeffa\r\n\r\n b \r\nc"))
	f.Add([]byte("a\xffb\n\xef\xbb\n\x85\u2028c\rd\n"))
	f.Add([]byte("\ufeff\ufeff\n\ufeff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages := parseConversation(data)
		for i, m := range messages {
			if strings.TrimSpace(m) == "" || strings.Contains(m, "\n") || !utf8.ValidString(m) {
				t.Errorf("message %d is %q", i, m)
			}
		}
		if most := bytes.Count(data, []byte("\n")) + 1; len(messages) > most {
			t.Errorf("%d messages in %d lines", len(messages), most)
		}
		again := parseConversation([]byte("\ufeff" + strings.Join(messages, "\r\n")))
		if !slices.Equal(again, messages) {
			t.Errorf("%q are read again as %q", messages, again)
		}
	})
}
