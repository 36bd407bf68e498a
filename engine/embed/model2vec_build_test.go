package embed

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
)

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
