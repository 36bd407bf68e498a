package shapes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model"

	"pgregory.net/rapid"
)

// inParts reads sources in parts of a size.
func inParts(size int, part func(Part), sources ...model.Source) (*model.Registry, error) {
	defer func(size int) { partSize = size }(partSize)
	partSize = size
	return Stream(context.Background(), new(model.Registry), part, sources...)
}

// headings collects what is handed over, as a listener has it at the end.
type headings map[int][]Heading

func (h headings) add(p Part) { h[p.Source] = append(h[p.Source][:p.First], p.Tools...) }

// sameInParts fails unless a source read in parts of a size is the source read
// entry by entry: tools, toolsets, errors, warnings with their places, and what a
// later reading knows of it.
func sameInParts(t interface{ Fatalf(string, ...any) }, size int, data []byte) {
	source := model.Source{Name: "r.json", Data: data}
	want, wantErr := inParts(math.MaxInt/4, nil, source)
	told := headings{}
	got, err := inParts(size, told.add, source)
	if !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("in parts of %d: error %v, want %v\n%s", size, err, wantErr, data)
	}
	if err != nil {
		return
	}
	if err := sameRegistry(got, want); err != nil {
		t.Fatalf("in parts of %d: %v\n%s", size, err, data)
	}
	a, b := got.Reading.(*reading).readers[0], want.Reading.(*reading).readers[0]
	if a.plain != b.plain || a.plain && a.last != b.last || len(told[0]) != len(want.Tools) {
		t.Fatalf("in parts of %d: plain %t %+v with %d headings, want %t %+v with %d\n%s", size, a.plain, a.last, len(told[0]), b.plain, b.last, len(want.Tools), data)
	}
	for i := range a.found {
		x, y := a.found[i], b.found[i]
		if *x.prefix != *y.prefix || x.path("name") != y.path("name") || x.form != y.form || x.start() != y.start() || x.end() != y.end() || x.function != y.function ||
			x.parameters != y.parameters || x.name != y.name || x.description != y.description {
			t.Fatalf("in parts of %d: tool %d was found as %+v, want %+v\n%s", size, i, x, y, data)
		}
	}
}

// sameOnce fails unless a source that is read once, in parts of a size, is the source
// read entry by entry.
func sameOnce(t interface{ Fatalf(string, ...any) }, size int, data []byte) {
	source := model.Source{Name: "r.json", Data: data}
	want, wantErr := inParts(math.MaxInt/4, nil, source)
	defer func(size int) { partSize = size }(partSize)
	partSize = size
	got, err := Once(context.Background(), nil, source)
	if !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("read once: error %v, want %v\n%s", err, wantErr, data)
	}
	if err != nil {
		return
	}
	for _, tool := range got.Tools {
		if tool.Hash != (model.Hash{}) || got.Reading != nil {
			t.Fatalf("read once: %s keeps what only a reload needs", tool.Name)
		}
		tool.Hash = tool.Content()
	}
	if err := sameRegistry(got, want); err != nil {
		t.Fatalf("read once: %v\n%s", err, data)
	}
}

func TestReadInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.SampledFrom([][2]string{
			{`[`, `]`}, {`{"tools":[`, `]}`}, {" [\n", "\n]\n"}, {"\ufeff{\"tools\" : [", `]}`},
			{`{"toolsets":{"files":{"tools":["one","two"]}},"tools":[`, `]}`},
			{`{"tools":[`, `],"toolsets":{"files":{"tools":["one","nine"],"includes":["mcp-web"]}}}`},
			{`{"tools":[`, `],"toolsets":{"a":{},"a":{}},"x":[{"a":1},{"a":2}]}`}, {`{"tools":[`, `],"tools":[]}`},
			{`{"tools":[`, `]}{"tools":[{"function":{"name":"later"}}],"nextCursor":"x"}`},
			{`{"jsonrpc":"2.0","result":{"tools":[`, `]}}`}, {`[`, `]]`}, {`[`, `]} `}, {`[`, ``}, {``, ``},
		}).Draw(t, "around")
		separator := rapid.SampledFrom([]string{",", ",\n  ", " , "}).Draw(t, "separator")
		if around[0] == "" {
			separator = "\n"
		}
		text := around[0] + strings.Join(rapid.SliceOfN(rapid.Custom(drawEntry), 0, 30).Draw(t, "entries"), separator) + around[1]
		data := []byte(text)
		if rapid.IntRange(0, 5).Draw(t, "bytes") == 0 && len(data) > 0 {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("{}[]\",: x1\\\xff")).Draw(t, "byte")
		}
		size := rapid.IntRange(1, 600).Draw(t, "size")
		sameInParts(t, size, data)
		sameOnce(t, size, data)
	})
}

// TestWrongGuess reads arrays in which the text between two entries stands
// inside of entries too.
func TestWrongGuess(t *testing.T) {
	const inner = `{"type":"function","function":{"name":"a","parameters":{"anyOf":[` + `{"type":"x"},{"type":"y"},{"type":"z"},{"type":"x"}]}}}`
	const quoted = `{"type":"function","function":{"name":"b","description":"},{\"type\": },{"}}`
	for _, entries := range []string{
		strings.Repeat(inner+",", 20) + inner, strings.Repeat(quoted+","+inner+",", 9) + quoted, strings.Repeat(inner+",", 20), strings.Repeat(inner+",", 9) + "," + inner,
		strings.Repeat(inner+",", 9) + inner + strings.Repeat("]", 3) + inner,
	} {
		for _, around := range [][2]string{{"[", "]"}, {`{"tools":[`, `]}`}} {
			for _, size := range []int{1, 7, 30, 64, 100, 150, 400} {
				sameInParts(t, size, []byte(around[0]+entries+around[1]))
			}
		}
	}
	for depth := 9_997; depth < 10_001; depth++ { // as deep as can be read, and deeper
		sameInParts(t, 400, []byte(`{"tools":[`+strings.Repeat(inner+",", 9)+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`]}`))
	}
}

// TestNotesInParts reads definitions of which there is something to note, more
// than is kept, among others.
func TestNotesInParts(t *testing.T) {
	var entries []string
	for i := range 1300 {
		entries = append(entries, fmt.Sprintf(`{"type":"function","function":{"name":"a%d","description":%d,"parameters":[]}}`, i, i), `{"type":"function","function":{"name":"b"}}`)
	}
	for _, size := range []int{500, 5000} {
		sameInParts(t, size, []byte("["+strings.Join(entries, ",")+"]"))
	}
}

// TestListsInParts reads lists in entries while parts beside them are read, of
// which nothing may be taken for a part of such a list.
func TestListsInParts(t *testing.T) {
	var entries []string
	for i := range 2000 {
		entries = append(entries, fmt.Sprintf(`{"name":"a%d","description":"d","inputSchema":{"type":"object"}}`, i))
		if i/20%2 == 0 {
			entries[i] = fmt.Sprintf(`{"functionDeclarations":[{"name":"b%d","description":"d","parameters":{"type":"OBJECT"}}]}`, i)
		}
	}
	for _, size := range []int{150, 1000} {
		sameInParts(t, size, []byte("["+strings.Join(entries, ",")+"]"))
	}
}

// TestPartsAreUsed checks that a plain dump is read in parts, and that they come
// in order and together hold every tool once.
func TestPartsAreUsed(t *testing.T) {
	data := syntheticDump(3000)
	parts, read := 0, 0
	var names []string
	r, err := inParts(len(data)/10, func(p Part) {
		if parts++; p.First != len(names) || p.Read < read || p.Size != len(data) || p.Source != 0 {
			t.Errorf("part %d: %d tools from %d on, %d of %d bytes", parts, len(p.Tools), p.First, p.Read, p.Size)
		}
		read = p.Read
		for _, h := range p.Tools {
			names = append(names, h.Name)
		}
	}, model.Source{Name: "r.json", Data: data})
	if err != nil || parts < 10 || read != len(data) {
		t.Fatalf("%d parts, %d of %d bytes, %v", parts, read, len(data), err)
	}
	if !slices.EqualFunc(r.Tools, names, func(t *model.Tool, name string) bool { return t.Name == name }) {
		t.Error("the names handed over are not those of the registry")
	}
}

func TestPartsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer func(size int) { partSize = size }(partSize)
	partSize = 10_000
	_, err := Stream(ctx, new(model.Registry), func(Part) { cancel() }, model.Source{Name: "r.json", Data: syntheticDump(2000)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func FuzzParts(f *testing.F) {
	f.Add(uint16(50), []byte(`{"tools":[{"function":{"name":"a"}},{"function":{"name":"b"}}],"toolsets":{}}`))
	f.Add(uint16(9), bytes.Repeat([]byte(`[{"name":"a"},{"name":"b"},`), 3))
	f.Fuzz(func(t *testing.T, size uint16, data []byte) { sameInParts(t, int(size)+1, data) })
}
