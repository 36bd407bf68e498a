package jsontree

import (
	"bytes"
	"testing"
)

// FuzzEvents is the reader of event streams: what it keeps stands in the
// source, in the same order.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: {\"a\":1}\n\n", "event: x\r\ndata:[\r\ndata: 1]\r\n\r\n", ":\rdata: {}\r\rdata: x\r\rdata: {", "\uFEFFid: 1\ndata: {\"tools\":[]}", "data:[DONE]\n\ndata:{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		source := NewText(data)
		source.IsEvents()
		checkOrigins(t, data, source.Events())
	})
}

// FuzzRepair is the reader of text that is not strict JSON: comments, bytes that are
// not UTF-8, repeated names.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		"{\"a\":1,/* x */\"a\":2,}", "[1,//\xff\n\"\xff\\ud800\",]", "\uFEFF{\"\\u0061\":{},\"a\":[{\"b\":1,\"b\":2}]}", "// \"\n[\"//\"]", "/*/[,]", `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		source := NewText(data)
		repaired, findings := source.Repair()
		if repaired != source != (len(findings) > 0) {
			t.Fatalf("another text %v with %d findings", repaired != source, len(findings))
		}
		again, findings := repaired.Repair()
		if !bytes.Equal(again.Data, repaired.Data) {
			t.Fatalf("%q repaired again is %q, with %v", repaired.Data, again.Data, findings)
		}
		mended, _ := NewText(data).repairEncoding()
		checkOrigins(t, data, mended)
	})
}

// checkOrigins fails unless every byte of a text leads to one that equals it or
// was replaced.
func checkOrigins(t *testing.T, data []byte, text *Text) {
	last := -1
	for i, b := range text.Data {
		at := text.Origin(i)
		if at < last || at > len(data) {
			t.Fatalf("%q: byte %d stands at %d, behind one at %d", data, i, at, last)
		}
		if last = at; b < 0x80 && data[at] != b {
			t.Fatalf("%q: byte %d is %q, in the source %q", data, i, b, data[at])
		}
	}
}

func TestMend(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"comments", "{\"a\":1, // one\n/* two */\"b\":2,}", "{\"a\":1,       \n         \"b\":2 }"},
		{"commas that end nothing", `{"a":[,],"b":{,},"c":[1,,],"d":,}`, `{"a":[,],"b":{,},"c":[1,,],"d":,}`},
		{"no comment", `{"a":"// /* ,}"}`, `{"a":"// /* ,}"}`},
		{"bad bytes", "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		{"half a pair", `{"a":"\ud83d"}`, "{\"a\":\"\uFFFD\"}"},
		{"a pair", `{"a":"\ud83d\ude00"}`, `{"a":"\ud83d\ude00"}`},
		{"more behind", `{"a":1},{`, `{"a":1},{`},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Mend([]byte(c.in))); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
