//go:build unix

package e2e

import (
	"bytes"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// jsonSchema is the library that checks arguments. See .ci/late.
const jsonSchema = "github.com/santhosh-tekuri/jsonschema/v6"

// costlyInits are the packages of libraries whose variables take more than
// mostInit at every start, with the bytes that they may take. Nobody who imports
// them can leave that out.
var costlyInits = map[string]int{
	jsonSchema:                                   2_000_000, // compiles the schemas of the drafts; not in a release, see .ci/late
	"github.com/charmbracelet/bubbletea":         120_000,   // tables of keys
	"github.com/google/jsonschema-go/jsonschema": 100_000,   // of the MCP library
}

// What the variables of any other package may take, in bytes.
const (
	mostInit = 36_000
	mostOurs = 16_000
)

var initLine = regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes, \d+ allocs$`)

// traced runs version of a binary with a setting of GODEBUG, and returns what the
// runtime writes about it. One core runs it: each has memory set aside, which counts
// as used, so that a start on many cores, or on cores that are busy, collects sooner.
func traced(t *testing.T, binary, debug string) string {
	t.Helper()
	cmd := exec.Command(binary, "version")
	cmd.Dir, cmd.Env = t.TempDir(), []string{"GODEBUG=" + debug, "GOMAXPROCS=1"}
	var trace bytes.Buffer
	cmd.Stderr = &trace
	require.NoError(t, cmd.Run())
	return trace.String()
}

// What a start makes before main is bounded: no package makes tables and
// expressions that only some commands use. See words.LazyRegexp. The runtime also
// counts what other goroutines make meanwhile, so the least of five starts counts.
func TestInits(t *testing.T) {
	if raceEnabled {
		t.Skip("a start under the race detector makes more, and not the same each time")
	}
	makes := map[string]int{}
	for range 5 {
		trace := traced(t, binary, "inittrace=1")
		inits := initLine.FindAllStringSubmatch(trace, -1)
		if len(inits) < 20 {
			t.Fatalf("only %d packages:\n%s", len(inits), trace)
		}
		for _, line := range inits {
			bytes, _ := strconv.Atoi(line[2])
			if least, known := makes[line[1]]; !known || bytes < least {
				makes[line[1]] = bytes
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(makes)) {
		most, known := costlyInits[name]
		switch {
		case known:
		case strings.HasPrefix(name, "caliper/"):
			most = mostOurs
		default:
			most = mostInit
		}
		if makes[name] > most {
			t.Errorf("%s makes %d bytes before main, more than %d: make them at first use", name, makes[name], most)
		}
	}
}
