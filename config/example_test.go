package config_test

import (
	"fmt"

	"caliper/config"
)

// Parse reads what the agent would read, and warns where a person may have
// meant something else.
func ExampleParse() {
	f, err := config.Parse("config.yaml", []byte(`
model: {default: claude-sonnet-4.6}
tools:
  tool_search:
    enabled: yes
    threshold_pct: 1:30
    max_serch_limit: 30
`))
	fmt.Println(f.ToolSearch.Enabled, f.ToolSearch.ThresholdPct, f.ToolSearch.MaxLimit, *f.ContextLength, err)
	for _, w := range f.Warnings {
		fmt.Println(w.Error())
	}
	// Output:
	// on 90 20 1000000 <nil>
	// config.yaml:6:20: tools.tool_search.threshold_pct: 1:30 reads as 90, a YAML 1.1 number in base 60
	// config.yaml:7:5: tools.tool_search.max_serch_limit: unknown key; did you mean max_search_limit?
}

// A description of a setting tells which values it takes, and reads one from a
// configuration.
func ExampleSpecOf() {
	spec, _ := config.SpecOf(config.KeySelection)
	c := config.Default()
	fmt.Println(spec.Takes(), "/", spec.In(&c))
	// Output:
	// eager, lazy, tool_search, keyword, semantic, hybrid / eager
}

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
