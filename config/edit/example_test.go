package edit_test

import (
	"fmt"

	"caliper/config/edit"
)

func ExampleSet() {
	out, err := edit.Set("config.yaml", []byte(`# mine
tools:
  tool_search:
    enabled: auto   # x
`), []edit.Change{{Key: "tools.tool_search.threshold_pct", Value: 12}})
	fmt.Print(string(out), err)
	// Output:
	// # mine
	// tools:
	//   tool_search:
	//     enabled: auto   # x
	//     threshold_pct: 12
	// <nil>
}
