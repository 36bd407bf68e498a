package embed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
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
		{"good, listed in another order", two("[4,8]", "[0,4]"), ""},
		{"no tensors", withHeader("{}", nil), ""},
		{"an empty tensor", one(`{"dtype":"F32","shape":[0,7],"data_offsets":[0,0]}`, 0), ""},
		{"one number", one(`{"dtype":"F32","shape":[],"data_offsets":[0,4]}`, 4), ""},
		{"empty", nil, "0 bytes are too few"},
		{"no header", make([]byte, 8), "header: "},
		{"header one too long", length(9, 8), "header of 9 bytes in a file of 16"},
		{"header far too long", length(1<<63, 8), "header of 9223372036854775808 bytes in a file of 16"},
		{"not JSON", withHeader("hello", nil), "header: "},
		{"a list", withHeader("[]", nil), "not a JSON object"},
		{"two values", withHeader(`{}{}`, nil), "more than one JSON value"},
		{"a tensor twice", withHeader(`{"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}}`, nil), `duplicate object member name`},
		{"metadata that is not strings", withHeader(`{"__metadata__":{"a":1}}`, nil), "__metadata__"},
		{"no dtype", one(`{"shape":[0],"data_offsets":[0,0]}`, 0), `tensor "a": dtype: missing`},
		{"unknown dtype", one(`{"dtype":"F31","shape":[0],"data_offsets":[0,0]}`, 0), `unknown type "F31"`},
		{"no shape", one(`{"dtype":"F32","data_offsets":[0,0]}`, 0), "shape: missing"},
		{"no offsets", one(`{"dtype":"F32","shape":[0]}`, 0), "data_offsets: missing"},
		{"one offset", one(`{"dtype":"F32","shape":[0],"data_offsets":[0]}`, 0), `tensor "a"`},
		{"a negative shape", one(`{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}`, 4), `tensor "a"`},
		{"backwards", one(`{"dtype":"F32","shape":[1],"data_offsets":[4,0]}`, 4), "impossible range 4 to 0"},
		{"offsets past all", one(`{"dtype":"I8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}`, 4), "impossible range"},
		{"a shape that overflows", one(`{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}`, 4), "more than a file can hold"},
		{"a shape that overflows to what there is", one(`{"dtype":"F32","shape":[9223372036854775809,2],"data_offsets":[0,8]}`, 8), "more than a file can hold"},
		{"shape and offsets", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,4]}`, 4), "takes 8 bytes, data_offsets hold 4"},
		{"beyond the end", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`, 7), "ends at 8, beyond the 7 bytes"},
		{"bytes behind", one(`{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`, 9), "take 8 bytes of 9"},
		{"an overlap", two("[0,4]", "[3,7]"), `tensor "b": begins at 3`},
		{"a gap", two("[0,4]", "[5,9]"), `tensor "b": begins at 5`},
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

// staticWords is the vocabulary of the models made here, by number.
var staticWords = strings.Fields(`[PAD] [UNK] [CLS] [SEP] read file search web delete
	cafe naive un ##known ##s ##ing ##er 日 本 語 ! , _ mail send list ##file`)

const columns = 6

// staticTable returns the number that a model has in a row and a column: an eighth of
// a whole number of seven bits, which every type holds exactly.
func staticTable(row, column int) float64 {
	return float64((row*53+column*column*29+7)%255-127) / 8
}

// entry is a tensor of a file made here.
type entry struct {
	name, dtype string
	shape       []int
	data        []byte
}

// pack returns numbers as a type of the format holds them.
func pack(dtype string, numbers ...float64) []byte {
	var b []byte
	for _, x := range numbers {
		switch dtype {
		case "F32":
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		case "F64":
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		case "BF16":
			b = binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(float32(x))>>16))
		case "F16": // normal numbers only
			var bits uint16
			if x != 0 {
				fraction, exponent := math.Frexp(math.Abs(x))
				bits = uint16(exponent-1+15)<<10 | uint16((fraction*2-1)*1024)
			}
			if x < 0 {
				bits |= 1 << 15
			}
			b = binary.LittleEndian.AppendUint16(b, bits)
		case "I8":
			b = append(b, byte(int8(x)))
		case "I32":
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(x)))
		case "I64":
			b = binary.LittleEndian.AppendUint64(b, uint64(int64(x)))
		default:
			panic(dtype)
		}
	}
	return b
}

// matrix returns the table of so many rows as a tensor.
func matrix(name, dtype string, rows int) entry {
	var numbers []float64
	for r := range rows {
		for c := range columns {
			x := staticTable(r, c)
			if dtype == "I8" {
				x *= 8
			}
			numbers = append(numbers, x)
		}
	}
	return entry{name, dtype, []int{rows, columns}, pack(dtype, numbers...)}
}

// safetensors returns the file that holds entries.
func safetensors(entries ...entry) []byte {
	header, at := `{"__metadata__":{"format":"np"}`, 0
	var data []byte
	for _, e := range entries {
		shape, _ := json.Marshal(e.shape)
		header += fmt.Sprintf(`,%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, e.name, e.dtype, shape, at, at+len(e.data))
		at += len(e.data)
		data = append(data, e.data...)
	}
	return withHeader(header+"}", data)
}

// withHeader returns the file of a header and the bytes behind it.
func withHeader(header string, data []byte) []byte {
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

// tokenizerJSON returns a tokenizer.json over words; edit changes it first.
func tokenizerJSON(edit func(file, model map[string]any)) []byte {
	vocabulary := map[string]any{}
	for i, w := range staticWords {
		vocabulary[w] = i
	}
	model := map[string]any{
		"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
		"max_input_chars_per_word": 100, "vocab": vocabulary,
	}
	file := map[string]any{
		"version": "1.0",
		"added_tokens": []any{
			map[string]any{"id": 0, "content": "[PAD]", "special": true, "normalized": false, "single_word": false},
			map[string]any{"id": 1, "content": "[UNK]", "special": true, "normalized": false, "single_word": false},
		},
		"normalizer": map[string]any{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true,
		},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         model,
	}
	if edit != nil {
		edit(file, model)
	}
	data, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return data
}

// folder is a model's files by their paths.
type folder map[string][]byte

// flat returns a folder as model2vec writes it.
func flat(entries ...entry) folder {
	return folder{
		"model.safetensors": safetensors(entries...),
		"tokenizer.json":    tokenizerJSON(nil),
		"config.json":       []byte(`{"model_type":"model2vec","normalize":true,"hidden_dim":6}`),
	}
}

// with returns the folder with some files changed; nil takes one away.
func (f folder) with(changes folder) folder {
	out := maps.Clone(f)
	for name, data := range changes {
		if out[name] = data; data == nil {
			delete(out, name)
		}
	}
	return out
}

// write writes the folder to a new place and returns its path.
func (f folder) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range f {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	return dir
}

// load returns the model of the folder.
func (f folder) load(t testing.TB) *Model2Vec {
	t.Helper()
	m, err := LoadModel2Vec(f.write(t))
	require.NoError(t, err)
	return m
}
