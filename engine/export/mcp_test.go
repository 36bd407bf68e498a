package export

import (
	"context"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// An export as a tools/list result is the same registry again, from standard
// input as from a file, whose name would else be taken for a server.
func TestMCPFromAFile(t *testing.T) {
	const dump = `{"toolsets":{"mcp-house":{"source":"mcp","server":"house"},"lights":{"source":"plugin"}},"tools":[
		{"type":"function","function":{"name":"mcp_house_door_shut","description":"D","parameters":{"type":"object"}},"toolset":"mcp-house","source":"mcp","server":"house","original_name":"door.shut","annotations":{"readOnlyHint":true}},
		{"type":"function","function":{"name":"lamp_on","description":"D","parameters":{"type":"object"}},"toolset":"lights","source":"plugin"},
		{"type":"function","function":{"name":"terminal","description":"D","parameters":{"type":"object"}}}]}`
	want := parse(t, dump)
	data, _ := written(t, AsMCP, want, Options{})
	for _, name := range []string{"", "-", "m.json"} {
		back, err := shapes.Parse(context.Background(), model.Source{Name: name, Data: []byte(data)})
		require.NoError(t, err)
		for _, shape := range []Shape{AsMCP, AsHermes} {
			again, _ := written(t, shape, back, Options{})
			if first, _ := written(t, shape, want, Options{}); again != first {
				t.Errorf("%q: %s is\n%s, want\n%s", name, shape, again, first)
			}
		}
	}
	// What a server answers cannot take the mark: it stands in an answer.
	answer, err := shapes.Parse(context.Background(), model.Source{Name: "m.json", Data: []byte(`{"jsonrpc":"2.0","id":1,"result":` + data + `}`)})
	if err != nil || answer.Tools[2].Name != "mcp_m_terminal" || answer.Tools[2].Toolset != "mcp-m" {
		t.Errorf("%v", err)
	}
}
