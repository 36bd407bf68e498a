package shapes

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"caliper/model"
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

// Whatever its format, a source takes no more than four times its size, even
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
			most := 4.0
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
		"bad bytes":         `["` + strings.Repeat("\xff", 1<<20) + `"`,
		"scattered":         `{"a":"` + strings.Repeat("\xffa", 1<<19) + `"}`,
		"surrogates":        `{"a":"` + strings.Repeat(`\ud800`, 1<<18) + `"}`,
		"no definitions":    `[` + strings.Repeat("{},", 1<<18) + `{}]`,
		"hosted":            `[` + strings.Repeat(`{"type":"x"},`, 1<<17) + `{}]`,
		"no names":          `[` + strings.Repeat(`{"name":"","inputSchema":{}},`, 1<<16) + `{}]`,
		"brackets":          strings.Repeat("[", 1<<20),
		"comments":          strings.Repeat("//\n", 1<<18) + "[",
		"open comments":     "[" + strings.Repeat("/* ", 1<<18),
		"commas":            "[" + strings.Repeat(",", 1<<20) + "]",
		"events":            strings.Repeat("data:{\n", 1<<17),
		"repeated keys":     `{` + strings.Repeat(`"":0,`, 1<<18) + `"":1}`,
		"unfinished string": `["` + strings.Repeat(`\`, 1<<20),
		"lines":             strings.Repeat("\n", 1<<20) + "x",
		"YAML":              "mcp_servers:\n" + strings.Repeat(" a:\n", 1<<18),
		"TOML":              strings.Repeat("[mcp_servers.a]\n", 1<<16),
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

// A registry takes little beside the text that it was read from: functions and
// parameters are slices of it. Names and descriptions are not, because they outlive
// it in the list of reloads, and would keep a whole source each. Read once, they are.
func TestRegistryIsSmall(t *testing.T) {
	if isRace {
		t.Skip("allocations cannot be counted")
	}
	const n = 20_000
	data := syntheticDump(n)
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what the first finds in pools
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, c := range []struct {
		name  string
		parse func(context.Context, ...model.Source) (*model.Registry, error)
		most  uint64 // bytes a tool
	}{
		{"to be read again", Parse, 660},
		{"once", func(ctx context.Context, s ...model.Source) (*model.Registry, error) { return Once(ctx, s...) }, 350},
	} {
		before := live()
		r, err := c.parse(t.Context(), model.Source{Name: "r.json", Data: data})
		if err != nil || len(r.Tools) != n {
			t.Fatal(err)
		}
		each := (live() - before) / n
		t.Logf("%s: %d bytes a tool", c.name, each)
		if each > c.most {
			t.Errorf("%s: %d bytes a tool beside its text, want at most %d", c.name, each, c.most)
		}
		runtime.KeepAlive(r)
	}
	runtime.KeepAlive(data)
}
