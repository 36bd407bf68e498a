package workbench

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"caliper/config"
	"caliper/engine/rescue/fetch"
	"caliper/model/require"
)

// of100MB are results as large as the ones that the times are promised for:
// records in one line, and the lines of a log.
var of100MB = map[string]func(i int) string{
	"json": func(i int) string {
		return fmt.Sprintf(`,{"id":%d,"name":"record %d","tags":["one","two"],"text":"lorem ipsum dolor sit amet"}`, i, i)
	},
	"log": func(i int) string {
		return fmt.Sprintf("2026-01-02T03:04:05Z INFO worker %d served /api/v1/items/%d\n", i%17, i)
	},
}

// written is a reader of a 100 MB result.
func written(kind string) io.Reader {
	in, out := io.Pipe()
	go func() {
		n := 0
		write := func(text string) {
			m, _ := io.WriteString(out, text)
			n += m
		}
		if kind == "json" {
			write(`[{"id":0}`)
		}
		for i, part := 1, ""; n < 100_000_000; part = "" {
			for ; len(part) < spoolWindow; i++ {
				part += of100MB[kind](i)
			}
			write(part)
		}
		if kind == "json" {
			write("]")
		}
		out.Close()
	}()
	return in
}

// BenchmarkPut100MB keeps a large result that has been read.
func BenchmarkPut100MB(b *testing.B) {
	for kind := range of100MB {
		b.Run(kind, func(b *testing.B) {
			r := NewRescuer(RescueInputs{Config: config.Default().Rescue, Store: filepath.Join(b.TempDir(), "store")})
			defer r.Close()
			t, err := r.Read(b.Context(), "mcp_x", kind, written(kind))
			require.NoError(b, err)
			defer t.Close()
			b.SetBytes(t.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Put(b.Context(), "s", "mcp_x", kind, io.NewSectionReader(t, 0, t.Size())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFetch100MB answers requests after the first, which reads the whole.
func BenchmarkFetch100MB(b *testing.B) {
	for kind := range of100MB {
		r := NewRescuer(RescueInputs{Config: config.Default().Rescue, Store: filepath.Join(b.TempDir(), "store")})
		defer r.Close()
		x, err := r.Put(b.Context(), "s", "mcp_x", kind, written(kind))
		require.NoError(b, err)
		for name, q := range map[string]fetch.Request{
			"range":   {Mode: fetch.Range, Unit: fetch.Chars, Start: 90_000_000},
			"grep":    {Mode: fetch.Grep, Pattern: "no such word"},
			"search":  {Mode: fetch.Search, Query: "record item 7919"},
			"outline": {Mode: fetch.Outline},
		} {
			if _, err := r.Fetch(b.Context(), "s", x.Meta.ID, q); err != nil {
				b.Fatal(err)
			}
			b.Run(kind+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := r.Fetch(b.Context(), "s", x.Meta.ID, q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
