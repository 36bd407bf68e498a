package replay

import (
	"testing"

	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/shapes"
)

// TestDefinedBy: the tools that logs define, each as it was sent last; names that no log defines
// are tools with nothing but a name.
func TestDefinedBy(t *testing.T) {
	t.Parallel()
	array := func(definitions ...string) (a transcript.ToolArray) {
		for _, d := range definitions {
			a.Definitions = append(a.Definitions, []byte(d))
		}
		return a
	}
	agent := transcript.Session{Agent: transcript.Claude,
		Listed: []transcript.Listed{{Name: "CronList"}, {Name: "mcp__a__b", Definition: []byte(`{"name":"mcp__a__b","description":"old","input_schema":{}}`)}, {Name: "tool_search"}},
		Arrays: []transcript.ToolArray{array(`{"name":"Bash","input_schema":{}}`, `{"name":"mcp__a__b","description":"new","input_schema":{}}`, `{"name":"mcp__a__full","input_schema":{}}`, `{"name":"WebFetch","input_schema":{},"defer_loading":true}`)}}
	found := transcript.Session{Agent: transcript.Claude, Listed: []transcript.Listed{{Name: "WebFetch"}}, Arrays: agent.Arrays}
	requests := transcript.Session{Agent: transcript.OpenAI, Arrays: []transcript.ToolArray{
		array(`{"type":"function","function":{"name":"one"}}`, `{"type":"function","name":"two","parameters":null}`, `{"type":"web_search"}`, `{"type":"computer_20250124","name":"computer"}`),
		array(`{"type":"namespace","name":"mcp__s","tools":[{"type":"function","name":"three","parameters":{}}]}`, `{"name":"tool_call","parameters":{}}`),
		array(`{"type":"custom","name":"four"}`, `{"type":"custom","custom":{"name":"five"}}`, `{"type":"mcp_toolset","mcp_server_name":"x","tools":[{"name":"six","input_schema":{}}]}`)}}
	for _, c := range []struct {
		name     string
		sessions []transcript.Session
		want     string
		names    int
	}{
		{"of an agent", []transcript.Session{agent}, "CronList mcp__a__b:new mcp__a__full", 1},
		{"one that was found later", []transcript.Session{agent, found}, "CronList mcp__a__b:new mcp__a__full WebFetch", 1},
		{"of requests", []transcript.Session{requests}, "one two three four five six", 0},
		{"names alone", []transcript.Session{{Agent: transcript.Claude, Listed: []transcript.Listed{{Name: "CronList"}}}}, "", 0},
		{"nothing", nil, "", 0},
	} {
		d := DefinedBy(c.sessions)
		got := ""
		if d.Registry != nil {
			reg, err := shapes.Parse(t.Context(), model.Source{Name: "logs", Data: d.Registry})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for i, tool := range reg.Tools {
				if i > 0 {
					got += " "
				}
				if got += tool.Name; tool.Description != "" {
					got += ":" + tool.Description
				}
			}
		}
		if got != c.want || d.Names != c.names {
			t.Errorf("%s: %q, %d names; want %q, %d", c.name, got, d.Names, c.want, c.names)
		}
	}
}
