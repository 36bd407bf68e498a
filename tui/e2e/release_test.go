//go:build unix

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// root is the project's folder.
const root = "../.."

// maxBinary is the most that the stripped binary for linux/amd64 may have, in
// bytes. Whoever adds a library or a table finds out here what it weighs.
const maxBinary = 40_400_000 // 22 MB, what the offer, the tour, pictures, help, comparison, drafts and the later generation (0.5 MB) add, SQLite, which Hermes keeps its sessions in (3.5 MB), replay (0.7 MB), and zstd, in which Codex packs its logs, with the index of logs (0.5 MB), serving (0.7 MB), spans and questions of servers (1.0 MB), learning with the longer help (0.3 MB), and tuning, the doctor, gate, map, report, readers of clients, OpenAPI and data sets, and signing in (2.4 MB together), and more of their shapes, with opened results, packed logs and readers of logs without a decoder, and definitions in the form of a provider in replays; 0.6 MB of MCP 2026-07-28, the table of limits and readers of more logs; 4.0 MB of the table of words; 0.4 MB of the rules of other agents, the change of words over them, and why one cannot call a tool, with its files and subagents; 0.1 MB of what every character is in ASCII, as Codex writes it, and 0.2 MB of who broke a cached prefix, and 0.4 MB of skills, of what is never called, and of the diffs that mend a chain; 0.1 MB of subagents and profiles as sessions, and of the settings by which skills are listed

// readmeBuild is the line with which README builds the program.
var readmeBuild = regexp.MustCompile(`(?m)^    (CGO_ENABLED=0 go build .*) -o caliper \.`)

// command runs a program in a folder, with variables beside the test's.
func command(t *testing.T, folder string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// expectDemo runs a binary on the demo, anywhere and without an environment.
func expectDemo(t *testing.T, binary string) {
	t.Helper()
	cmd := exec.Command(binary, "check", "--json", "--demo")
	cmd.Dir, cmd.Env = t.TempDir(), []string{}
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "{\n  \"ok\": true,") {
		t.Errorf("%v\n%s", err, out)
	}
}

// expectLate tells that a binary compiles the drafts of JSON Schema when it first
// checks arguments, and then gives the verdict of the program that is built
// without .ci/late.
func expectLate(t *testing.T, late string) {
	t.Helper()
	trace := traced(t, late, "inittrace=1")
	for _, line := range initLine.FindAllStringSubmatch(trace, -1) {
		if took, _ := strconv.Atoi(line[2]); line[1] == jsonSchema && took > mostInit {
			t.Errorf("%s makes %s bytes before main", line[1], line[2])
		}
	}
	var said [2]string
	for i, program := range []string{late, binary} {
		cmd := exec.Command(program, "call", "--demo", "--strict", "mcp_forge_open_change", `{"title": 5, "reviewers": "me"}`)
		cmd.Dir, cmd.Env = t.TempDir(), []string{}
		out, _ := cmd.CombinedOutput() // the call is refused
		said[i] = string(out)
	}
	if !strings.Contains(said[0], "expected string") || said[0] != said[1] {
		t.Errorf("%s\nwithout .ci/late:\n%s", said[0], said[1])
	}
}

// What README says builds the program, without C, and the binary runs from
// anywhere.
func TestBuild(t *testing.T) {
	if !*slow {
		t.Skip("builds the program: -slow")
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	line := readmeBuild.FindSubmatch(readme)
	if line == nil {
		t.Fatal("README has no line that builds the program")
	}
	built := filepath.Join(t.TempDir(), "caliper")
	command(t, root, nil, "sh", "-c", string(line[1])+` -buildvcs=false -o "$0" .`, built)
	expectDemo(t, built)
	expectLate(t, built)
}

// commit makes a repository of the files of this one as they are, with one
// commit, the same one every time, and the tag v1.9.7.
func commit(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("not in a repository: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed, or a folder
		}
		info, err := os.Stat(filepath.Join(root, name))
		require.NoError(t, err)
		to := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
		require.NoError(t, os.WriteFile(to, data, info.Mode().Perm()|0o600))
	}
	const when = "2026-01-02T03:04:05Z"
	env := []string{"GIT_AUTHOR_DATE=" + when, "GIT_COMMITTER_DATE=" + when, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "all"}, {"tag", "v1.9.7"}} {
		command(t, folder, env, "git", args...)
	}
	return folder
}

// A release has the version of its tag, checksums that are right, no path of the
// machine it was made on, and the same bytes whoever makes it.
func TestRelease(t *testing.T) {
	if !*slow {
		t.Skip("builds the program: -slow")
	}
	var made [2][]byte
	for i := range made {
		source, to := commit(t), t.TempDir()
		// What a user sets for other builds must not matter.
		command(t, source, []string{"GOFLAGS=-mod=mod", "GOAMD64=v2"}, filepath.Join(source, ".ci", "release"), to, "linux/amd64")
		binary := filepath.Join(to, "caliper-linux-amd64")
		data, err := os.ReadFile(binary)
		require.NoError(t, err)
		made[i] = data
		sum := sha256.Sum256(data)
		sums, err := os.ReadFile(filepath.Join(to, "SHA256SUMS"))
		if want := hex.EncodeToString(sum[:]) + "  caliper-linux-amd64\n"; err != nil || string(sums) != want {
			t.Errorf("SHA256SUMS has %q, %v, want %q", sums, err, want)
		}
		if bytes.Contains(data, []byte(source)) {
			t.Error("the binary has the path of the folder it was built in")
		}
		if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
			if out := command(t, to, nil, binary, "version"); !strings.HasPrefix(out, "caliper v1.9.7, go1.") {
				t.Errorf("version prints %q", out)
			}
			expectDemo(t, binary)
			expectLate(t, binary)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two builds of one commit differ")
	}
	if len(made[0]) > maxBinary {
		t.Errorf("the binary has %d bytes, more than %d", len(made[0]), maxBinary)
	}
}
