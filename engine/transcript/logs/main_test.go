package logs

import (
	"os"
	"testing"
)

// TestMain gives the tests a folder in memory, where the system has one: they write thousands of logs.
func TestMain(m *testing.M) {
	if dir, err := os.MkdirTemp("/dev/shm", "caliper"); err == nil {
		defer os.RemoveAll(dir)
		os.Setenv("TMPDIR", dir)
	}
	m.Run()
}
