package jsontree

import (
	"reflect"
	"strings"
	"testing"
)

// inRooms are texts whose trees are read into one room, one after the other.
var inRooms = []string{
	`{"a":[1,"x",{"b":null}],"c\n":"\u00e9\"","a":true}`, `[]`, `{}`, `[[],{}]`, `"\ud800"`, "\"\xff\"", `-0.5e3`, `[1,]`, `{"a":[1,{"b":`, ``,
	`[` + strings.Repeat(`{"a":["\t"]},`, 3000) + `0]`,
	`{` + strings.Repeat(`"a\u0020":1,`, 40) + `"` + strings.Repeat("b", 2*largestText) + `":"` + strings.Repeat(`\\`, largestText) + `"}`,
	strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000), strings.Repeat(`[`, 10_001) + strings.Repeat(`]`, 10_001),
}

// sameTree compares a tree in a room with the tree of Parse.
func sameTree(t *testing.T, in *Room, text []byte) {
	t.Helper()
	want, fault := Parse(text, Strict)
	w := Walk(text)
	w.Next()
	got, ok := w.Tree(in)
	if ok = ok && w.AtEnd(); ok != (fault == nil) {
		t.Fatalf("%.100q: in a room %v, else %v", text, ok, fault)
	}
	if ok && !reflect.DeepEqual(got, want) {
		t.Fatalf("%.100q: in a room %+v, else %+v", text, got, want)
	}
}

// TestRoom: a tree read into a room equals Parse's, whatever was in it before, and
// also where the value is a part of the text.
func TestRoom(t *testing.T) {
	var in Room
	for _, first := range inRooms {
		for _, second := range inRooms[:10] {
			sameTree(t, &in, []byte(first))
			sameTree(t, &in, []byte(second))
		}
	}
	w := Walk([]byte(`{"a":[{"b":1},{"b":"\n"}]}`))
	var got []string
	ok := w.Object(func([]byte) bool {
		return w.Array(func() bool {
			n, ok := w.Tree(&in)
			got = append(got, n.Member("b").Text+" in "+string(n.Raw))
			return ok
		})
	})
	if want := []string{`1 in {"b":1}`, "\n in " + `{"b":"\n"}`}; !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %q, want %q", ok, got, want)
	}
}

// TestRoomKeepsNothing: a room has no slice of a text whose tree is gone, and stays small.
func TestRoomKeepsNothing(t *testing.T) {
	for _, text := range inRooms {
		var in Room
		w := Walk([]byte(text))
		w.Tree(&in)
		in.reset()
		// An unescaped text may be longer than it is written.
		if cap(in.nodes) > largestPiece || cap(in.children) > largestPiece || cap(in.open) > largestPiece || cap(in.text) > 2*largestText {
			t.Errorf("%.100q: room for %d nodes, %d and %d children, %d bytes", text, cap(in.nodes), cap(in.children), cap(in.open), cap(in.text))
		}
		for _, n := range in.nodes[:cap(in.nodes)] {
			if !reflect.ValueOf(n).IsZero() {
				t.Fatalf("%.100q: the room has %+v", text, n)
			}
		}
		for _, c := range append(in.children[:cap(in.children)], in.open[:cap(in.open)]...) {
			if c != (Child{}) {
				t.Fatalf("%.100q: the room has %+v", text, c)
			}
		}
	}
}

// TestRoomTakesNoMemory: the second tree of a kind takes none.
func TestRoomTakesNoMemory(t *testing.T) {
	text := []byte(`{"a":[1,"x",{"b":null}],"c\n":"\u00e9\"","d":[{},{},{"e":[true,false]}]}`)
	in, w := new(Room), Walk(text)
	if n := testing.AllocsPerRun(100, func() {
		*w = *Walk(text)
		w.Tree(in)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzRoom(f *testing.F) {
	for _, text := range inRooms[:10] {
		f.Add([]byte(text), []byte(`{"a":["\n"]}`))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var in Room
		sameTree(t, &in, first)
		sameTree(t, &in, second)
	})
}
