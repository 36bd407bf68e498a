package shapes

import (
	"context"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// What stands beside "function" is sent with it, in the order of the source,
// but for what a dump adds.
func TestEnvelope(t *testing.T) {
	const usual = `{"type":"function","function":|}`
	for _, c := range []struct{ name, entry, want string }{
		{"nothing", `{"type":"function","function":{"name":"a"}}`, usual},
		{"no type", `{"function":{"name":"a"}}`, usual},
		{"behind", `{"type":"function","function":{"name":"a"},"strict":true,"x":[1, 2]}`, `{"type":"function","function":|,"strict":true,"x":[1, 2]}`},
		{"before", `{"strict":true,"function":{"name":"a"},"type":"function"}`, `{"strict":true,"function":|,"type":"function"}`},
		{"without type", `{"strict":true,"function":{"name":"a"}}`, `{"type":"function","strict":true,"function":|}`},
		{"another type", `{"type":"tool","function":{"name":"a"},"strict":null}`, `{"type":"function","function":|,"strict":null}`},
		{"an odd name", `{"function":{"name":"a"},"\u0022ä\n":1}`, `{"type":"function","function":|,"\"ä\n":1}`},
		{"a dump's", `{"type":"function","function":{"name":"a"},"toolset":"s","source":"builtin","server":"x","original_name":"y","available":true,"defer_loading":true}`, usual},
		{"an MCP server's", `{"type":"function","function":{"name":"a"},"title":"A","annotations":{},"output_schema":{},"outputSchema":{},"icons":[],"execution":{},"_meta":{}}`, usual},
		{"an MCP server's of tomorrow", `{"type":"function","function":{"name":"a"},"toolset":"mcp-s","source":"mcp","tomorrow":1}`, usual},
		{"a dump's, and strict", `{"type":"function","function":{"name":"a"},"toolset":"s","strict":true}`, `{"type":"function","function":|,"strict":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := model.Source{Name: "a.json", Data: []byte("[" + c.entry + `,{"function":{"name":"a"}}]`)}
			r, err := Parse(context.Background(), source)
			require.NoError(t, err)
			before, after := r.Tools[0].Around()
			if got := before + "|" + after; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if (r.Tools[0].Hash == r.Tools[1].Hash) != (c.want == usual) {
				t.Error("the hash does not tell what is sent")
			}
		})
	}
}

// Entries of one envelope share it.
func TestEnvelopesAreShared(t *testing.T) {
	r, err := Parse(context.Background(), model.Source{Data: []byte(`[{"function":{"name":"a"},"strict":true},{"function":{"name":"b"},"strict":true},{"function":{"name":"b"},"strict":false}]`)})
	if err != nil || r.Tools[0].Envelope != r.Tools[1].Envelope || r.Tools[1].Envelope == r.Tools[2].Envelope {
		t.Fatal(r, err)
	}
}
