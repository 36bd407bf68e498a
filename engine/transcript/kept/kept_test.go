package kept

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
	_ "caliper/internal/draws"
)

// values are one of each that an Encoder writes.
type values struct {
	Number uint64
	Int    int
	Text   string
	Texts  []string
	Time   time.Time
	Size   transcript.Size
	Usage  transcript.Usage
	Call   transcript.Call
}

func (v values) write(e *Encoder) {
	e.Uint(v.Number)
	e.Int(v.Int)
	e.Text(v.Text)
	e.Texts(v.Texts)
	e.Time(v.Time)
	e.Size(v.Size)
	e.Usage(v.Usage)
	e.Call(v.Call)
}

func readValues(d *Decoder) values {
	return values{d.Uint(), d.Int(), d.Text(), d.Texts(), d.Time(), d.Size(), d.Usage(), d.Call()}
}

// drawText draws texts that repeat, long ones, UUIDs and what looks like one.
func drawText(r *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "user", "a", "00000000-0000-0000-0000-000000000000", "0199A2C4-7c1e-7d10-9b2a-000000000002", strings.Repeat("x", longText+1)}),
		rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	).Draw(r, label)
}

func drawValues(r *rapid.T) values {
	texts := func(label string) (list []string) {
		for range rapid.IntRange(0, 3).Draw(r, label) {
			list = append(list, drawText(r, label))
		}
		return list
	}
	size := transcript.Size{Tokens: rapid.IntRange(0, 9).Draw(r, "tokens")}
	for c := range size.Chars {
		size.Chars[c] = rapid.IntRange(0, 1<<40).Draw(r, "chars")
	}
	v := values{
		Number: rapid.Uint64().Draw(r, "number"), Int: rapid.Int().Draw(r, "int"), Text: drawText(r, "text"), Texts: texts("texts"), Size: size,
		Usage: transcript.Usage{Input: rapid.Int().Draw(r, "input"), CacheRead: 1, CacheWrite: -2, Output: rapid.Int().Draw(r, "output")},
		Call:  transcript.Call{ID: drawText(r, "id"), Kind: transcript.CallKind(rapid.IntRange(0, 2).Draw(r, "kind")), Tool: drawText(r, "tool"), Size: size},
	}
	if v.Call.Kind != transcript.Use {
		v.Call.Ask(transcript.Lookup{Queries: texts("queries"), Names: texts("names")})
	}
	if seconds := rapid.Int64Range(-62135596800, 253402300799).Draw(r, "seconds"); seconds%3 != 0 {
		v.Time = time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(r, "nanoseconds")).UTC()
	}
	return v
}

// TestReadsWhatWasWritten: values are read as they were written, and an encoder goes on
// where a decoder has come to, as if one had written all.
func TestReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var all []values
		var whole, e, room Encoder
		for i := range rapid.IntRange(1, 6).Draw(r, "values") {
			v := drawValues(r)
			all = append(all, v)
			v.write(&whole)
			if i > 0 {
				d := NewDecoder(e.Data)
				for d.More() {
					readValues(d)
				}
				d.resume(&room, e.Data)
				e, room = room, e // whose memory is used again
			}
			v.write(&e)
		}
		if !bytes.Equal(e.Data, whole.Data) {
			t.Fatal("continued it is written in another way")
		}
		d := NewDecoder(e.Data)
		for i, v := range all {
			if got := readValues(d); !reflect.DeepEqual(got, v) {
				t.Fatalf("value %d: read %+v, wrote %+v", i, got, v)
			}
		}
		if d.More() || d.Err() != nil {
			t.Errorf("more: %v, error: %v", d.More(), d.Err())
		}
	})
}

// FuzzDecoder: whatever bytes there are, decoding ends, takes memory in proportion to
// them, and says so if they are cut.
func FuzzDecoder(f *testing.F) {
	var e Encoder
	values{Text: "a", Texts: []string{"b", "a"}, Time: time.Unix(1e9, 5), Call: transcript.Call{ID: "c", Kind: transcript.Search, Lookup: &transcript.Lookup{Queries: []string{"q"}}}}.write(&e)
	f.Add(e.Data)
	f.Add(e.Data[:len(e.Data)/2])
	f.Add([]byte("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := NewDecoder(data)
		for d.More() {
			v := readValues(d)
			if n := len(v.Text) + len(v.Call.ID); len(v.Texts) > len(data) || n > 100*len(data)+200 {
				t.Fatalf("%d bytes of texts out of %d", n, len(data))
			}
		}
		if d.Err() != nil && d.Text() != "" {
			t.Error("a text after a fault")
		}
	})
}

// FuzzReadEntry: an entry is what its bytes say, or none.
func FuzzReadEntry(f *testing.F) {
	e := Entry{Format: 1, Size: 250, Changed: 7, File: 9, Settled: true, Lines: Lines{Data: []byte("abc"), Whole: 2, Number: 2, Offset: 200}}
	f.Add(e.appendTo(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		e, ok := readEntry(data)
		if !ok {
			return
		}
		if e.Whole > len(e.Data) || e.Offset > e.Size {
			t.Errorf("%+v", e)
		}
		if again, ok := readEntry(e.appendTo(nil)); !ok || !reflect.DeepEqual(again, e) {
			t.Errorf("written and read again it is %+v, was %+v", again, e)
		}
	})
}

// open returns an index in a folder at a time.
func open(folder string, at time.Time) *Index {
	return Open(diskcache.Folder{Path: folder, Build: "b1", Now: func() time.Time { return at }}, "", transcript.Options{})
}

// TestIndex: entries are found by path, writer and tokenizer in another process; cut and
// foreign files of the index are none.
func TestIndex(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "computed")
	now := time.Unix(1e9, 0)
	x := open(folder, now)
	for i := range 100 {
		x.Put(fmt.Sprint("log", i), Entry{Size: int64(i), Lines: Lines{Data: []byte{byte(i)}}})
	}
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	y := open(folder, now)
	for i := range 100 {
		if e := y.Find(fmt.Sprint("log", i)); e == nil || e.Size != int64(i) || !bytes.Equal(e.Data, []byte{byte(i)}) {
			t.Fatalf("log %d: %+v", i, e)
		}
	}
	other := Open(y.folder, transcript.Codex, transcript.Options{})
	counted := Open(y.folder, "", transcript.Options{Count: func(string) int { return 1 }, Tokenizer: "t"})
	if y.Find("log100") != nil || other.Find("log1") != nil || counted.Find("log1") != nil {
		t.Error("an entry of another log is found")
	}
	if Open(y.folder, "", transcript.Options{Count: func(string) int { return 1 }}) != nil || Open(diskcache.Folder{}, "", transcript.Options{}) != nil {
		t.Error("there is an index for a tokenizer without a name, or without a folder")
	}
	y.Distrust()
	if y.Find("log1") != nil {
		t.Error("an index that is not trusted finds an entry")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 || len(files) > shards {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v, %v", file, info.Mode(), err)
		}
		if err := os.Truncate(file, 60); err != nil {
			t.Fatal(err)
		}
	}
	z := open(folder, now)
	for i := range 100 {
		if z.Find(fmt.Sprint("log", i)) != nil {
			t.Fatalf("log %d is found in a file that is cut", i)
		}
	}
}

// TestOldestGoes: a file of the index stays below its size; what was used longest ago is
// left out of it.
func TestOldestGoes(t *testing.T) {
	t.Parallel()
	s := &shard{records: map[Digest]record{}}
	for i := range 5 {
		s.records[Digest{byte(i)}] = record{used: int64(i % 4), data: make([]byte, shardSize/3)}
	}
	data := s.bytes()
	left := readShard(data)
	_, two := left[Digest{2}]
	_, three := left[Digest{3}]
	if len(data) > shardSize || len(left) != 2 || !two || !three {
		t.Errorf("%d bytes, %d records; 2: %v, 3: %v", len(data), len(left), two, three)
	}
	for n := range len(data) / (shardSize / 7) {
		if cut := readShard(data[:n*shardSize/7]); len(cut) > 2 {
			t.Errorf("%d records of a part", len(cut))
		}
	}
}

// TestSettled: a log that was changed just before it was read may change again at the
// same time, so that its entry alone does not tell.
func TestSettled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("one\ntwo\nthr"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		age  time.Duration
		want bool
	}{{0, false}, {Settling - 1, false}, {Settling, true}, {-time.Hour, false}} {
		if got := EntryOf(1, info, info.ModTime().Add(c.age), nil).Unchanged(info); got != c.want {
			t.Errorf("%v after the change: unchanged %v", c.age, got)
		}
	}
	e := EntryOf(1, info, info.ModTime(), &Lines{Offset: 8})
	if err := e.Seal(strings.NewReader("one\ntwo\nthr")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"one\ntwo\nthr": true, "one\ntwo\nthree\n": true, "One\ntwo\nthr": false, "one\ntwo thr": false, "one\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Begins(strings.NewReader(text), now); got != want {
			t.Errorf("%q: begins as the entry: %v", text, got)
		}
	}
}

// FuzzTake: no bytes in place of what was kept of a whole file do harm.
func FuzzTake(f *testing.F) {
	w := new(Whole)
	w.Session(&transcript.Session{ID: "f#2", File: "f", Contexts: []transcript.Context{{Entries: []transcript.Entry{
		{Parent: transcript.None, Kind: transcript.User, Words: "hello"},
		{Kind: transcript.Answer, Request: &transcript.Request{Tools: 0, Usage: &transcript.Usage{Input: 3}, Calls: []transcript.Call{{Tool: "t", Lookup: &transcript.Lookup{Hits: []string{"a"}}}}}},
		{Parent: 1, Kind: transcript.Result, CallEntry: 1},
	}, Loaded: []transcript.Loaded{{Tools: []string{"b"}}}}}, Arrays: []transcript.ToolArray{{Definitions: [][]byte{[]byte("{}"), []byte("{}")}}}, Listed: []transcript.Listed{{Name: "a"}, {Name: "b", Definition: []byte("{}")}}}, 3)
	w.Skip(4, "torn")
	w.Part(Digest{1}, false)
	f.Add(w.Lines([]byte("beside")).Data)
	f.Fuzz(func(t *testing.T, data []byte) {
		k := &Lines{Data: data}
		k.Beside()
		_, _ = k.Take("f", func(Digest) bool { return false }, func(s transcript.Session, _ int) {
			for _, c := range s.Contexts {
				for i, e := range c.Entries {
					if e.Parent >= i || e.Kind == transcript.Result && c.Entries[e.CallEntry].Request.Calls[e.Call].Size.Tokens == -1<<62 {
						t.Errorf("entry %d: %+v", i, e)
					}
				}
			}
		}, func(int, string) {})
	})
}

// TestTooMuchIsNotKept: a log of which the index would not take what is kept is read to its
// end, and nothing is kept of it.
func TestTooMuchIsNotKept(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 64<<10)
	for _, c := range []struct {
		name  string
		lines int
		fits  bool
	}{{"fits", shardSize/len(line) - 1, true}, {"too much", shardSize/len(line) + 1, false}} {
		taken, k := 0, new(Lines)
		err := Reader[string]{
			Parse:  func(data []byte) (string, bool) { return string(data), true },
			Take:   func(*string) string { taken++; return "" },
			Skip:   func(int, string) {},
			Encode: func(e *Encoder, l *string) { e.Text(*l) },
			Decode: func(d *Decoder) string { return d.Text() },
		}.Read(t.Context(), strings.NewReader(strings.Repeat(line+"\n", c.lines)), k)
		if err != nil || taken != c.lines {
			t.Errorf("%s: %d of %d lines, %v", c.name, taken, c.lines, err)
		}
		if kept := len(k.Data) > 0 && k.Whole > 0 && k.Offset > 0; kept != c.fits || k.Fits() != c.fits {
			t.Errorf("%s: %d bytes are kept, and it fits: %t", c.name, len(k.Data), k.Fits())
		}
	}
}
