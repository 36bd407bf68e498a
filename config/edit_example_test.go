package config_test

import (
	"caliper/config"
	"fmt"
)

func ExampleSet() {
	out, err := config.Set("config.yaml", []byte(`# mine
tools:
  tool_search:
    enabled: auto   # x
`), []config.Change{{Key: "tools.tool_search.threshold_pct", Value: 12}})
	fmt.Print(string(out), err)
	// Output:
	// # mine
	// tools:
	//   tool_search:
	//     enabled: auto   # x
	//     threshold_pct: 12
	// <nil>
}
