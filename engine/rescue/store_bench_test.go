package rescue

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"caliper/model/require"
)

// logLines is 100 MB of log lines.
func logLines() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 100_000_000; i++ {
		fmt.Fprintf(&b, "2026-01-02T03:04:05Z level=info msg=\"request served\" id=%d path=/résumé\n", i)
	}
	return b.Bytes()
}

func BenchmarkPut100MB(b *testing.B) {
	s, data := open(b, b.TempDir(), StoreOptions{MaxBytes: 500 << 20}), logLines()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Put(b.Context(), "s", About{}, bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstOpen100MB(b *testing.B) {
	dir, data := b.TempDir(), logLines()
	m, err := open(b, dir, StoreOptions{}).Put(b.Context(), "s", About{}, bytes.NewReader(data))
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		blob, err := open(b, dir, StoreOptions{}).Open(b.Context(), "s", m.ID)
		require.NoError(b, err)
		blob.Close()
	}
}

func BenchmarkOpenAgain(b *testing.B) {
	s := open(b, b.TempDir(), StoreOptions{})
	m := put(b, s, "s", strings.Repeat("x", 1<<20))
	for b.Loop() {
		blob, err := s.Open(b.Context(), "s", m.ID)
		require.NoError(b, err)
		blob.Close()
	}
}

// BenchmarkPutSmall puts 20 kB results, all different: without a cap, with one
// that is far away, and with one that every put meets.
func BenchmarkPutSmall(b *testing.B) {
	for _, limit := range []int64{0, 1 << 40, 40 << 20} {
		b.Run(fmt.Sprintf("cap=%d", limit), func(b *testing.B) {
			s := open(b, b.TempDir(), StoreOptions{MaxBytes: limit})
			text := strings.Repeat("x", 20_000)
			for i := range 2000 {
				put(b, s, fmt.Sprint(i%10), fmt.Sprint(i, text))
			}
			for i := 0; b.Loop(); i++ {
				put(b, s, "s", fmt.Sprint(i, text, "b"))
			}
		})
	}
}
