package shapes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"caliper/model"
)

// syntheticDump returns a registry dump of n tools of about 780 bytes each,
// the same for every call.
func syntheticDump(n int) []byte {
	words := strings.Fields("create delete list update read write search find issue branch commit file folder user team " +
		"channel message query index record page value number limit offset optional the a of to for with in and returns when")
	random := rand.New(rand.NewPCG(1, 2))
	phrase := func(n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = words[random.IntN(len(words))]
		}
		return strings.Join(parts, " ")
	}
	var b strings.Builder
	b.WriteString(`{"generated_at":"2026-01-01T00:00:00Z","toolsets":{`)
	for i := range 20 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"mcp-s%d":{"description":"Server %d","source":"mcp","server":"s%d","tools":[]}`, i, i, i)
	}
	b.WriteString(`},"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":"mcp_s%d_%s_%d","description":"%s.","parameters":{"type":"object","properties":{`,
			i%20, words[random.IntN(9)], i, phrase(8+random.IntN(36)))
		for j := range 1 + random.IntN(9) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%s_%d":{"type":"string","description":"%s"}`, words[random.IntN(20)], j, phrase(2+random.IntN(8)))
		}
		fmt.Fprintf(&b, `},"required":[]}},"toolset":"mcp-s%d","source":"mcp"}`, i%20)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		data := syntheticDump(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Parse(context.Background(), model.Source{Name: "synthetic.json", Data: data})
				if err != nil || len(r.Tools) != n {
					b.Fatal(err)
				}
			}
		})
	}
}
