// Package require has what the tests of all packages require: NoError, which ends a test whose
// preparation failed, ShortFolder, Run, for packages that make many files, and how much data property
// tests draw. That is 25 examples each, the same ones in every run, so that a run is short and its
// outcome is the code's alone. A search for unknown faults asks for more and for others, by
// RAPID_CHECKS and RAPID_SEED or the flags -rapid.checks and -rapid.seed: .ci/properties does.
// Garbage is collected less often than the runtime does by itself, a sixth of the time of tests that
// build snapshots hundreds of times, unless benchmarks are run.
//
// A package with property tests imports it in one of its tests, if only for these effects.
package require

import (
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"strings"
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

// Run runs the tests of a package that makes files hundreds of times, and returns the exit code. They
// are in memory where the system has a folder there: a disk takes most of the time to make and remove
// thousands.
func Run(m interface{ Run() int }) int {
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
	if !slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench") }) && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
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
