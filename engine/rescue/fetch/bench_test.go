package fetch

import (
	"bytes"
	"sync"
	"testing"

	"caliper/engine/rescue"
	"caliper/model/require"
)

const benchSize = 100 << 20

var (
	bigLog  = sync.OnceValue(func() []byte { return logText(benchSize) })
	bigJSON = sync.OnceValue(func() []byte { return lineJSON(benchSize) })
)

// BenchmarkFetch measures every mode after the first touch, and the touch, on
// 100 MB of log lines and on 100 MB of JSON in one line.
func BenchmarkFetch(b *testing.B) {
	for _, in := range []struct {
		name string
		kind rescue.Kind
		data func() []byte
	}{{"log", rescue.Text, bigLog}, {"json", rescue.JSONArray, bigJSON}} {
		src := bytes.NewReader(in.data())
		m := rescue.Meta{Kind: in.kind}
		l := rescue.Default()
		l.GrepTimeout = 0
		b.Run(in.name+"/touch", func(b *testing.B) {
			for b.Loop() {
				if _, err := newIndex(b.Context(), src); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, q := range []struct {
			name string
			Request
		}{
			{"range", Request{Mode: Range, Start: 9e7, Unit: Chars}},
			{"grep-literal", Request{Mode: Grep, Pattern: "the needle"}},
			{"grep-fold", Request{Mode: Grep, Pattern: "(?i)NOT THERE|needle"}},
			{"grep-regexp", Request{Mode: Grep, Pattern: `needle.*\d{3}`}},
			{"grep-no-literal", Request{Mode: Grep, Pattern: `[x-z]{9}\d`}},
			{"outline", Request{Mode: Outline}},
			{"search", Request{Mode: Search, Query: "why was the database connection refused for the user needle"}},
		} {
			b.Run(in.name+"/"+q.name, func(b *testing.B) {
				r := NewReader(src, m)
				if _, err := r.touch(b.Context()); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					r.outlined, r.pointed = nil, nil
					if _, err := r.Do(b.Context(), q.Request, l); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	src := bytes.NewReader(bigJSON())
	b.Run("json/pointer", func(b *testing.B) {
		for b.Loop() {
			r := NewReader(src, rescue.Meta{})
			v, err := r.value(b.Context(), "/700000/name")
			require.NoError(b, err)
			_ = v
		}
	})
}

// BenchmarkCheckJSON is the cost of the first pointer into a blob of 100 MB beyond
// the next ones.
func BenchmarkCheckJSON(b *testing.B) {
	src := bytes.NewReader(bigJSON())
	b.SetBytes(src.Size())
	for b.Loop() {
		require.NoError(b, checkJSON(b.Context(), src))
	}
}
