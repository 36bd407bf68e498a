package shapes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "caliper/internal/draws"
	"caliper/model"

	"pgregory.net/rapid"
)

// drawDocument draws a document of a text with many; most are definitions.
func drawDocument(t *rapid.T) string {
	switch rapid.IntRange(0, 30).Draw(t, "document") {
	case 0:
		return rapid.SampledFrom([]string{
			`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"1","serverInfo":{"name":"s"},"instructions":"Ask."}}`,
			`{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}`, `{"mcpServers":{"a":{"command":"b"}}}`,
			`{"tools":[{"function":{"name":"p"}}],"toolsets":{"s":{"tools":["one"]}}}`, "{\"tools\":[\n{\"name\":\"q\",\"inputSchema\":{}},\n{\"name\":\"r\"}\n]}",
			"{\n\"name\":\"v\",\n\"inputSchema\":\n{}}", "{\"function\":\n{\"name\":\"w\"}}", `[{"function":{"name":"l"}}]`,
			`{"name":"x","parameters":{"type":"object"},"type":"function"}`, "\n", `,`, `{"function":{"name":"a","name":"b"}}`, "{\"function\":{\"name\":\"\xff\"}}",
		}).Draw(t, "other")
	default:
		return drawEntry(t)
	}
}

func TestLinesInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const first = `{"function":{"name":"first"}}`
		separator := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", " ", "\n "}).Draw(t, "separator")
		documents := rapid.SliceOfN(rapid.Custom(drawDocument), 0, 40).Draw(t, "documents")
		data := []byte(strings.Join(slices.Concat([]string{first}, documents), separator))
		if rapid.IntRange(0, 5).Draw(t, "bytes") == 0 {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("{}[]\",: x1\\\xff\n")).Draw(t, "byte")
		}
		if rapid.IntRange(0, 5).Draw(t, "short") == 0 {
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		}
		size := rapid.IntRange(1, 600).Draw(t, "size")
		sameInParts(t, size, data)
		sameOnce(t, size, data)
	})
}

// lines returns n definitions, each in a line.
func lines(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"type\":\"function\",\"function\":{\"name\":\"a%d\",\"description\":\"%s\"}}\n", i, strings.Repeat("d", i%90))
	}
	return []byte(b.String())
}

// TestLinesAreReadInParts checks that lines of definitions are read in parts, which
// come in order and together hold every tool once, and that a document of another
// form, in many lines of its own, does not end that.
func TestLinesAreReadInParts(t *testing.T) {
	for _, tt := range []struct{ name, odd string }{
		{"definitions", ""}, {"another form", "{\"tools\":[" + strings.Repeat("\n{\"function\":{\"name\":\"b\"}},", 2000) + "\n{\"function\":{\"name\":\"c\"}}\n]}\n"},
	} {
		data := lines(3000)
		half := len(data)/2 + slices.Index(data[len(data)/2:], '\n') + 1
		data = slices.Concat(data[:half], []byte(tt.odd), data[half:])
		parts, read := 0, 0
		var names []string
		r, err := inParts(len(data)/10, func(p Part) {
			if parts++; p.First != len(names) || p.Read < read || p.Size != len(data) {
				t.Errorf("%s: part %d: %d tools from %d on, %d of %d bytes", tt.name, parts, len(p.Tools), p.First, p.Read, p.Size)
			}
			read = p.Read
			for _, h := range p.Tools {
				names = append(names, h.Name)
			}
		}, model.Source{Name: "r.jsonl", Data: data})
		if err != nil || parts < 9 || read != len(data) {
			t.Fatalf("%s: %d parts, %d of %d bytes, %v", tt.name, parts, read, len(data), err)
		}
		if !slices.EqualFunc(r.Tools, names, func(t *model.Tool, name string) bool { return t.Name == name }) {
			t.Errorf("%s: the names handed over are not those of the registry", tt.name)
		}
	}
}

func TestLinesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer func(size int) { partSize = size }(partSize)
	for _, size := range []int{10_000, 1 << 30} {
		partSize = size
		if size > 1<<20 {
			cancel() // nothing is handed over before the end
		}
		_, err := Stream(ctx, new(model.Registry), func(Part) { cancel() }, model.Source{Name: "r.jsonl", Data: lines(2000)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("in parts of %d: error %v", size, err)
		}
	}
}
