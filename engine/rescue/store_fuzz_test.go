package rescue

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

func FuzzParseID(f *testing.F) {
	id := ID([]byte("text"))
	for _, seed := range []string{"", id, id[:MinPrefix], strings.ToUpper(id), "../" + id[:40], id + "\x00", "\u212aaaaaaaaaaaaaaaaa"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := parseID(text)
		if err != nil {
			if coded(t, err, CodeBadID); id != "" {
				t.Fatalf("%q, %v", id, err)
			}
			return
		}
		if len(id) != len(text) || !strings.EqualFold(id, text) {
			t.Fatalf("%q became %q", text, id)
		}
		for _, p := range []string{blobPath(id), notePath(refs, sessionHash(text), id)} {
			if path.Clean(p) != p || !filepath.IsLocal(p) || strings.Count(p, "/") != 2 {
				t.Fatalf("%q leads to %q", text, p)
			}
		}
		if full := id + strings.Repeat("0", idLength-len(id)); !isID(full) {
			t.Fatalf("%q is no id", full)
		}
	})
}

func FuzzDecodeNote(f *testing.F) {
	id := ID([]byte("text"))
	whole, err := json.Marshal(Meta{ID: id, Tool: "t", Session: "s", Bytes: 4, Chars: 4, Lines: 1, Kind: Text, Stored: time.Unix(1, 2).UTC()})
	require.NoError(f, err)
	f.Add(whole)
	for _, seed := range []string{"", "null", "{}", `{"id":"` + id + `"}`, `{"id":"` + id + `","bytes":-1}`, `{"id":"` + id + `","stored":"9999-12-31T23:59:59Z"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeNote(data, id)
		if err != nil {
			if m != (Meta{}) {
				t.Fatalf("%+v with %v", m, err)
			}
			return
		}
		if m.ID != id || m.Lines < 0 || m.Chars < m.Lines || m.Bytes < int64(m.Chars) {
			t.Fatalf("%+v", m)
		}
		again, err := json.Marshal(m)
		if err != nil || len(again) > maxNote {
			t.Fatalf("%d bytes, %v", len(again), err)
		}
		back, err := decodeNote(again, id)
		if err != nil || !back.Stored.Equal(m.Stored) {
			t.Fatalf("%+v, %v", back, err)
		}
		if back.Stored = m.Stored; back != m {
			t.Fatalf("%+v became %+v", m, back)
		}
	})
}

// FuzzNames puts under any session and tool name.
func FuzzNames(f *testing.F) {
	s := open(f, filepath.Join(f.TempDir(), "store"), StoreOptions{})
	f.Add("", "")
	f.Add("../..", "tool\x00\n")
	f.Add("\xff", strings.Repeat("\x01", maxName))
	f.Fuzz(func(t *testing.T, session, tool string) {
		want, err := s.Put(t.Context(), session, tool, Text, []byte(session))
		if err != nil {
			if checkNames(session, tool, Text) == nil {
				t.Fatal(err)
			}
			return
		}
		text, got, err := fetch(s, session, want.ID)
		if err != nil || text != session || got != want {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	})
}
