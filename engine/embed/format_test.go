package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

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
			b := with(12, maxDimension)
			binary.LittleEndian.PutUint32(b[16:], maxCount)
			return b
		}(), "bytes, not"},
		{"one fewer", with(16, 2), "bytes, not"},
		{"origin one longer", with(20, uint32(len(testOrigin)+1)), "bytes, not"},
		{"no number", with(last, math.Float32bits(float32(math.NaN()))), "number that is not finite"},
		{"infinite", with(last, math.Float32bits(float32(math.Inf(-1)))), "number that is not finite"},
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
	binary.LittleEndian.PutUint32(b[12:], maxDimension)
	binary.LittleEndian.PutUint32(b[16:], maxCount)
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
