package shapes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "caliper/model/require"

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

// TestLinesAreReadInParts checks that a document of another form among lines, in many
// lines of its own, is read as entry by entry.
func TestLinesAreReadInParts(t *testing.T) {
	data := lines(3000)
	half := len(data)/2 + slices.Index(data[len(data)/2:], '\n') + 1
	odd := "{\"tools\":[" + strings.Repeat("\n{\"function\":{\"name\":\"b\"}},", 2000) + "\n{\"function\":{\"name\":\"c\"}}\n]}\n"
	sameInParts(t, len(data)/10, slices.Concat(data[:half], []byte(odd), data[half:]))
}
