package shapes

import (
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// A log of requests has a tool that each of them sends once, and every definition of a
// name that changed. Tools of one request are left as they are.
func TestRequestsOfALog(t *testing.T) {
	t.Parallel()
	tool := func(name, description string) string {
		return `{"type":"function","function":{"name":"` + name + `","description":"` + description + `","parameters":{"type":"object"}}}`
	}
	request := func(tools ...string) string {
		return `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[` + strings.Join(tools, ",") + "]}\n"
	}
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"again", request(tool("a", "x"), tool("b", "y")) + request(tool("a", "x"), tool("b", "y"), tool("c", "z")), []string{"a", "b", "c"}},
		{"changed", request(tool("a", "x")) + request(tool("a", "y")) + request(tool("a", "x")), []string{"a", "a"}},
		{"one request", request(tool("a", "x"), tool("a", "x")), []string{"a", "a"}},
		{"no requests", strings.Repeat(`{"tools":[`+tool("a", "x")+"]}\n", 2), []string{"a", "a"}},
	} {
		source := model.Source{Name: "log.jsonl", Data: []byte(c.in)}
		r, err := Parse(t.Context(), source)
		require.NoError(t, err)
		names := func(r *model.Registry) (names []string) {
			for _, t := range r.Tools {
				names = append(names, t.Name)
			}
			return names
		}
		if got := names(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A request in other members is read as a request: they are no servers.
func TestWrappedRequests(t *testing.T) {
	t.Parallel()
	const tools = `"tools":[{"name":"a","description":"A","input_schema":{"type":"object"}}]`
	for name, in := range map[string]string{
		"a batch of OpenAI":                `{"custom_id":"1","method":"POST","url":"/v1","body":{"model":"m","messages":[],` + tools + `}}` + "\n" + `{"custom_id":"2","body":{"model":"m","messages":[],` + tools + `}}`,
		"a batch of Anthropic":             `{"requests":[{"custom_id":"1","params":{"model":"m","messages":[],` + tools + `}},{"custom_id":"2","params":{"model":"m","messages":[],` + tools + `}}]}`,
		"a batch of Bedrock":               `{"recordId":"1","modelInput":{"anthropic_version":"v","messages":[],` + tools + `}}`,
		"a batch of Gemini":                `{"key":"1","request":{"contents":[],"tools":[{"functionDeclarations":[{"name":"a","description":"A","parameters":{"type":"OBJECT"}}]}]}}`,
		"a proxy":                          `{"request":{"headers":{},"body":{"messages":[],` + tools + `}},"response":{"status":200}}`,
		"a realtime session":               `{"type":"session.update","session":{"type":"realtime",` + tools + `}}`,
		"a trace with the model's request": `{"id":"1","run_type":"llm","trace_id":"2","extra":{"invocation_params":{"model":"m",` + tools + `}}}`,
		"an array of requests":             `[{"model":"m","messages":[],` + tools + `},{"model":"m","messages":[],` + tools + `}]`,
	} {
		r, err := Parse(t.Context(), model.Source{Name: "x", Data: []byte(in)})
		if err != nil || len(r.Tools) != 1 || r.Tools[0].Name != "a" || r.Tools[0].Server != "" || len(r.Toolsets) != 1 || r.Toolsets[0].Server != "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	r, err := Parse(t.Context(), model.Source{Name: "x", Data: []byte(`{"harbour":{"serverInfo":{},` + tools + `}}`)})
	if err != nil || r.Tools[0].Server != "harbour" {
		t.Errorf("a map of servers: %v", err)
	}
}
