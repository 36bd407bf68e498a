package embed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestHeaderFaults(t *testing.T) {
	two := func(a, b string) []byte {
		return withHeader(`{"a":{"dtype":"I8","shape":[4],"data_offsets":`+a+`},"b":{"dtype":"I8","shape":[4],"data_offsets":`+b+`}}`, make([]byte, 8))
	}
	one := func(tensor string, size int) []byte { return withHeader(`{"a":`+tensor+`}`, make([]byte, size)) }
	length := func(n uint64, rest int) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, n), make([]byte, rest)...)
	}
	for _, c := range []struct {
		name string
		file []byte
		want string // "" for a good file
	}{
		{"good", two("[0,4]", "[4,8]"), ""},
		{"good, listed in another order", two("[4,8]", "[0,4]"), ""},
		{"no tensors", withHeader("{}", nil), ""},
		{"an empty tensor", one(`{"dtype":"F32","shape":[0,7],"data_offsets":[0,0]}`, 0), ""},
		{"one number", one(`{"dtype":"F32","shape":[],"data_offsets":[0,4]}`, 4), ""},
		{"empty", nil, "0 bytes are too few"},
		{"seven bytes", make([]byte, 7), "7 bytes are too few"},
		{"no header", make([]byte, 8), "header: "},
		{"header one too long", length(9, 8), "header of 9 bytes in a file of 16"},
		{"header far too long", length(1<<63, 8), "header of 9223372036854775808 bytes in a file of 16"},
		{"length of all ones", length(1<<64-1, 8), "cut short"},
		{"not JSON", withHeader("hello", nil), "header: "},
		{"a list", withHeader("[]", nil), "not a JSON object"},
		{"cut in the header", withHeader(`{"a":{"dtype":`, nil), "header: "},
		{"two values", withHeader(`{}{}`, nil), "more than one JSON value"},
		{"a tensor twice", withHeader(`{"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}}`, nil), `duplicate object member name`},
		{"metadata that is not strings", withHeader(`{"__metadata__":{"a":1}}`, nil), "__metadata__"},
		{"no dtype", one(`{"shape":[0],"data_offsets":[0,0]}`, 0), `tensor "a": dtype: missing`},
		{"unknown dtype", one(`{"dtype":"F31","shape":[0],"data_offsets":[0,0]}`, 0), `unknown type "F31"`},
		{"no shape", one(`{"dtype":"F32","data_offsets":[0,0]}`, 0), "shape: missing"},
		{"no offsets", one(`{"dtype":"F32","shape":[0]}`, 0), "data_offsets: missing"},
		{"one offset", one(`{"dtype":"F32","shape":[0],"data_offsets":[0]}`, 0), `tensor "a"`},
		{"three offsets", one(`{"dtype":"F32","shape":[0],"data_offsets":[0,0,0]}`, 0), `tensor "a"`},
		{"a negative shape", one(`{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}`, 4), `tensor "a"`},
		{"a negative offset", one(`{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}`, 4), `tensor "a"`},
		{"backwards", one(`{"dtype":"F32","shape":[1],"data_offsets":[4,0]}`, 4), "impossible range 4 to 0"},
		{"offsets past all", one(`{"dtype":"I8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}`, 4), "impossible range"},
		{"a shape that overflows", one(`{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}`, 4), "more than a file can hold"},
		{"a shape that overflows to what there is", one(`{"dtype":"F32","shape":[9223372036854775809,2],"data_offsets":[0,8]}`, 8), "more than a file can hold"},
		{"shape and offsets", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,4]}`, 4), "takes 8 bytes, data_offsets hold 4"},
		{"beyond the end", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`, 7), "ends at 8, beyond the 7 bytes"},
		{"bytes behind", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`, 9), "take 8 bytes of 9"},
		{"an overlap", two("[0,4]", "[3,7]"), `tensor "b": begins at 3`},
		{"a gap", two("[0,4]", "[5,9]"), `tensor "b": begins at 5`},
		{"bytes before", one(`{"dtype":"F32","shape":[1],"data_offsets":[4,8]}`, 8), "begins at 4, the one before it ends at 0"},
	} {
		_, err := parseHeader(bytes.NewReader(c.file), int64(len(c.file)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestElementSizes: a tensor of two elements of each type has as many bytes as the format
// says.
func TestElementSizes(t *testing.T) {
	for size, types := range map[int]string{1: "BOOL U8 I8 F8_E5M2 F8_E4M3 F8_E8M0", 2: "I16 U16 F16 BF16", 4: "I32 U32 F32", 8: "I64 U64 F64 C64"} {
		for _, dtype := range strings.Fields(types) {
			file := withHeader(fmt.Sprintf(`{"a":{"dtype":%q,"shape":[2],"data_offsets":[0,%d]}}`, dtype, 2*size), make([]byte, 2*size))
			if _, err := parseHeader(bytes.NewReader(file), int64(len(file))); err != nil {
				t.Errorf("%s: %v", dtype, err)
			}
		}
	}
}

// sparse is a file of zeros behind its first bytes, of any size.
type sparse []byte

func (s sparse) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	if off < int64(len(s)) {
		copy(p, s[off:])
	}
	return len(p), nil
}

// TestHeaderLimit: a file large enough for a header of gigabytes does not have
// it read.
func TestHeaderLimit(t *testing.T) {
	start := binary.LittleEndian.AppendUint64(nil, 1<<40)
	if _, err := parseHeader(sparse(start), 1<<41); err == nil || !strings.Contains(err.Error(), "at most 16777216 are read") {
		t.Error(err)
	}
}

// TestShorterThanSaid: a file that shrinks while it is read is an error.
func TestShorterThanSaid(t *testing.T) {
	file := flat(matrix("embeddings", "F32", len(staticWords)))["model.safetensors"]
	for _, n := range []int{0, 4, 8, 20} {
		if _, err := parseHeader(bytes.NewReader(file[:n]), int64(len(file))); err == nil {
			t.Errorf("%d bytes: no error", n)
		}
	}
}

// FuzzHeader: no file panics, and the tensors of one that is read fill it.
func FuzzHeader(f *testing.F) {
	f.Add(flat(matrix("embeddings", "F32", 3))["model.safetensors"])
	f.Add(safetensors(entry{"mapping", "I64", []int{1}, pack("I64", 0)}, matrix("embedding.weight", "I8", 2)))
	f.Add(withHeader(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, make([]byte, 4)))
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<63))
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := parseHeader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		total := int64(8) + int64(binary.LittleEndian.Uint64(file))
		for name, k := range tensors {
			total += k.size
			if _, err := io.ReadFull(io.NewSectionReader(bytes.NewReader(file), k.offset, k.size), make([]byte, k.size)); err != nil {
				t.Errorf("%q: %v", name, err)
			}
			elements := elementSize[k.dtype]
			for _, n := range k.shape {
				elements *= n
			}
			if elements != uint64(k.size) {
				t.Error(fmt.Sprint(name, k))
			}
		}
		if total != int64(len(file)) {
			t.Errorf("%d bytes of %d", total, len(file))
		}
	})
}
