package demo

import (
	"testing"

	"caliper/model"
	"caliper/model/shapes"
)

func TestBulk(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "registry.json", Data: Bulk(1000)})
	if err != nil || len(r.Tools) != 1000 {
		t.Fatalf("%d tools, %v", len(r.Tools), err)
	}
	seen := map[string]bool{}
	for _, tool := range r.Tools {
		if seen[tool.Qualified] {
			t.Errorf("%s is there twice", tool.Qualified)
		}
		seen[tool.Qualified] = true
	}
}
