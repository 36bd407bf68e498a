// Package require has what the tests of all packages require: NoError, which ends a test whose
// preparation failed, ShortFolder, Run, for packages that make much garbage or many files, and how
// much data property tests draw. That is 25 examples each, the same ones in every run, so that a run
// is short and its outcome is the code's alone. A search for unknown faults asks for more and for
// others, by RAPID_CHECKS and RAPID_SEED or the flags -rapid.checks and -rapid.seed: .ci/properties
// does.
//
// A package with property tests imports it in one of its tests, if only for that effect.
package require

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"

	_ "pgregory.net/rapid" // which declares the flags
)

// T is a test, a benchmark, or one try of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// NoError ends a test where err is not nil.
func NoError(t T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// Run runs the tests of a package that builds snapshots or makes files hundreds of times, and returns
// the exit code. But for benchmarks it collects garbage less often, a sixth of the time of such tests,
// and has temporary files in memory where the system has a folder there: a disk takes most of the time
// to make and remove thousands.
func Run(m interface{ Run() int }) int {
	if flag.Parse(); flag.Lookup("test.bench").Value.String() != "" {
		return m.Run()
	}
	debug.SetGCPercent(400)
	if folder, err := os.MkdirTemp("/dev/shm", "caliper-"); err == nil {
		defer os.RemoveAll(folder)
		os.Setenv("TMPDIR", folder)
	}
	return m.Run()
}

// ShortFolder returns a new folder below /tmp, which goes with the test: a longer path, or
// one with a blank, is cut or wrapped on a screen. On a machine without /tmp it is the test's own.
func ShortFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "caliper-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func init() {
	for _, d := range []struct{ variable, name, value string }{
		{"RAPID_CHECKS", "rapid.checks", "25"},
		{"RAPID_SEED", "rapid.seed", "11"},
	} {
		if _, ok := os.LookupEnv(d.variable); ok {
			continue
		}
		if err := flag.Set(d.name, d.value); err != nil {
			panic(err)
		}
	}
}
