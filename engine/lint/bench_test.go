package lint_test

import (
	"bytes"
	"fmt"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/lint"
	"caliper/model/require"
	"caliper/tui/demo"
)

// BenchmarkRun lints synthetic catalogs of growing size, with each ranker, then tools
// of one description, the demo, the real registry and 200 descriptions of 10 KB. The largest take minutes:
// -bench 'Run/^10000$/^bm25$' runs one.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000, 10_000, 100_000} {
		for _, ranker := range config.Rankers {
			b.Run(fmt.Sprintf("%d/%s", n, ranker), func(b *testing.B) {
				benchmarkRun(b, fixture.Dump(n, 1), ranker)
			})
		}
	}
	for _, n := range []int{5000, 10_000} {
		for _, ranker := range config.Rankers {
			b.Run(fmt.Sprintf("tied/%d/%s", n, ranker), func(b *testing.B) { benchmarkRun(b, tiedDump(n), ranker) })
		}
	}
	b.Run("demo", func(b *testing.B) { benchmarkRun(b, demo.Registry(), config.RankerBM25) })
	b.Run("real", func(b *testing.B) { benchmarkRun(b, realDump(b), config.RankerBM25) })
	for _, ranker := range config.Rankers {
		b.Run("long/"+ranker, func(b *testing.B) { benchmarkRun(b, longDump(200, 10<<10), ranker) })
	}
}

// BenchmarkErrors finds the errors of synthetic catalogs alone.
func BenchmarkErrors(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := snapshot(b, fixture.Dump(n, 1), config.Default())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := lint.Errors(b.Context(), s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchmarkRun(b *testing.B, dump []byte, ranker string) {
	c := config.Default()
	c.ToolSearch.Ranker = ranker
	s := snapshot(b, dump, c)
	b.ReportAllocs()
	for b.Loop() {
		r, err := lint.Run(b.Context(), s, lint.Options{})
		require.NoError(b, err)
		b.ReportMetric(float64(len(r.Findings)), "findings")
	}
}

// longDump returns a dump of n tools whose descriptions have a number of bytes or
// a few more.
func longDump(n, size int) []byte {
	donors := fixture.Tools(32*n, 7)
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i := range n {
		t, text := donors[32*i], []byte(nil)
		for j := 0; len(text) < size; j++ {
			text = append(append(text, ' '), donors[(32*i+17*j)%len(donors)].Description...)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":%q,"description":%q,"parameters":%s},"toolset":%q,"source":"mcp","server":%q}`,
			t.Name, text[1:], t.Parameters, t.Toolset, t.Server)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// tiedDump returns a dump of n tools with one description and one parameter, so that
// all of them tie for it.
func tiedDump(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":"unique_%d_%c%d","description":"Reads the records of a table and returns them.",`+
			`"parameters":{"type":"object","properties":{"table":{"type":"string"}}}},"toolset":"mcp-x"}`, i, 'a'+i%10, i*7919%n)
	}
	b.WriteString("]}")
	return b.Bytes()
}
