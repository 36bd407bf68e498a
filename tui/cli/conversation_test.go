package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

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
