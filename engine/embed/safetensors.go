package embed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxHeader is the longest header that is read, in bytes. The format allows
// 100 MB; the header of a static model, which has three tensors at most, has
// a few hundred bytes and the metadata its author put there.
const maxHeader = 16 << 20

// elementSize is the size in bytes of one element of each type of the format.
var elementSize = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "F8_E8M0": 1,
	"I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4,
	"I64": 8, "U64": 8, "F64": 8, "C64": 8,
}

// tensor says where an array stands in a file, and what it holds. Its bytes
// lie inside the file, and there are as many as its type and shape ask for.
type tensor struct {
	dtype  string
	shape  []uint64
	offset int64 // from the start of the file
	size   int64 // in bytes
}

// parseHeader returns the tensors of a safetensors file of size bytes, by
// name. The format: eight bytes hold the length of the header,
// little-endian; the header is a JSON object, padded with spaces, of each
// tensor's dtype, shape and data_offsets (begin and end, counted from the
// header's end), with strings under __metadata__; the tensors follow, without
// gaps. Source: the format section of the README of
// github.com/huggingface/safetensors.
//
// SECURITY: the file is not trusted. A length, an offset or a shape that the
// file cannot hold is an error, before anything of that size is allocated.
func parseHeader(r io.ReaderAt, size int64) (map[string]tensor, error) {
	var word [8]byte
	if size < int64(len(word)) {
		return nil, fmt.Errorf("%d bytes are too few for a safetensors file", size)
	}
	if _, err := r.ReadAt(word[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(word[:])
	rest := uint64(size) - uint64(len(word))
	switch {
	case length > rest:
		return nil, fmt.Errorf("header of %d bytes in a file of %d: not a safetensors file, or cut short", length, size)
	case length > maxHeader:
		return nil, fmt.Errorf("header of %d bytes; at most %d are read", length, maxHeader)
	}
	header := make([]byte, length)
	if n, err := r.ReadAt(header, int64(len(word))); n < len(header) {
		return nil, fmt.Errorf("header: %w", err)
	}
	tensors, err := decodeHeader(header)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := checkLayout(tensors, rest-length); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	for name, t := range tensors {
		t.offset += int64(len(word)) + int64(length)
		tensors[name] = t
	}
	return tensors, nil
}

// decodeHeader returns the tensors that the JSON of a header lists. Offsets
// are the header's; each tensor's shape agrees with its size.
func decodeHeader(header []byte) (map[string]tensor, error) {
	d := jsontext.NewDecoder(bytes.NewReader(header))
	start, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	if start.Kind() != '{' {
		return nil, errors.New("not a JSON object")
	}
	tensors := map[string]tensor{}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken() // refuses a name that came before
		if err != nil {
			return nil, err
		}
		name := key.String()
		if name == "__metadata__" {
			if err := json.UnmarshalDecode(d, &map[string]string{}); err != nil {
				return nil, fmt.Errorf("__metadata__: %w", err)
			}
			continue
		}
		if tensors[name], err = decodeTensor(d); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return tensors, nil
}

func decodeTensor(d *jsontext.Decoder) (tensor, error) {
	var entry struct {
		Dtype   string     `json:"dtype"`
		Shape   []uint64   `json:"shape"`
		Offsets *[2]uint64 `json:"data_offsets"`
	}
	if err := json.UnmarshalDecode(d, &entry); err != nil {
		return tensor{}, err
	}
	width, ok := elementSize[entry.Dtype]
	switch {
	case entry.Dtype == "":
		return tensor{}, errors.New("dtype: missing")
	case !ok:
		return tensor{}, fmt.Errorf("dtype: unknown type %q", entry.Dtype)
	case entry.Shape == nil:
		return tensor{}, errors.New("shape: missing")
	case entry.Offsets == nil:
		return tensor{}, errors.New("data_offsets: missing")
	}
	begin, end := entry.Offsets[0], entry.Offsets[1]
	if begin > end || end > 1<<62 {
		return tensor{}, fmt.Errorf("data_offsets: impossible range %d to %d", begin, end)
	}
	want := width
	for _, n := range entry.Shape {
		over, product := bits.Mul64(want, n)
		if over != 0 {
			return tensor{}, fmt.Errorf("shape: %v is more than a file can hold", entry.Shape)
		}
		want = product
	}
	if want != end-begin {
		return tensor{}, fmt.Errorf("shape %v of %s takes %d bytes, data_offsets hold %d", entry.Shape, entry.Dtype, want, end-begin)
	}
	return tensor{dtype: entry.Dtype, shape: entry.Shape, offset: int64(begin), size: int64(end - begin)}, nil
}

// checkLayout checks that tensors fill size bytes, one behind the other: no
// overlap, no gap, none beyond the end.
func checkLayout(tensors map[string]tensor, size uint64) error {
	names := slices.SortedFunc(maps.Keys(tensors), func(a, b string) int {
		s, t := tensors[a], tensors[b]
		return cmp.Or(cmp.Compare(s.offset, t.offset), cmp.Compare(s.size, t.size), cmp.Compare(a, b))
	})
	var at int64
	for _, name := range names {
		t := tensors[name]
		if t.offset != at {
			return fmt.Errorf("tensor %q: begins at %d, the one before it ends at %d", name, t.offset, at)
		}
		at += t.size // no overflow: offset was at most 1<<62 and equals at
		if uint64(at) > size {
			return fmt.Errorf("tensor %q: ends at %d, beyond the %d bytes of data: cut short?", name, at, size)
		}
	}
	if uint64(at) != size {
		return fmt.Errorf("the tensors take %d bytes of %d", at, size)
	}
	return nil
}
