package embed

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// benchmarkCatalogs are 2,797 tools: made ones, and real ones where they are.
var benchmarkCatalogs = map[string]func(b *testing.B) []*model.Tool{
	"synthetic": func(*testing.B) []*model.Tool { return fixture.Tools(2797, 1) },
	"mcpzero": func(b *testing.B) []*model.Tool {
		data, err := os.ReadFile("../../../shared/eval/mcpzero_catalog/tools.json")
		if err != nil {
			b.Skip(err)
		}
		r, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: data})
		require.NoError(b, err)
		return r.Tools
	},
}

// BenchmarkOpen loads an index of 2,797 tools of 384 numbers;
// nothing changed.
func BenchmarkOpen(b *testing.B) {
	for name, tools := range benchmarkCatalogs {
		b.Run(name, func(b *testing.B) {
			f, tools, path := newFake(384), tools(b), filepath.Join(b.TempDir(), "index")
			mustOpen(b, f, tools, path)
			f.taken()
			b.ReportAllocs()
			for b.Loop() {
				mustOpen(b, f, tools, path)
			}
			if n := len(f.taken()); n > 0 {
				b.Fatalf("%d were embedded", n)
			}
		})
	}
}

// BenchmarkScores compares a message with 2,797 tools.
func BenchmarkScores(b *testing.B) {
	for name, tools := range benchmarkCatalogs {
		b.Run(name, func(b *testing.B) {
			f, tools := newFake(384), tools(b)
			v := mustOpen(b, f, tools, "")
			b.ReportAllocs()
			for b.Loop() {
				mustScore(b, v, "which tool does this", tools)
			}
		})
	}
}
