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
