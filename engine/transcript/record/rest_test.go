package record

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
)

// TestSessionsRest: connections that take long turns, and begin anew, are the same sessions
// whether those that rest are packed or not.
func TestSessionsRest(t *testing.T) {
	var text strings.Builder
	for i := range 6 * restful {
		connection, kind := "a", "search"
		if i/(restful+10)%2 == 1 {
			connection = "b"
		}
		if i%(4*restful) == 0 {
			kind = "connect"
		}
		fmt.Fprintf(&text, `{"v":1,"time":"2026-09-20T10:00:00Z","seq":%d,"session":"work","connection":"%s","kind":"%s","request":{"query":"q%d"},"tokens":{"request":5,"response":9}}`+"\n", i+1, connection, kind, i)
	}
	read := func(spill *kept.Spill) (log transcript.Log, packed int) {
		r := &Reader{Spill: spill}
		if err := r.Read(t.Context(), strings.NewReader(text.String()), "log"); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.sessions {
			if s.Packed != nil {
				packed++
			}
		}
		log = r.Log()
		for i := range log.Sessions {
			opened, err := log.Sessions[i].Opened()
			if err != nil {
				t.Fatal(err)
			}
			log.Sessions[i] = opened
		}
		return log, packed
	}
	want, _ := read(nil)
	got, packed := read(new(kept.Spill))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d sessions, want %d; or their entries differ", len(got.Sessions), len(want.Sessions))
	}
	if packed == 0 || len(want.Sessions) != 3 {
		t.Errorf("%d of %d sessions rest", packed, len(want.Sessions))
	}
}

// TestRoomIsBounded: connections that rest and go on again and again leave no more memory
// behind than the bounds of Reader.room say.
func TestRoomIsBounded(t *testing.T) {
	var text strings.Builder
	event := 0
	add := func(connection int) {
		event++
		fmt.Fprintf(&text, `{"v":1,"time":"2026-09-20T10:00:00Z","seq":%d,"session":"work","connection":"c%d","kind":"search","request":{"query":"q%d"},"tokens":{"request":5,"response":9}}`+"\n", event, connection, event)
	}
	for range 6 {
		for range restful {
			add(0) // a large one
		}
		for connection := range 2 * mostRooms {
			add(1 + connection)
			add(1 + connection)
		}
	}
	r := &Reader{Spill: new(kept.Spill)}
	if err := r.Read(t.Context(), strings.NewReader(text.String()), "log"); err != nil {
		t.Fatal(err)
	}
	if n := len(r.room); n == 0 || n > mostRooms {
		t.Errorf("%d rooms, want 1 to %d", n, mostRooms)
	}
	for _, entries := range r.room {
		if cap(entries) > largestRoom {
			t.Errorf("room of %d entries, want at most %d", cap(entries), largestRoom)
		}
	}
}
