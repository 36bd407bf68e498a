package rescue

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
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

// TestDefaults: the limits are the plugin's.
func TestDefaults(t *testing.T) {
	if got := fmt.Sprint(config.Default().Rescue); got != "{12000 4000 50000 8000 40 15 5 2 true 72 720 500 500 80 2000  [] [] }" {
		t.Error(got)
	}
}

// TestPageIsFilled: a line that just fits is in, and one more character is not.
func TestPageIsFilled(t *testing.T) {
	p := page{room: 3}
	if !p.add(Line{Text: "éa"}) || p.room != 0 || p.add(Line{}) || len(p.lines) != 1 || p.lines[0].Text != "éa" {
		t.Errorf("%+v", p)
	}
	x := excerpt{data: []byte("a\nb\n"), meta: Meta{Lines: 2}, limits: Limits{HeadLines: 9, TailLines: 9}}
	for room, whole := range map[int]int{10: 2, 9: 1} {
		if lines, end := x.headLines(x.data, room); len(lines) != whole || end != 2*whole {
			t.Errorf("%+v %d", lines, end)
		}
		if lines, begin := x.tailLines(x.data, 0, room); len(lines) != whole || begin != 4-2*whole {
			t.Errorf("%+v %d", lines, begin)
		}
	}
}

// TestSuspectIsCutOnlyWhenLong: a short line is shown from its start however late
// its word comes, and a long one whose word comes early.
func TestSuspectIsCutOnlyWhenLong(t *testing.T) {
	for _, c := range []struct {
		before, after    int
		fromStart, toEnd bool
	}{
		{100, 20, true, true}, {10, 700, true, false}, {60, 700, true, false}, {61, 700, false, false}, {400, 20, false, true},
		{0, 175, true, true}, {0, 176, true, false},
	} {
		text := strings.Repeat("x", max(0, c.before-1)) + strings.Repeat(" ", min(1, c.before)) + "error" + strings.Repeat(".", c.after)
		s := findErrors([]byte(text), 0, 1, nil)
		if len(s.lines) != 1 {
			t.Fatal(s)
		}
		if l := s.lines[0]; l.fromStart != c.fromStart || l.toEnd != c.toEnd || utf8.RuneCount(l.text) > maxSuspectLine {
			t.Errorf("%+v: from start %v, to end %v, %d", c, l.fromStart, l.toEnd, len(l.text))
		}
	}
}

// TestMemberOfHalf: a member is shown by its items when it is more than half of the
// blob, and not when it is half.
func TestMemberOfHalf(t *testing.T) {
	list := "[" + strings.Repeat("1,", 4000) + "1]"
	for other, want := range map[int]bool{len(list) + 100: false, len(list) - 100: true} {
		text := `{"a":` + list + `,"b":"` + strings.Repeat("y", other) + `"}`
		p := handleOf(t, "t", []byte(text), config.Default().Rescue)
		if got := strings.Contains(p.Text, `[shape of "a"`); got != want {
			t.Errorf("beside %d characters, by its items: %v", other, got)
		}
	}
}

func TestScannerRemembersTheBeginningOfAString(t *testing.T) {
	s := newScanner([]byte(`"` + strings.Repeat(`\u0041b`, 500) + `"`))
	ok := s.Peek() == '"' && s.String()
	if from, to := s.TextAt(); !ok || from != 1 || to != 3501 || len(captured(s)) != 256 || !strings.HasPrefix(captured(s), `\u0041b\u0041b`) {
		t.Errorf("%d to %d, %v, %q", from, to, ok, captured(s))
	}
}

// TestAgainstAModel does random things to a store and compares every answer
// with what two maps say it has to be.
func TestAgainstAModel(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"", "a", "bb", "ccc\n", strings.Repeat("d", 300)}
	sessions := []string{"s", "", "../t"}
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		c := newClock()
		c.at = c.at.Truncate(time.Hour)
		const ttl, memory = 5 * time.Hour, 7 * time.Hour
		path := filepath.Join(dir, time.Duration(run).String())
		s, err := OpenStore(path, StoreOptions{TTL: ttl, TombstoneTTL: memory, Now: c.now})
		require.NoError(t, err)
		defer os.RemoveAll(path)
		defer s.Close()
		type key struct{ session, text string }
		held, gone := map[key]time.Time{}, map[key]time.Time{} // since when
		damaged := map[string]bool{}
		pick := func(t *rapid.T) key {
			return key{rapid.SampledFrom(sessions).Draw(t, "session"), rapid.SampledFrom(texts).Draw(t, "text")}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k := pick(t)
				if _, err := s.Put(context.Background(), k.session, "t", Text, []byte(k.text)); err != nil {
					t.Fatal(err)
				}
				held[k] = c.at
				delete(gone, k)
				delete(damaged, k.text)
			},
			"pass": func(t *rapid.T) { c.pass(time.Duration(rapid.IntRange(1, 4).Draw(t, "hours")) * time.Hour) },
			"damage": func(t *rapid.T) {
				text := pick(t).text
				file := filepath.Join(path, blobPath(ID([]byte(text))))
				if _, err := os.Stat(file); err == nil && !damaged[text] {
					os.WriteFile(file, []byte(text+"!"), 0o600)
					damaged[text] = true
				}
			},
			"sweep": func(t *rapid.T) {
				if _, err := s.Sweep(context.Background(), false); err != nil {
					t.Fatal(err)
				}
				for k, at := range held {
					_, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(k.text)))))
					if c.at.Sub(at) >= ttl {
						delete(held, k)
						gone[k] = at.Add(ttl)
					} else if err != nil && damaged[k.text] {
						delete(held, k)
						gone[k] = c.at
					}
				}
				for text := range damaged { // with its last reference, so goes the damage
					if _, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(text))))); err != nil {
						delete(damaged, text)
					}
				}
				for k := range held {
					if _, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(k.text))))); err != nil {
						t.Fatalf("%+v was held and is swept", k)
					}
				}
			},
			"": func(t *rapid.T) {
				k := pick(t)
				at, holds := held[k]
				end, was := gone[k]
				got, m, err := fetch(s, k.session, ID([]byte(k.text)))
				switch {
				case holds && c.at.Sub(at) >= ttl+memory:
					coded(t, err, CodeNotHeld)
				case holds && c.at.Sub(at) >= ttl:
					coded(t, err, CodeGone)
				case holds && damaged[k.text]:
					coded(t, err, CodeDamaged)
				case holds:
					if err != nil || got != k.text || !m.Stored.Equal(at) {
						t.Fatalf("%+v: %q, %+v, %v", k, got, m, err)
					}
				case was && c.at.Sub(end) < memory:
					coded(t, err, CodeGone)
				default:
					coded(t, err, CodeNotHeld)
				}
			},
		})
	})
}

// What has another name than an id that we write is somebody else's, and is never removed.
func TestIsID(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", idLength/16)
	for name, want := range map[string]bool{id: true, id[1:] + "g": false, strings.ToUpper(id): false, "abc": false, "": false, id + "0": false} {
		if got := isID(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
