package transcript

import (
	"os"
	"testing"
	"time"

	"caliper/model/require"
)

// BenchmarkGrown reads a database of 100 MB whose log alone has changed.
func BenchmarkGrown(b *testing.B) {
	_, path := home(b, schema, "CREATE TABLE padding (x)", "INSERT INTO padding VALUES (zeroblob(100 << 20))", "PRAGMA wal_checkpoint(truncate)",
		`INSERT INTO sessions (id) VALUES ('a')`, `INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', 'hi')`)
	require.NoError(b, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	var kept DatabaseCopies
	defer kept.Close()
	for name, c := range map[string]*DatabaseCopies{"copied whole": nil, "kept": &kept} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				require.NoError(b, c.Read(b.Context(), new(HermesReader), path))
			}
		})
	}
}
