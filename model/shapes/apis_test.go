package shapes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// The tools of large documents are compact and whole, each for itself: a text shared
// while they are written is in none of them twice or half. An export relies on it.
func TestOperationsAreCompact(t *testing.T) {
	for _, s := range documents {
		t.Run(s.Name, func(t *testing.T) {
			r, err := shapes.Parse(t.Context(), model.Source{Name: "x.json", Data: s.Document()})
			if err != nil || len(r.Tools) != s.Operations || len(r.Warnings) > 0 {
				t.Fatalf("%d tools, want %d; %v %v", len(r.Tools), s.Operations, err, r.Warnings)
			}
			var compact bytes.Buffer
			for _, tool := range r.Tools {
				compact.Reset()
				if err := json.Compact(&compact, tool.Function); err != nil || !bytes.Equal(compact.Bytes(), tool.Function) {
					t.Errorf("%s is not compact: %v %.200s", tool.Name, err, tool.Function)
				}
				if !tool.Operation || !bytes.HasPrefix(tool.Function, []byte(`{"name":"`+tool.Name+`"`)) || !bytes.HasSuffix(tool.Function[:len(tool.Function)-1], tool.Parameters) {
					t.Errorf("%s is mixed up: %.200s", tool.Name, tool.Function)
				}
			}
		})
	}
}

// BenchmarkParseAPIs reads documents that describe HTTP APIs, shaped like large public
// ones. A byte is one of the tools that are made.
func BenchmarkParseAPIs(b *testing.B) {
	for _, s := range documents {
		data := s.Document()
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				r, err := shapes.Parse(context.Background(), model.Source{Name: "x.json", Data: data})
				require.NoError(b, err)
				size = 0
				for _, t := range r.Tools {
					size += len(t.Function)
				}
			}
			b.SetBytes(int64(size))
		})
	}
}
