//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// raceLog returns the beginning of the names of files for the race detector of
// a program. It is beside the binary, because GORACE takes no name of a test,
// which may hold commas and spaces.
func raceLog(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp(filepath.Dir(binary), "races")
	require.NoError(t, err)
	return filepath.Join(folder, "race")
}

// raceReports returns the races in which code of ours takes part. bubbletea v1
// has some of its own: it closes its input while it is read when a program is
// interrupted, and it notes the terminal anew after an editor while a change
// of size may look at it.
func raceReports(t testing.TB, log string) []string {
	t.Helper()
	var ours []string
	files, _ := filepath.Glob(log + "*")
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, report := range strings.Split(string(data), "WARNING: DATA RACE")[1:] {
			if slices.ContainsFunc(accesses(report), func(who string) bool {
				return strings.HasPrefix(who, "caliper/") || strings.HasPrefix(who, "main.")
			}) {
				ours = append(ours, report)
			}
		}
	}
	return ours
}

// accesses returns for both accesses of a report the innermost function that
// is not of the standard library.
func accesses(report string) []string {
	var all []string
	in := false
	for _, line := range strings.Split(report, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, " by goroutine ") || strings.Contains(line, " by main goroutine"):
			in = true
		case in && (strings.Contains(line, ".com/") || strings.Contains(line, ".in/") || strings.Contains(line, ".org/") ||
			strings.HasPrefix(line, "caliper/") || strings.HasPrefix(line, "main.")) && strings.HasSuffix(line, "()"):
			all = append(all, line)
			in = false
		case line == "":
			in = false
		}
	}
	return all
}
