package model_test

import (
	"context"
	"fmt"

	"caliper/model"
	"caliper/model/shapes"
)

// A registry is read from the tools of any agent. Names that a model sees are
// looked up in it, and a schema becomes a tree.
func Example() {
	dump := `{"tools":[{"name":"open_issue","description":"Opens an issue.",
		"inputSchema":{"type":"object","properties":{"title":{"type":"string"},"labels":{"type":"array","items":{"type":"string"}}},"required":["title"]}}]}`
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "github.json", Data: []byte(dump)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range registry.Lookup("mcp_github_open_issue") {
		fmt.Println(tool.ShownName, "of", tool.Toolset+":", tool.ShownDescription())
		schema, err := model.ParseSchema(tool.Parameters)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, property := range schema.Children {
			fmt.Println(" ", property.Key, property.Kind, property.Required)
		}
	}
	// Output:
	// mcp_github_open_issue of mcp-github: Opens an issue.
	//   title string true
	//   labels array of string false
}
