package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

// testOrigin is the origin of the files of these tests.
var testOrigin = origin(Identity{Provider: "fake", Model: "m"})

// testTable has three vectors of two numbers.
func testTable() *table {
	return &table{2, []digest{{1}, {2}, {3}}, []float32{1, 0, 0, -1, .6, .8}}
}

// signed returns a file whose checksum is right.
func signed(content []byte) []byte {
	sum := sha256.Sum256(content)
	return append(bytes.Clone(content), sum[:]...)
}

// unsigned returns a file without its checksum.
func unsigned(data []byte) []byte { return bytes.Clone(data[:len(data)-sha256.Size]) }

func TestFormatBytes(t *testing.T) {
	want := []byte("calipvec\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00where")
	d := digest{9, 8, 7}
	want = append(want, d[:]...)
	want = append(want, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf) // 1, -.5
	if got := encode(&table{2, []digest{d}, []float32{1, -.5}}, []byte("where")); !bytes.Equal(got, signed(want)) {
		t.Errorf("%q", got)
	}
}

// TestDecodeRefuses is of files whose checksum is right.
func TestDecodeRefuses(t *testing.T) {
	good := unsigned(encode(testTable(), testOrigin))
	with := func(at int, n uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], n)
		return b
	}
	last := len(good) - 4
	for _, c := range []struct {
		name    string
		content []byte
		why     string
	}{
		{"magic", append([]byte("CALIPVEC"), good[8:]...), "not an index"},
		{"empty", nil, "not an index"},
		{"format", with(8, 2), "format 2, not 1"},
		{"no dimension", with(12, 0), "out of bounds"},
		{"dimension", with(12, 1<<31), "out of bounds"},
		{"count", with(16, math.MaxUint32), "out of bounds"},
		{"origin", with(20, math.MaxUint32), "out of bounds"},
		{"largest within bounds", func() []byte {
			b := with(12, 1<<15)
			binary.LittleEndian.PutUint32(b[16:], 1<<20)
			return b
		}(), "bytes, not"},
		{"one fewer", with(16, 2), "bytes, not"},
		{"origin one longer", with(20, uint32(len(testOrigin)+1)), "bytes, not"},
		{"no number", with(last, math.Float32bits(float32(math.NaN()))), "number that is not finite"},
		{"large", with(last, math.Float32bits(1.5)), "number that is not finite"},
	} {
		if _, err := decode(signed(c.content), testOrigin, 0); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: error %v, not %q", c.name, err, c.why)
		}
	}
}

func TestDecodeForeign(t *testing.T) {
	data := encode(testTable(), testOrigin)
	other := origin(Identity{Provider: "fake", Model: "n"}) // as long
	if _, err := decode(data, other, 0); !errors.Is(err, errForeign) {
		t.Errorf("another model: %v", err)
	}
	if _, err := decode(data, testOrigin, 3); !errors.Is(err, errForeign) {
		t.Errorf("another dimension: %v", err)
	}
}

// TestDecodeAllocatesNoMoreThanTheFile gives a small file that claims a large
// one.
func TestDecodeAllocatesNoMoreThanTheFile(t *testing.T) {
	b := unsigned(encode(testTable(), testOrigin))
	binary.LittleEndian.PutUint32(b[12:], 1<<15)
	binary.LittleEndian.PutUint32(b[16:], 1<<20)
	data := signed(b)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := decode(data, testOrigin, 0); err == nil {
			t.Fatal("it is read")
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated for 100 files of %d", n, len(data))
	}
}

func TestFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := &table{dimension: rapid.IntRange(1, 9).Draw(t, "dimension")}
		for range rapid.IntRange(0, 9).Draw(t, "count") {
			var d digest
			copy(d[:], rapid.SliceOfN(rapid.Byte(), len(d), len(d)).Draw(t, "digest"))
			in.digests = append(in.digests, d)
			in.values = append(in.values, rapid.SliceOfN(rapid.Float32Range(-1, 1), in.dimension, in.dimension).Draw(t, "vector")...)
		}
		from := rapid.SliceOf(rapid.Byte()).Draw(t, "origin")
		data := encode(in, from)
		out, err := decode(data, from, in.dimension)
		require.NoError(t, err)
		if !bytes.Equal(encode(out, from), data) || len(out.digests) != len(in.digests) || out.dimension != in.dimension {
			t.Fatalf("%v became %v", in, out)
		}
		at := rapid.IntRange(0, len(data)-1).Draw(t, "place of damage")
		data[at] ^= rapid.ByteRange(1, 255).Draw(t, "damage")
		if _, err := decode(data, from, in.dimension); err == nil {
			t.Fatal("damage is not seen")
		}
	})
}

// FuzzDecode tries each input as it is and with a right checksum, without
// which little but the checksum is tried. A file that is read is written the same.
func FuzzDecode(f *testing.F) {
	good := encode(testTable(), testOrigin)
	f.Add(good)
	f.Add(unsigned(good))
	f.Add(unsigned(encode(&table{dimension: 1}, testOrigin)))
	f.Add([]byte(magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, signed(data)} {
			got, err := decode(data, testOrigin, 0)
			if err != nil {
				continue
			}
			if len(got.values) != len(got.digests)*got.dimension || len(got.values)*4 > len(data) {
				t.Fatalf("%d vectors, %d numbers, dimension %d", len(got.digests), len(got.values), got.dimension)
			}
			if !bytes.Equal(encode(got, testOrigin), data) {
				t.Fatal("what was read is not what is written")
			}
		}
	})
}

func TestSaveModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "index")
	for range 2 { // new, and replaced
		require.NoError(t, save(path, []byte("x")))
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v: %v", name, info.Mode(), err)
			}
		}
		require.NoError(t, os.Chmod(path, 0o666))
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 || entries[0].Name() != "index" {
		t.Errorf("there are %v", entries)
	}
}

// The next start takes away what killed processes left, and nothing else.
func TestOpenSweeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	left, theirs := filepath.Join(filepath.Dir(path), ".index.caliper-123"), filepath.Join(filepath.Dir(path), ".index123")
	for _, name := range []string{left, theirs} {
		require.NoError(t, errors.Join(os.WriteFile(name, nil, 0o600), os.Chtimes(name, time.Time{}, time.Unix(1, 0))))
	}
	mustOpen(t, newFake(2), some(3), path)
	if _, err := os.Stat(left); err == nil {
		t.Error("an unfinished file is left")
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
}

// TestOpenBesideAnUnfinishedFile has every part of a new index that a killed
// process can have left beside the old one.
func TestOpenBesideAnUnfinishedFile(t *testing.T) {
	f, path, tools := newFake(2), indexPath(t), some(3)
	mustOpen(t, f, tools[:2], path)
	old, _ := os.ReadFile(path)
	mustOpen(t, f, tools, path)
	fresh, _ := os.ReadFile(path)
	require.NoError(t, os.WriteFile(path, old, 0o600))
	for n := range len(fresh) + 1 {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), ".index.vectors.caliper-123"), fresh[:n], 0o600))
		f.taken()
		if v := mustOpen(t, f, tools[:2], path); v.Rebuilt != nil || len(f.taken()) != 0 {
			t.Fatalf("after %d bytes: %v", n, v.Rebuilt)
		}
	}
	mustOpen(t, f, tools, path)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, fresh) {
		t.Error("the next write is not the new index")
	}
}

func TestDigestOf(t *testing.T) {
	want := sha256.Sum256([]byte("\x04\x00\x00\x00ping\x02\x00\x00\x00Hi\x01\x00\x00\x00a\x02\x00\x00\x00bc"))
	if got := digestOf(tool("ping", "Hi", "a", "bc")); got != want {
		t.Errorf("digest %x, not %x", got, want)
	}
}

func TestFileName(t *testing.T) {
	base := Identity{Provider: "ollama", Model: "../m", Dimension: 3}
	name := FileName(base)
	if h, ok := strings.CutSuffix(name, ".vectors"); !ok || len(h) != 32 {
		t.Errorf("file name %q", name)
	} else if _, err := hex.DecodeString(h); err != nil {
		t.Error(err)
	}
	known := base
	known.Dimension = 0
	if FileName(known) != name {
		t.Error("the file name depends on the dimension")
	}
	for _, other := range []Identity{
		{Provider: "openai", Model: "../m"}, {Provider: "ollama", Model: "n"}, {Provider: "ollama../", Model: "m"},
		{Provider: "ollama", Model: "../m", QueryPrefix: "q"}, {Provider: "ollama", Model: "../m", DocumentPrefix: "q"},
	} {
		if FileName(other) == name {
			t.Errorf("%+v shares a file", other)
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, c := range []struct {
		name string
		tool *model.Tool
		want string
	}{
		{"all", tool("create_issue", "Opens an\n\tissue.", "bodyText", "repo_id"), "create issue. Opens an issue. parameters: body text, repo id"},
		{"no full stop", tool("ping", "Pings", "host"), "ping. Pings. parameters: host"},
		{"no description", tool("ping", " \n", "host"), "ping. parameters: host"},
		{"no parameters", tool("ping", "Pings."), "ping. Pings."},
		{"a parameter without words", tool("ping", "", "_", "host"), "ping. parameters: host"},
		{"name only", &model.Tool{Name: "ping"}, "ping"},
		{"no words in the name", tool("__", "Does it."), "Does it."},
		{"nothing", &model.Tool{}, "tool"},
		{"no UTF-8", tool("a", "b\xffc"), "a. b\uFFFDc"},
	} {
		if got := Template(c.tool); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestTemplateIsCutBetweenCharacters(t *testing.T) {
	for shift := range 3 {
		got := Template(tool(strings.Repeat("a", 1+shift), strings.Repeat("天", 8000)))
		if len(got) > 8000 || len(got) < 7998 || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
	}
}

func TestTemplateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		x := tool(text.Draw(t, "name"), text.Draw(t, "description"), rapid.SliceOf(rapid.String()).Draw(t, "parameters")...)
		got := Template(x)
		if got == "" || len(got) > 8000 || !utf8.ValidString(got) {
			t.Fatalf("template %q", got)
		}
		if w := lowerWords(x.Name); lowerWords(w) != w {
			t.Fatalf("words of %q change when they are taken again", w)
		}
	})
}

func TestPrefixes(t *testing.T) {
	for model, want := range map[string][2]string{
		"nomic-embed-text":                        {"search_query: ", "search_document: "},
		"nomic-ai/Nomic-Embed-Text-v2-moe":        {"search_query: ", "search_document: "},
		"nomic-embed-code":                        {},
		"e5":                                      {"query: ", "passage: "},
		"intfloat/multilingual-E5-large":          {"query: ", "passage: "},
		"jeffh/intfloat-e5-base-v2:f16":           {"query: ", "passage: "},
		"intfloat/multilingual-e5-large-instruct": {},
		"text-embedding-3-small":                  {},
		"e50":                                     {},
		"":                                        {},
	} {
		if query, document := Prefixes(model); query != want[0] || document != want[1] {
			t.Errorf("%q wants %q and %q, not %q", model, query, document, want)
		}
	}
}
