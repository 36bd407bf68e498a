package retrieval_test

import (
	"context"
	"fmt"

	"caliper/engine/retrieval"
	"caliper/model"
)

// The catalog and the query are the package comment's.
func Example() {
	tools := []*model.Tool{
		{Name: "read_file", Description: "Read a file", Hash: model.Hash{1}},
		{Name: "list_files", Description: "List all files", Hash: model.Hash{2}},
	}
	index, err := retrieval.NewCorpus().Index(context.Background(), tools, retrieval.Reference)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range index.Search("read the file", 5).Hits {
		fmt.Printf("%s %.2f\n", tools[hit.Doc].Name, hit.Score)
		for _, token := range index.Explain("read the file", hit.Doc).Children {
			fmt.Printf("  %.2f = %.3f * %.2f  %s\n", token.Value, token.IDF, token.TFNorm, token.Message)
		}
	}
	// Output:
	// read_file 1.98
	//   0.99 = 0.693 * 1.43  read: idf × tf norm
	//   0.00 = 0.000 * 0.00  the: in no tool of the catalog
	//   0.99 = 0.693 * 1.43  file: idf × tf norm
}
