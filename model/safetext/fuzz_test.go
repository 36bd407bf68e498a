package safetext

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func FuzzEscapeUnseen(f *testing.F) {
	f.Add([]byte("\"\u202e\x9b\xf3\xa0\x81\x81\""))
	f.Add([]byte("{\n}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		out := EscapeUnseen(text)
		if !utf8.Valid(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		if bytes.ContainsFunc(out, unseen) {
			t.Fatalf("%q holds what should be escaped", out)
		}
		if json.Valid(text) != json.Valid(out) && !bytes.ContainsAny(text, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f") {
			t.Fatalf("%q is JSON or not, unlike %q", out, text)
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b]8;;http://example.invalid\x1b\\click")
	f.Add(string(tricky))
	f.Fuzz(func(t *testing.T, in string) {
		checkSafe(t, in, Line(in), false)
		checkSafe(t, in, Lines(in), true)
	})
}
