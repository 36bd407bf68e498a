package fielded_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/require"
)

// explained returns the components of the scores of the tools in the package
// comment, in its layout.
func explained() []string {
	tools := []*model.Tool{
		{Name: "crop_image", Description: "Crop a photo.", Toolset: model.NoToolset, Hash: model.Hash{1}},
		{Name: "rotate_image", Description: "Rotate a photo.", Toolset: model.NoToolset, Hash: model.Hash{2}},
	}
	index, err := fielded.NewCorpus().Index(context.Background(), tools, nil, fielded.Default)
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for doc, tool := range tools {
		e := index.Explain("crop photo", doc)
		lines = append(lines, fmt.Sprintf("%s: %.4f", tool.Name, e.Value))
		for _, c := range e.Children {
			lines = append(lines, fmt.Sprintf("  %-11s  %.4f", c.Component, c.Value))
		}
	}
	return lines
}

func ExampleIndex_Explain() {
	for _, line := range explained() {
		fmt.Println(line)
	}
	// Output:
	// crop_image: 2.0462
	//   bm25f        1.0000
	//   description  0.6000
	//   name         0.0602
	//   letters      0.1000
	//   pairs        0.1000
	//   server       0.1860
	// rotate_image: 0.7101
	//   bm25f        0.3933
	//   description  0.2522
	//   server       0.0646
}

// TestPackageComment compares the example that the package comment computes by
// hand with what the code computes.
func TestPackageComment(t *testing.T) {
	data, err := os.ReadFile("fielded.go")
	require.NoError(t, err)
	_, example, _ := strings.Cut(string(data), "// The components are then\n")
	example, _, _ = strings.Cut(example, "// Invariants:")
	var lines []string
	for _, line := range regexp.MustCompile(`(?m)^//\t(.*)$`).FindAllStringSubmatch(example, -1) {
		value, _, _ := strings.Cut(line[1], " = ")
		lines = append(lines, value)
	}
	if got, want := strings.Join(lines, "\n"), strings.Join(explained(), "\n"); got != want {
		t.Errorf("the comment has\n%s\nthe code computes\n%s", got, want)
	}
}
