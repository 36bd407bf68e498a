package engine_test

import (
	"context"
	"encoding/json"
	"fmt"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/shapes"
)

// A snapshot answers what the model is sent, what it finds, and what it may
// call.
func Example() {
	const tools = `[
		{"type":"function","toolset":"mcp-harbor","function":{"name":"book_berth","description":"Book a berth for a ship."}},
		{"type":"function","toolset":"mcp-harbor","function":{"name":"sink_ship","description":"Sink a ship."}}]`
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: []byte(tools)})
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := config.Default()
	settings.ToolSearch.Enabled = config.On
	settings.Policy = []config.Rule{{Match: "sink_*", Action: config.Deny}}

	s, err := engine.Build(context.Background(), engine.Inputs{Registry: registry, Config: settings})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("sent in full:", len(s.Assembly().Tools), "behind the bridge:", len(s.Catalog()))
	for _, hit := range s.Search("book a berth", 0, 0).Hits {
		fmt.Printf("%d. %s %.2f\n", hit.Rank, hit.Tool.Name, hit.Score)
	}
	call := s.Call("sink_ship", json.RawMessage(`{}`))
	fmt.Println(call.Authorized, call.Gate, call.Code)
	// Output:
	// sent in full: 0 behind the bridge: 2
	// 1. book_berth 2.09
	// 2. sink_ship 0.20
	// false policy denied_by_policy
}
