package export

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/shapes"
)

// FuzzWrite exports whatever package model reads: always JSON, the same each
// time, and with every tool under its name.
func FuzzWrite(f *testing.F) {
	for _, seed := range []string{
		`{"toolsets":{"s":{"tools":["a"],"version":1},"e":[]},"tools":[{"type":"function","function":{"name":"a","description":"d","parameters":{"type":"object"}},"toolset":"s","x":[1]}]}`,
		`[{"type":"function","name":"a","parameters":null,"strict":true},{"function":{"name":"a","name":"b"}}]`,
		`{"jsonrpc":"2.0","result":{"tools":[{"name":"x","title":"X","inputSchema":{"$ref":"#"},"outputSchema":{"a":1,"a":2}}]}}`,
		`{"tools":[{"name":"a","inputSchema":{"anyOf":[{"type":["null"]},{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},true]}},"enum":[null,1]}}]}`,
		`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"a":{"oneOf":[{"type":["string","integer","null"],"minimum":"1"}],"nullable":true}},"required":["a",1]}}]}`,
		"[/* c */{\"name\":\"\xff\",\"input_schema\":{\"items\":[],},\"cache_control\":{}},]", "data: {\"tools\":[{\"name\":\"a\",\"inputSchema\":{}}]}\n\n",
		`{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"const":1}},"strict":false}}]}}`, `["a","b"]`,
		`[{"functionDeclarations":[{"name":"a","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true,"enum":["A"]}}}}]}]`,
		`{"srv":{"tools":[{"name":"a","inputSchema":{}}],"utility_tools":[{"schema":{"name":"u"},"handler_key":"u"}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := shapes.Parse(context.Background(), model.Source{Data: data})
		if err != nil {
			return
		}
		for _, shape := range Shapes() {
			out, lost, err := Write(shape, r, Options{})
			if err != nil || !json.Valid(out) {
				t.Fatalf("%s of %q: %q, %v", shape, data, out, err)
			}
			again, _, _ := Write(shape, r, Options{})
			if !bytes.Equal(out, again) {
				t.Fatalf("%s of %q differs", shape, data)
			}
			for _, l := range lost {
				if l.What == "" {
					t.Fatalf("%s of %q: a loss without words", shape, data)
				}
			}
			back, err := shapes.Parse(context.Background(), model.Source{Data: out})
			tools := r.Tools
			if shape != AsMCP && shape != AsHermes { // whose providers refuse a slash
				tools = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return strings.Contains(t.Name, "/") })
			}
			if err != nil || len(back.Tools) != len(tools) {
				t.Fatalf("%s of %q: %q is read as %v, %v", shape, data, out, back, err)
			}
			for i, tool := range tools {
				if got := back.Tools[i]; got.Name != tool.Name || got.Description != tool.Description {
					t.Fatalf("%s of %q: tool %d is %q, want %q", shape, data, i, got.Name, tool.Name)
				}
			}
			if shape == AsHermes && !sameRegistry(back, r) {
				t.Fatalf("%q has other tools than %q", out, data)
			}
		}
	})
}
