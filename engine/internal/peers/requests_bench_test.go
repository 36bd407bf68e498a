package peers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/shapes"
)

// shared is the folder of labelled requests, beside the repository.
const shared = "../../../../shared/eval"

// requestSets are sets of requests that people and agents wrote, from short to long.
// requestTools has those that ask for the tools of another set.
var (
	requestSets  = []string{"learn/livemcp_agentq", "bfcl", "livemcpbench", "learn/livemcp_xl", "learn/toolbench", "sealtools"}
	requestTools = map[string]string{"learn/livemcp_agentq": "livemcpbench"}
)

// mostRequests is how many requests of a set are asked, spread over it.
const mostRequests = 40

// BenchmarkRequests answers real requests by every ranker. A round asks one ranker
// after another all requests, so that what else the machine does meets all rankers
// alike. The time of a request is the least of its rounds: run it with -benchtime 5x or
// more. Peers read no texts of toolsets, and neither does fielded here.
func BenchmarkRequests(b *testing.B) {
	for _, set := range requestSets {
		b.Run("set="+set, func(b *testing.B) {
			tools, queries := readRequests(b, set)
			indexes := make([]searcher, len(rankers))
			best := make([][]time.Duration, len(rankers))
			for i, r := range rankers {
				indexes[i], best[i] = mustIndex(b, r, tools), make([]time.Duration, len(queries))
			}
			words := 0
			for _, query := range queries {
				words += len(strings.Fields(query))
			}
			runtime.GC() // what the indexes left is not the queries' to collect
			for round := 0; b.Loop(); round++ {
				for i, x := range indexes {
					for j, query := range queries {
						start := time.Now()
						_, err := x.Search(query, limit)
						took := time.Since(start)
						if err != nil {
							b.Fatal(err)
						}
						if round == 0 || took < best[i][j] {
							best[i][j] = took
						}
					}
				}
			}
			b.ReportMetric(float64(len(tools)), "tools")
			b.ReportMetric(float64(words)/float64(len(queries)), "words")
			for i, r := range rankers {
				b.ReportMetric(fixture.Percentile(best[i], 50), r.name+"-p50-µs")
				b.ReportMetric(fixture.Percentile(best[i], 99), r.name+"-p99-µs")
			}
			b.ReportMetric(0, "ns/op") // of all rankers together: left out
		})
	}
}

// readRequests reads a set. It skips the benchmark when there is no shared folder.
func readRequests(b *testing.B, set string) (tools []*model.Tool, queries []string) {
	of := set
	if name, ok := requestTools[set]; ok {
		of = name
	}
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: readShared(b, of+"/tools.json")})
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(readShared(b, set+"/queries.jsonl"))))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var request struct{ Query string }
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			b.Fatal(err)
		}
		queries = append(queries, request.Query)
	}
	if n := len(queries); n > mostRequests {
		for i := range mostRequests {
			queries[i] = queries[i*n/mostRequests]
		}
		queries = queries[:mostRequests]
	}
	return registry.Tools, queries
}

func readShared(b *testing.B, name string) []byte {
	data, err := os.ReadFile(filepath.Join(shared, name))
	if errors.Is(err, fs.ErrNotExist) {
		b.Skip("no shared folder")
	}
	if err != nil {
		b.Fatal(err)
	}
	return data
}
