package embed_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model"
)

var raceEnabled bool

// TestAllocations: a message costs its result and no more.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	tools := fixture.Tools(500, 1)
	x := index(t, tools)
	message := strings.Join(fixture.Queries(fixture.Mixed, 5, 2, tools), " ")
	scores(t, x, message, tools)
	if n := testing.AllocsPerRun(50, func() { scores(t, x, message, tools) }); n > 4 {
		t.Errorf("%v allocations", n)
	}
}

// messages are real requests, short and long, where they are, and else made.
func messages(b *testing.B, tools []*model.Tool) []string {
	var all []string
	for _, set := range sets {
		data, err := os.ReadFile(filepath.Join(sharedFolder, "eval", set, "queries.jsonl"))
		if err != nil {
			return fixture.Queries(fixture.Mixed, 1000, 9, tools)
		}
		queries, _ := labels.Parse(set, data)
		for _, q := range queries[:min(len(queries), 200)] {
			all = append(all, q.Text)
		}
	}
	return all
}

// catalog returns the catalog of 2,797 tools, or one like it.
func catalog(b *testing.B) []*model.Tool {
	data, err := os.ReadFile(filepath.Join(sharedFolder, "eval/mcpzero_catalog/tools.json"))
	if err != nil {
		return fixture.Tools(2797, 1)
	}
	return registry(b, data).Tools
}

// BenchmarkScores reports percentiles over messages. The time of a message is the
// least of three runs, so that what else the machine does is not counted.
func BenchmarkScores(b *testing.B) {
	tools := catalog(b)
	x := index(b, tools)
	texts := messages(b, tools)
	for _, c := range []struct {
		name  string
		texts []string
	}{
		{"requests", texts},
		{"100KB", []string{strings.Repeat(strings.Join(texts, " ")+" ", 10)[:100_000]}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			least := make([]time.Duration, len(c.texts))
			for round := range 3 {
				for i, text := range c.texts {
					start := time.Now()
					scores(b, x, text, tools)
					if took := time.Since(start); round == 0 || took < least[i] {
						least[i] = took
					}
				}
			}
			slices.Sort(least)
			for i := 0; b.Loop(); i++ {
				scores(b, x, c.texts[i%len(c.texts)], tools)
			}
			b.ReportMetric(float64(least[len(least)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(least[len(least)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(least[len(least)-1].Microseconds()), "max-µs")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		tools := fixture.Tools(n, 1)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := embed.NewFuzzy(b.Context(), tools); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("catalog", func(b *testing.B) {
		tools := catalog(b)
		for b.Loop() {
			if _, err := embed.NewFuzzy(b.Context(), tools); err != nil {
				b.Fatal(err)
			}
		}
	})
}
