package shapes

import (
	"context"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/clientfile"
	"caliper/model/require"
	"caliper/model/safetext"
)

// The message about an entry of a registry names three ways to reach its servers, in one line.
func TestRegistryMessage(t *testing.T) {
	f := clientfile.File{Ways: []string{"", strings.Repeat("x", 201), "one", "two\x1b[2J", "three", "four"}}
	if got := registryMessage(f, "r.json"); !strings.HasSuffix(got, ": one, "+safetext.Line("two\x1b[2J")+", three") {
		t.Errorf("%q", got)
	}
}

// Definitions by their names, and those in the envelope of an API, belong to the file's
// server; tools that are switched off are left out, with a warning.
func TestListingsOfOtherForms(t *testing.T) {
	const a, b = `{"description":"A.","inputSchema":{"type":"object","properties":{}}}`, `{"description":"B.","input_schema":{"type":"object"}}`
	const named = `{"name":"a","description":"A.","inputSchema":{"type":"object"}}`
	for _, c := range []struct{ name, text, want, warns string }{
		{"by name", `{"a":` + a + `,"c":` + a + `}`, "mcp_f_a mcp_f_c", ""},
		{"by name, of Anthropic", `{"a":` + b + `}`, "a", ""},
		{"by name, of OpenAI", `{"a":{"description":"A.","parameters":{"type":"object"}}}`, "a", ""},
		{"by name, in tools", `{"version":1,"tools":{"a":` + a + `}}`, "mcp_f_a", ""},
		{"data", `{"success":true,"data":{"count":1,"tools":[` + named + `]}}`, "mcp_f_a", ""},
		{"an answer in an answer", `{"ok":true,"response":{"data":{"tools":[` + named + `]}}}`, "mcp_f_a", ""},
		{"an answer of a server", `{"s":{"data":{"tools":[` + named + `]}}}`, "mcp_s_a", ""},
		{"data, an array", `{"data":[` + named + `]}`, "mcp_f_a", ""},
		{"response", `{"response":{"tools":[` + named + `]}}`, "mcp_f_a", ""},
		{"items", `{"items":[` + named + `],"nextPageToken":null}`, "mcp_f_a", ""},
		{"value", `{"value":{"tools":[` + named + `]}}`, "mcp_f_a", ""},
		{"content", `{"content":[` + named + `]}`, "mcp_f_a", ""},
		{"structured content", `{"structuredContent":{"tools":[` + named + `]}}`, "mcp_f_a", ""},
		{"servers, of which one is called data", `{"data":{"tools":[` + named + `]},"forge":{"tools":[` + named + `]}}`, "mcp_data_a mcp_forge_a", ""},
		{"switched off", `{"tools":[` + named + `,{"name":"off","input_schema":{"type":"object"},"enabled":false}]}`, "mcp_f_a", "disabled_tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := model.Source{Name: "f.json", Data: []byte(c.text)}
			r, err := Parse(context.Background(), source)
			require.NoError(t, err)
			var names []string
			for _, tool := range r.Tools {
				names = append(names, tool.Name)
				if !strings.Contains(string(tool.Function), `"name":"`+tool.Name+`"`) {
					t.Errorf("%s is sent as %s", tool.Name, tool.Function)
				}
			}
			warned := ""
			for _, w := range r.Warnings {
				warned += w.Code
			}
			if got := strings.Join(names, " "); got != c.want || warned != c.warns {
				t.Errorf("%s, warned %q; want %s, %q", got, warned, c.want, c.warns)
			}
		})
	}
}
