package shapes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"caliper/model"
	"caliper/model/require"
)

// largeSources returns sources of every format, each of n tools.
func largeSources(n int) map[string][]byte {
	text := strings.Repeat("Reads a page of the log of the harbour. ", 8)
	list := func(before, entry, between, after string) []byte {
		entry = strings.ReplaceAll(entry, "TEXT", text)
		var b bytes.Buffer
		b.WriteString(before)
		for i := range n {
			if i > 0 {
				b.WriteString(between)
			}
			b.WriteString(strings.ReplaceAll(entry, "NAME", fmt.Sprintf("tool_%d", i)))
		}
		b.WriteString(after)
		return b.Bytes()
	}
	const schema = `{"type":"object","properties":{"page":{"type":"string","description":"TEXT"}},"required":["page"]}`
	upper := strings.NewReplacer(`"object"`, `"OBJECT"`, `"string"`, `"STRING"`).Replace(schema)
	function := `{"name":"NAME","description":"TEXT","parameters":` + schema + `}`
	mcp := `{"name":"NAME","description":"TEXT","inputSchema":` + schema + `}`
	chat := `{"type":"function","function":` + function + `,"toolset":"s"}`
	return map[string][]byte{
		"dump":          list(`{"toolsets":{},"tools":[`, chat, ",", "]}"),
		"dump lines":    list("", chat, "\n", "\n"),
		"comments":      list("// ours\n[", chat, ",\n", ",]"),
		"bad bytes":     bytes.ReplaceAll(list("[", chat, ",", "]"), []byte("harbour"), []byte("harb\xffur")),
		"repeated keys": list("[", `{"type":"x","type":"function","function":`+function+`}`, ",", "]"),
		"responses":     list("[", `{"type":"function",`+function[1:], ",", "]"),
		"legacy":        list(`{"functions":[`, function, ",", "]}"),
		"Anthropic":     list("[", `{"name":"NAME","description":"TEXT","input_schema":`+schema+`}`, ",", "]"),
		"Gemini":        list(`[{"functionDeclarations":[`, `{"name":"NAME","description":"TEXT","parameters":`+upper+`}`, ",", "]}]"),
		"Bedrock":       list(`{"toolConfig":{"tools":[`, `{"toolSpec":{"name":"NAME","description":"TEXT","inputSchema":{"json":`+schema+`}}}`, ",", "]}}"),
		"MCP":           list(`{"jsonrpc":"2.0","result":{"tools":[`, mcp, ",", "]}}"),
		"MCP pages":     list("", `{"jsonrpc":"2.0","result":{"tools":[`+mcp+`]}}`, "\n", ""),
		"events":        list("", `data: {"jsonrpc":"2.0","result":{"tools":[`+mcp+`]}}`, "\n\n", "\n\n"),
		"servers":       list("{", `"NAME":{"tools":[`+mcp+`,`+strings.Replace(mcp, "NAME", "NAME_more", 1)+`]}`, ",", "}"),
	}
}

// allocated returns how many bytes parsing a source allocates, all in all.
func allocated(t *testing.T, data []byte) (bytes float64, r *model.Registry) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, _ = Parse(context.Background(), model.Source{Name: "large.json", Data: data})
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), r
}

// Whatever its format, a source takes no more than five times its size, even
// counted without what was freed on the way; six times where each schema is translated as a tree.
func TestMemory(t *testing.T) {
	if isRace {
		t.Skip("allocations cannot be counted")
	}
	const n = 1000
	for name, data := range largeSources(n) {
		t.Run(name, func(t *testing.T) {
			size, r := allocated(t, data)
			if r == nil || len(r.Tools) < n {
				t.Fatalf("%v", r)
			}
			t.Logf("%.1f times", size/float64(len(data)))
			most := 5.0
			if name == "Gemini" {
				most = 6
			}
			if size > most*float64(len(data)) {
				t.Errorf("%d bytes of source took %.0f, which is %.1f times as much", len(data), size, size/float64(len(data)))
			}
		})
	}
}

// Nor do sources that hold nothing but faults.
func TestMemoryOfFaults(t *testing.T) {
	if isRace {
		t.Skip("allocations cannot be counted")
	}
	for name, data := range map[string]string{
		"bad bytes":         `["` + strings.Repeat("\xff", 1<<18) + `"`,
		"scattered":         `{"a":"` + strings.Repeat("\xffa", 1<<17) + `"}`,
		"surrogates":        `{"a":"` + strings.Repeat(`\ud800`, 1<<16) + `"}`,
		"no definitions":    `[` + strings.Repeat("{},", 1<<16) + `{}]`,
		"hosted":            `[` + strings.Repeat(`{"type":"x"},`, 1<<15) + `{}]`,
		"no names":          `[` + strings.Repeat(`{"name":"","inputSchema":{}},`, 1<<14) + `{}]`,
		"brackets":          strings.Repeat("[", 1<<18),
		"comments":          strings.Repeat("//\n", 1<<16) + "[",
		"open comments":     "[" + strings.Repeat("/* ", 1<<16),
		"commas":            "[" + strings.Repeat(",", 1<<18) + "]",
		"events":            strings.Repeat("data:{\n", 1<<15),
		"repeated keys":     `{` + strings.Repeat(`"":0,`, 1<<16) + `"":1}`,
		"unfinished string": `["` + strings.Repeat(`\`, 1<<18),
		"lines":             strings.Repeat("\n", 1<<18) + "x",
		"YAML":              "mcp_servers:\n" + strings.Repeat(" a:\n", 1<<18),
		"TOML":              strings.Repeat("[mcp_servers.a]\n", 1<<14),
	} {
		t.Run(name, func(t *testing.T) {
			size, _ := allocated(t, []byte(data))
			t.Logf("%.1f times", size/float64(len(data)))
			most := 12.0
			if name == "YAML" {
				most = 256 // a value of four bytes takes a node with its text; see maxYAML
			}
			if size > most*float64(len(data)) {
				t.Errorf("%d bytes of source took %.0f, which is %.1f times as much", len(data), size, size/float64(len(data)))
			}
		})
	}
}

// endingContext ends after its Err was asked a number of times.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelled ends the context before, while and after the first entries are read, of
// an array and of lines.
func TestCancelled(t *testing.T) {
	for name, data := range map[string][]byte{"array": syntheticDump(2000), "lines": bytes.Repeat([]byte(`{"function":{"name":"a"}}`+"\n"), 2000)} {
		for asked := range int64(5) {
			ctx := &endingContext{Context: t.Context()}
			ctx.left.Store(asked)
			if _, err := Parse(ctx, model.Source{Name: "r.json", Data: data}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, asked %d times: error %v", name, asked, err)
			}
		}
	}
}

// TestParseLetsGo checks that no text of a tool keeps the source, which is large.
func TestParseLetsGo(t *testing.T) {
	data := syntheticDump(500)
	r, err := Parse(t.Context(), model.Source{Name: "r.json", Data: data})
	require.NoError(t, err)
	for i, tool := range r.Tools {
		for _, text := range []string{tool.Name, tool.Qualified, tool.ShownName, tool.Description} {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(text))) - uintptr(unsafe.Pointer(&data[0])); at < uintptr(len(data)) {
				t.Fatalf("%q of tool %d keeps its source", text, i)
			}
		}
	}
}

// syntheticDump returns a registry dump of n tools of about 780 bytes each,
// the same for every call.
func syntheticDump(n int) []byte {
	words := strings.Fields("create delete list update read write search find issue branch commit file folder user team " +
		"channel message query index record page value number limit offset optional the a of to for with in and returns when")
	random := rand.New(rand.NewPCG(1, 2))
	phrase := func(n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = words[random.IntN(len(words))]
		}
		return strings.Join(parts, " ")
	}
	var b strings.Builder
	b.WriteString(`{"generated_at":"2026-01-01T00:00:00Z","toolsets":{`)
	for i := range 20 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"mcp-s%d":{"description":"Server %d","source":"mcp","server":"s%d","tools":[]}`, i, i, i)
	}
	b.WriteString(`},"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":"mcp_s%d_%s_%d","description":"%s.","parameters":{"type":"object","properties":{`,
			i%20, words[random.IntN(9)], i, phrase(8+random.IntN(36)))
		for j := range 1 + random.IntN(9) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%s_%d":{"type":"string","description":"%s"}`, words[random.IntN(20)], j, phrase(2+random.IntN(8)))
		}
		fmt.Fprintf(&b, `},"required":[]}},"toolset":"mcp-s%d","source":"mcp"}`, i%20)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		data := syntheticDump(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Parse(context.Background(), model.Source{Name: "synthetic.json", Data: data})
				if err != nil || len(r.Tools) != n {
					b.Fatal(err)
				}
			}
		})
	}
}
