package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"caliper/engine/rescue"
	"caliper/model/require"
	"caliper/tui/cli/runner"
)

// rememberBlob is `blob VAR`: sets a variable to the id that rescue put has
// printed as JSON.
func rememberBlob(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: blob VAR")
	}
	var x keptJSON
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &x))
	if x.ID == nil || len(*x.ID) != 64 || !x.Rescued {
		ts.Fatalf("not kept")
	}
	ts.Setenv(args[0], *x.ID)
}

// unescapeFile is `unescape FILE`: turns the escapes of a Go string into what
// they stand for, and \e into ESC.
func unescapeFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unescape FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescaped(ts.ReadFile(args[0]))), 0o600))
}

// runHostilely is `hostilely COMMAND...`: runs a command of the script with
// the escapes in its arguments undone.
func runHostilely(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[0] != "code" {
		ts.Fatalf("usage: hostilely code N COMMAND...")
	}
	args = append([]string{}, args...)
	for i := range args {
		args[i] = unescaped(args[i])
	}
	expectCode(ts, false, args[1:])
}

// unescaped undoes the escapes that the scripts use.
func unescaped(text string) string {
	return strings.NewReplacer(`\e`, "\x1b", `\a`, "\a", `\n`, "\n", `\x9b`, "\u009b",
		`\u200b`, "\u200b", `\u2028`, "\u2028", `\u202c`, "\u202c", `\u202e`, "\u202e").Replace(text)
}

// makeBytes is `bytes FILE N`: makes a file of N letters of its name.
func makeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(args[0][:1]), n), 0o600))
}

// damageBlob is `damage STORE ID`: changes the content of a blob.
func damageBlob(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage STORE ID")
	}
	ts.Check(os.WriteFile(ts.MkAbs(filepath.Join(args[0], "blobs", args[1][:2], args[1])), []byte("changed"), 0o600))
}

// rescueEnv returns surroundings with a store of the test's own, and a config
// that keeps results longer than 100 characters and answers 150 at once.
func rescueEnv(tb testing.TB) (env runner.Env, config string) {
	tb.Helper()
	env.Store = filepath.Join(tb.TempDir(), "store")
	return env, write(tb, "config.yaml",
		"plugins: {toolaria: {max_result_chars: 100, fetch_max_chars: 150, excerpt_max_chars: 300, max_store_mb: 1}}\n")
}

// putIn puts a result through the pipe and returns what was printed.
func putIn(tb testing.TB, env runner.Env, text string, args ...string) keptJSON {
	tb.Helper()
	code, out, complaints := commandIn(tb, env, text, append([]string{"rescue", "put", "-", "--json", "--tool", "mcp_x"}, args...)...)
	if code != 0 || complaints != "" {
		tb.Fatalf("exit code %d, %s", code, complaints)
	}
	var x keptJSON
	require.NoError(tb, json.Unmarshal([]byte(out), &x))
	return x
}

// Following next from the first answer of a range gives the whole result,
// whatever it is, and every answer keeps its budget.
func TestNextReachesEverything(t *testing.T) {
	t.Parallel()
	env, config := rescueEnv(t)
	for name, text := range map[string]string{
		"lines":      strings.Repeat("a line of some length, and a number: 17\n", 40) + "no end",
		"one line":   `["` + strings.Repeat("ä世🙂 and so on ", 150) + `"]`,
		"long lines": strings.Repeat(strings.Repeat("x", 400)+"\r\n\n", 3),
		"no UTF-8":   strings.Repeat("\xff\xfe\x00 \xe4\xb8", 120),
	} {
		for _, unit := range []string{"lines", "chars"} {
			t.Run(name+" by "+unit, func(t *testing.T) {
				id := *putIn(t, env, text, "--config", config).ID
				args := []string{"--mode", "range", "--unit", unit}
				var got strings.Builder
				for steps := 0; args != nil; steps++ {
					code, out, complaints := commandIn(t, env, "", append([]string{"rescue", "fetch", id, "--json", "--config", config}, args...)...)
					var a fetchedJSON
					if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 || complaints != "" || steps > 200 {
						t.Fatalf("step %d, %q: exit code %d, %v, %s%s", steps, args, code, err, complaints, out)
					}
					if n := utf8.RuneCount([]byte(a.Text)); n > 150 || n == 0 {
						t.Fatalf("%d characters at once", n)
					}
					got.WriteString(a.Text)
					args = nil
					if q := a.Next; q != nil {
						args = []string{"--mode", q.Mode, "--start", strconv.FormatInt(q.Start, 10), "--unit", q.Unit}
					}
				}
				// One U+FFFD for every byte that is no UTF-8.
				if want := string([]rune(text)); got.String() != want {
					t.Errorf("%d bytes, want %d", got.Len(), len(want))
				}
			})
		}
	}
}

// What has expired is told with the tool to run again, to its session only,
// and goes with the next sweep.
func TestSweptResult(t *testing.T) {
	t.Parallel()
	env, config := rescueEnv(t)
	then := time.Now().Add(-100 * time.Hour)
	s, err := rescue.OpenStore(env.Store, rescue.StoreOptions{Now: func() time.Time { return then }})
	require.NoError(t, err)
	m, err := s.Put(t.Context(), "default", "mcp_slow", rescue.Text, []byte("long ago"))
	require.NoError(t, s.Close())
	require.NoError(t, err)
	fetched := func(session, want string) {
		t.Helper()
		code, out, complaints := commandIn(t, env, "", "rescue", "fetch", m.ID, "--mode", "full", "--json", "--config", config, "--session", session)
		if code != 1 || complaints != "" || !strings.Contains(out, `"code": "`+want+`"`) || want == "gone" && !strings.Contains(out, `run \"mcp_slow\" again`) {
			t.Fatalf("exit code %d, %s%s", code, complaints, out)
		}
	}
	swept := func(args ...string) (out struct{ Expired, Blobs, Bytes int }) {
		t.Helper()
		code, text, complaints := commandIn(t, env, "", append([]string{"rescue", "sweep", "--json", "--config", config}, args...)...)
		if err := json.Unmarshal([]byte(text), &out); err != nil || code != 0 || complaints != "" {
			t.Fatalf("exit code %d, %v, %s", code, err, complaints)
		}
		return out
	}
	dry := swept("--dry-run")
	if again := swept("--dry-run"); again != dry {
		t.Fatalf("a dry run changed something: %+v, then %+v", dry, again)
	}
	if w := swept(); w.Blobs != 1 || w.Bytes != len("long ago") {
		t.Fatalf("%+v", w)
	}
	fetched("default", "gone")
	fetched("other", "not_held")
	if w := swept(); w.Blobs != 0 {
		t.Fatalf("%+v", w)
	}
}

// endless is a pipe that nobody ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A pipe is read no further than what could ever be kept.
func TestEndlessPipe(t *testing.T) {
	t.Parallel()
	env, config := rescueEnv(t)
	in := &endless{}
	var out, complaints bytes.Buffer
	code := Main(context.Background(), []string{"rescue", "put", "-", "--tool", "mcp_x", "--config", config}, in, &out, &complaints, env)
	if code != 2 || out.Len() > 0 || !strings.Contains(complaints.String(), "standard input: the result is larger than the whole store") || in.read > 2<<20 {
		t.Errorf("exit code %d after %d bytes, %q", code, in.read, &complaints)
	}
}

// An interrupt while the pipe is waited for ends the command and keeps nothing.
func TestPutInterrupted(t *testing.T) {
	t.Parallel()
	env, config := rescueEnv(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, end := io.Pipe()
	defer end.Close()
	go func() {
		_, _ = end.Write([]byte("the beginning"))
		cancel()
	}()
	if code := Main(ctx, []string{"rescue", "put", "-", "--tool", "mcp_x", "--config", config}, in, io.Discard, io.Discard, env); code != runner.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(env.Store); err == nil {
		t.Error("a store was made")
	}
}
