package transcript

import (
	"testing"
)

// A row has its own texts, in content and in calls, until two rows behind it were held.
func TestRooms(t *testing.T) {
	t.Parallel()
	var in rooms
	read := func(content, calls string) (parts []MessagePart, ok bool) {
		n, ok := in.row([]byte("assistant"), []byte(content), []byte(calls), nil)
		if !ok {
			return nil, false
		}
		in.next, in.held = in.held, in.next
		return MessageParts(n), true
	}
	said, ok := read("\x00json:[{\"type\":\"text\",\"text\":\"a \\n\"}, {\"type\":\"text\",\"text\":\"b\"}]", `[{"id":"c\n","function":{"name":"d\n","arguments":"{}"}}]`)
	if !ok || len(said) != 1 {
		t.Fatal(said, ok)
	}
	digest := said[0].Digest()
	if _, ok := read("\x00json:[{\"type\":\"text\",\"text\":\"# \\n\"}, {\"type\":\"text\",\"text\":\"#\"}]", `[{"id":"#\n","function":{"name":"#\n","arguments":"#"}}]`); !ok {
		t.Fatal("the second row is not read")
	}
	if said[0].Text != "a \n\nb" || said[0].Digest() != digest || len(said[0].Calls) != 1 || said[0].Calls[0].Tool != "d\n" {
		t.Errorf("the first row is %+v behind the second one", said[0])
	}
	for _, broken := range [][2]string{{"\x00json:[] 1", ""}, {"\x00json:[", "[]"}, {"", "[] 1"}, {"\x00json:[", "[{}]"}} {
		if _, ok := read(broken[0], broken[1]); ok {
			t.Errorf("%q is read", broken)
		}
	}
	if again, ok := read("words", ""); !ok || again[0].Text != "words" || len(again[0].Calls) > 0 {
		t.Errorf("behind broken rows %+v", again)
	}
}
