package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"caliper/tui"
	"caliper/tui/cli"
	"caliper/watch"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// The tests start this test binary again as caliper itself.
const asCaliper = "CALIPER_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if code, ok := cli.Supervise(os.Args[1:], os.Environ()); ok {
		os.Exit(code) // a server's environment is its own
	}
	if os.Getenv(asCaliper) != "" {
		main()
	}
	os.Exit(m.Run())
}

// caliper returns a command that runs main with arguments.
func caliper(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	// Under the race detector the process would linger for a second.
	cmd.Env = []string{asCaliper + "=1", "GORACE=atexit_sleep_ms=0", "TERM=xterm-256color", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	return cmd
}

func TestWithoutTerminal(t *testing.T) {
	cmd := caliper(t)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 || !strings.HasPrefix(string(out), "caliper  a workbench") || bytes.ContainsRune(out, '\x1b') {
		t.Errorf("%v, %q, %q", err, out, &complaints)
	}
}

// The exit code of every outcome leaves the process.
func TestExitCodes(t *testing.T) {
	for want, args := range map[int][]string{
		0: {"search", "open a change"},
		1: {"search", "zzzz"},
		2: {"--no-such-flag"},
	} {
		cmd := caliper(t, args...)
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%q: exit code %d, want %d", args, got, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	cmd := caliper(t, "search", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if _, err := in.Write([]byte("open a change\n")); err != nil {
		t.Fatal(err)
	}
	// The answer says that the command is up and waits for the next query.
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"query":"open a change"`) {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// A terminal that never answers a question is not waited for. The library
// that would ask waits five seconds.
func TestMuteTerminal(t *testing.T) {
	cmd := caliper(t, "--help")
	began := time.Now()
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pty here: %v", err)
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	var got bytes.Buffer
	chunk := make([]byte, 4096)
	for !strings.Contains(got.String(), "Usage") {
		n, err := tty.Read(chunk)
		got.Write(chunk[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, &got)
		}
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the first page took %v: the terminal was asked and waited for", took)
	}
	_ = cmd.Wait()
}

// mayImport says which folders of the project a folder may import, each with
// what is below it. Imports run one way:
//
//	main -> tui -> engine -> config -> model
//	  \-> watch
//
// and any but the last two may skip a step: main asks config and model whether
// a file is whole, for watch, which knows neither.
//
// The program's own pictures are made by programs in screenshots, which
// nothing imports.
var mayImport = map[string][]string{
	"":            {"tui", "watch", "config", "model"},
	"tui":         {"tui", "engine", "config", "model"},
	"engine":      {"engine", "config", "model"},
	"config":      {"config", "model"},
	"model":       {"model"},
	"watch":       {"watch"},
	"screenshots": {"screenshots", "tui", "engine", "config", "model", "watch"},
}

// screens are the packages of the explorer's screens. The app knows them, they
// know neither it nor each other.
var screens = []string{"tui/explore", "tui/budget", "tui/scope", "tui/strategies", "tui/queries", "tui/results", "tui/activity"}

// libraries are the folders that know no terminal and no environment.
var libraries = []string{"engine", "config", "model", "watch"}

// forbidden in libraries, as prefixes of import paths.
var forbidden = []string{
	"log", "flag",
	"github.com/charmbracelet/", "github.com/muesli/", "github.com/mattn/go-isatty", "github.com/creack/pty",
	"github.com/spf13/", "golang.org/x/term",
}

// forbiddenNames of standard packages, in libraries.
var forbiddenNames = map[string][]string{
	"os":  {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Exit", "Stdin", "Stdout", "Stderr", "Args"},
	"fmt": {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
}

// sources returns the parsed files of the project but its tests, by path.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() && name != "." && nested(name):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		files[filepath.ToSlash(name)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// nested reports whether a folder is a module of its own.
func nested(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// top returns the top-level folder of a file, empty for a file beside go.mod.
func top(file string) string {
	folder, _, ok := strings.Cut(file, "/")
	if !ok {
		return ""
	}
	return folder
}

// importsOf returns the import paths of a file by the name they go by in it.
func importsOf(t *testing.T, file *ast.File) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, spec := range file.Imports {
		what, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Base(what)
		if spec.Name != nil && spec.Name.Name != "_" {
			name = spec.Name.Name
		}
		out[name] = what
	}
	return out
}

// importFault returns what is wrong with an import by a file, empty when
// nothing is.
func importFault(file, what string) string {
	folder := top(file)
	if slices.Contains(libraries, folder) {
		for _, prefix := range forbidden {
			if what == strings.TrimSuffix(prefix, "/") || strings.HasPrefix(what, strings.TrimSuffix(prefix, "/")+"/") {
				return "a library must not know the terminal, the command line or a log"
			}
		}
	}
	below, ours := strings.CutPrefix(what, "caliper/")
	if !ours && what != "caliper" {
		return ""
	}
	allowed, known := mayImport[folder]
	switch {
	case slices.Contains(screens, path.Dir(file)) && (below == "tui" || slices.Contains(screens, below)):
		return "a screen knows neither the app nor another screen"
	case below == "tui" && folder != "":
		return "only main knows the app"
	case slices.Contains(screens, below) && path.Dir(file) != "tui":
		return "only the app knows its screens"
	case !known:
		return "a new top-level folder"
	case !slices.Contains(allowed, top(below+"/")):
		return "imports run main -> tui -> engine -> config -> model, and main -> watch"
	}
	return ""
}

func TestImports(t *testing.T) {
	for name, file := range sources(t) {
		imports := importsOf(t, file)
		for _, what := range imports {
			if fault := importFault(name, what); fault != "" {
				t.Errorf("%s imports %s: %s", name, what, fault)
			}
		}
		// A command below a library is no part of it, since nothing can import it.
		if slices.Contains(libraries, top(name)) && file.Name.Name != "main" {
			for _, used := range usedNames(file, imports) {
				t.Errorf("%s uses %s: a library must not know the environment or write to the terminal", name, used)
			}
		}
	}
}

// usedNames returns the forbidden names that a file uses.
func usedNames(file *ast.File, imports map[string]string) []string {
	var used []string
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && slices.Contains(forbiddenNames[imports[x.Name]], selector.Sel.Name) {
			used = append(used, imports[x.Name]+"."+selector.Sel.Name)
		}
		return true
	})
	return used
}

// The test above can fail.
func TestImportFaults(t *testing.T) {
	tests := []struct {
		file, what string
		fault      bool
	}{
		{"main.go", "caliper/tui/cli", false},
		{"main.go", "caliper/watch", false},
		{"main.go", "caliper/engine", true},
		{"tui/cli/cli.go", "caliper/engine/tokens", false},
		{"tui/cli/cli.go", "caliper/watch", true},
		{"tui/cli/cli.go", "caliper", true},
		{"engine/build.go", "caliper/tui/cells", true},
		{"engine/build.go", "caliper/config", false},
		{"config/config.go", "caliper/engine", true},
		{"model/tool.go", "caliper/config", true},
		{"watch/watch.go", "caliper/model", true},
		{"watch/watch.go", "github.com/fsnotify/fsnotify", false},
		{"engine/build.go", "github.com/charmbracelet/lipgloss", true},
		{"engine/build.go", "log/slog", true},
		{"engine/build.go", "golang.org/x/term", true},
		{"engine/build.go", "golang.org/x/text", false},
		{"tui/app.go", "github.com/charmbracelet/lipgloss", false},
		{"tui/app.go", "caliper/tui/scope", false},
		{"tui/cli/cli.go", "caliper/tui", true},
		{"tui/scope/scope.go", "caliper/tui", true},
		{"tui/scope/scope.go", "caliper/tui/budget", true},
		{"tui/scope/scope.go", "caliper/tui/ui", false},
		{"tui/ui/field.go", "caliper/tui", true},
		{"tui/ui/field.go", "caliper/tui/scope", true},
		{"newfolder/x.go", "caliper/model", true},
	}
	for _, tt := range tests {
		if got := importFault(tt.file, tt.what); (got != "") != tt.fault {
			t.Errorf("%s imports %s: %q", tt.file, tt.what, got)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import ( system "os"; "fmt" )
var a, b, c = system.Getenv("HOME"), fmt.Sprint(1), system.ReadFile
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := usedNames(file, importsOf(t, file)); !slices.Equal(got, []string{"os.Getenv"}) {
		t.Errorf("used %v", got)
	}
}

// foreignTexts are the files that compare texts which look like sentences, and
// are none of ours.
var foreignTexts = map[string]string{
	"config/yaml11/malformed.go":    "errors of the YAML library, which have no codes",
	"engine/embed/vectors.go":       "a prefix that models are trained with",
	"engine/lint/texts.go":          "words that descriptions of tools hold",
	"engine/live/session.go":        "errors of the MCP library, which have no codes",
	"model/jsontree/cursor.go":      "errors of the JSON library",
	"screenshots/reel/reel.go":      "the format of a recording",
	"screenshots/scene/parse.go":    "the format of a scene",
	"tui/cli/import_environment.go": "lines of an env file",
}

// sentencePart is what texts of codes and formats do not have: a word and a
// space behind it.
var sentencePart = regexp.MustCompile(`[A-Za-z]{2,}[,:;]? `)

// Facts are values: no code compares or cuts a sentence to learn one.
func TestNoSentenceIsRead(t *testing.T) {
	for name, file := range sources(t) {
		for _, text := range comparedTexts(file) {
			if sentencePart.MatchString(text) && foreignTexts[name] == "" {
				t.Errorf("%s reads the sentence %q: give what it was made from as a value", name, text)
			}
		}
	}
}

// comparedTexts returns the literals that a file compares texts with, or looks
// for in texts.
func comparedTexts(file *ast.File) []string {
	var texts []string
	literal := func(e ast.Expr) {
		if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING {
			text, _ := strconv.Unquote(b.Value)
			texts = append(texts, text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			selector, _ := n.Fun.(*ast.SelectorExpr)
			if selector == nil || slices.Contains([]string{"Join", "Fields", "Repeat", "NewReader"}, selector.Sel.Name) {
				break
			}
			if x, ok := selector.X.(*ast.Ident); ok && (x.Name == "strings" || x.Name == "bytes") {
				for _, argument := range n.Args {
					literal(argument)
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				literal(n.X)
				literal(n.Y)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				literal(e)
			}
		}
		return true
	})
	return texts
}

// The test above can fail.
func TestComparedTexts(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
func f(s string) {
	_ = strings.HasPrefix(s, "called: ") || s == "not found"
	switch s { case "all of it": }
	_ = strings.Join(nil, "and so on"); println("a message of ours")
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := comparedTexts(file), []string{"called: ", "not found", "all of it"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Two programs of one size and one time are different builds.
func TestBuildOf(t *testing.T) {
	at := time.Unix(1, 0)
	var builds []string
	for _, content := range []string{"one", "two", "two"} {
		path := filepath.Join(t.TempDir(), "caliper")
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		builds = append(builds, buildOf(path))
	}
	if builds[0] == "" || builds[0] == builds[1] || builds[1] != builds[2] {
		t.Errorf("%q", builds)
	}
	if got := buildOf(filepath.Join(t.TempDir(), "caliper")); got != "" {
		t.Errorf("no file is the build %q", got)
	}
}

// costlyInits are the packages of libraries whose variables take more than
// mostInit at every start, with the bytes that they may take. Nobody who imports
// them can leave that out.
var costlyInits = map[string]int{
	"github.com/santhosh-tekuri/jsonschema/v6":   2_000_000, // compiles the schemas of the versions of JSON Schema
	"github.com/charmbracelet/bubbletea":         120_000,   // tables of keys
	"github.com/google/jsonschema-go/jsonschema": 100_000,   // of the MCP library
	"github.com/dlclark/regexp2/v2/syntax":       50_000,    // of tests alone
	"caliper":                                    50_000,    // of tests alone
}

// What the variables of any other package may take, in bytes.
const (
	mostInit = 36_000
	mostOurs = 16_000
)

var initLine = regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes, \d+ allocs$`)

// What a start makes before main is bounded: no package makes tables and
// expressions that only some commands use. See package model/lazy.
func TestInits(t *testing.T) {
	cmd := caliper(t, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	inits := initLine.FindAllStringSubmatch(trace.String(), -1)
	if len(inits) < 20 {
		t.Fatalf("only %d packages:\n%s", len(inits), &trace)
	}
	for _, line := range inits {
		took, _ := strconv.Atoi(line[2])
		most, known := costlyInits[line[1]]
		switch {
		case known:
		case strings.HasPrefix(line[1], "caliper/"):
			most = mostOurs
		default:
			most = mostInit
		}
		if took > most {
			t.Errorf("%s makes %d bytes before main, more than %d: make them at first use", line[1], took, most)
		}
	}
}

// A command that loads nothing ends before the first collection of garbage, at
// 4 MB. The lexicon of fielded alone would be more.
func TestStartCollectsNothing(t *testing.T) {
	cmd := caliper(t, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=gctrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(trace.String(), "gc 1 ") {
		t.Errorf("%s", &trace)
	}
}

// BenchmarkStart runs the program as README builds it and reports the CPU time
// of one process, the user's and the system's.
func BenchmarkStart(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "caliper")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{{"version"}, {"search", "open a change"}, {"check"}, {"budget", "--tokenizer", "o200k_base"}} {
		b.Run(args[0], func(b *testing.B) {
			var total, least time.Duration
			for b.Loop() {
				cmd := exec.Command(binary, args...)
				cmd.Dir, cmd.Env = b.TempDir(), []string{}
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				total += took
				if least == 0 || took < least {
					least = took
				}
			}
			b.ReportMetric(float64(least.Microseconds())/1000, "ms-cpu-least")
			b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms-cpu/op")
		})
	}
}

// maxBinary is the most that the stripped binary for linux/amd64 may have, in
// bytes. Whoever adds a library or a table finds out here what it weighs.
const maxBinary = 22_000_000

// readmeBuild is the line with which README builds the program.
var readmeBuild = regexp.MustCompile(`(?m)^    (CGO_ENABLED=0 go build .*) -o caliper \.`)

// command runs a program in a folder, with variables beside those of the test.
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

// What README says builds the program, without C, and the binary runs from
// anywhere.
func TestBuild(t *testing.T) {
	if !*slow {
		t.Skip("builds the program: -slow")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	line := readmeBuild.FindSubmatch(readme)
	if line == nil {
		t.Fatal("README has no line that builds the program")
	}
	binary := filepath.Join(t.TempDir(), "caliper")
	command(t, ".", nil, "sh", "-c", string(line[1])+` -buildvcs=false -o "$0" .`, binary)
	expectDemo(t, binary)
}

// commit makes a repository of the files of this one as they are, with one
// commit, the same one every time, and the tag v1.9.7.
func commit(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("not in a repository: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // removed, or a folder
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, info.Mode().Perm()|0o600); err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
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
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two builds of one commit differ")
	}
	if len(made[0]) > maxBinary {
		t.Errorf("the binary has %d bytes, more than %d", len(made[0]), maxBinary)
	}
}

// session is an explorer on files of its own, with the watchers of main and
// bubbletea's loop, but no terminal.
type session struct {
	t        testing.TB
	registry string
	config   string
	program  *tea.Program
	screen   *lastScreen
	stop     context.CancelFunc
	ended    chan error
}

// lastScreen is a model that keeps the last view of another.
type lastScreen struct {
	tea.Model
	mu      sync.Mutex
	view    string
	awaited string        // text that is waited for; empty for none
	seen    chan struct{} // closed when it is on the screen
}

// Update passes a message on.
func (s *lastScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	s.Model, cmd = s.Model.Update(msg)
	return s, cmd
}

// View draws the screen and looks for the text that is waited for.
func (s *lastScreen) View() string {
	view := s.Model.View()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view = view
	if s.awaited != "" && strings.Contains(view, s.awaited) {
		s.awaited = ""
		close(s.seen)
	}
	return view
}

// await returns a channel that is closed once the screen has text.
func (s *lastScreen) await(text string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = make(chan struct{})
	if strings.Contains(s.view, text) {
		close(s.seen)
		return s.seen
	}
	s.awaited = text
	return s.seen
}

// open opens an explorer whose watchers have a pace. A still one has no timers.
func open(t testing.TB, pace watch.Options, still bool) *session {
	t.Helper()
	folder := t.TempDir()
	s := &session{
		t: t, registry: filepath.Join(folder, "registry.json"), config: filepath.Join(folder, "config.yaml"),
		ended: make(chan error, 1),
	}
	s.write(0)
	if err := os.WriteFile(s.config, []byte("tools: {tool_search: {enabled: true}}\nsessions: {default: {}, few: {enabled_toolsets: [one]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	opt, err := explorer(ctx, cli.Options{Registry: []string{s.registry}, Config: s.config, Theme: "dark", NoState: true}, pace)
	if err != nil {
		t.Fatal(err)
	}
	opt.Terminal, opt.AskBackground = nil, false
	opt.Now, opt.Still = time.Now, still
	s.screen = &lastScreen{Model: tui.NewApp(ctx, opt)}
	s.program = tea.NewProgram(s.screen, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithFPS(1), tea.WithoutSignalHandler(), tea.WithContext(ctx))
	go func() {
		_, err := s.program.Run()
		s.ended <- err
	}()
	s.program.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.wait(marker(0))
	return s
}

// close ends the explorer.
func (s *session) close() {
	s.stop()
	<-s.ended
}

// marker returns the name of the tool that only one revision of the registry has.
func marker(revision int) string { return fmt.Sprintf("mark_%d_", revision) }

// write writes a revision of the registry in one step. Of its thirty tools, one
// is new and three have another of twenty descriptions. One is long, so that a part
// of the file that is kept shows in the heap.
func (s *session) write(revision int) {
	s.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `{"tools":[{"toolset":"one","function":{"name":"%s","description":"the newest"}}`, marker(revision))
	for i := range 29 {
		text := "reads the records of a table"
		if i < 3 {
			text = fmt.Sprintf("writes record %d of a table", revision%20)
		}
		if i == 3 {
			text = strings.Repeat("reads the records of a table. ", 1000)
		}
		fmt.Fprintf(&b, `,{"toolset":"two","function":{"name":"tool_%d","description":%q,`+
			`"parameters":{"type":"object","properties":{"table":{"type":"string","description":"name of the table"}}}}}`, i, text)
	}
	b.WriteString("]}")
	if err := os.WriteFile(s.registry+".new", []byte(b.String()), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.registry+".new", s.registry); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits until the screen has text.
func (s *session) wait(text string) {
	s.t.Helper()
	select {
	case <-s.screen.await(text):
	case <-time.After(time.Minute):
		s.screen.mu.Lock()
		defer s.screen.mu.Unlock()
		s.t.Fatalf("the screen never has %q:\n%s", text, s.screen.view)
	}
}

// reloads makes so many revisions and waits for each to be on the screen.
func (s *session) reloads(from, n int) {
	for i := from; i < from+n; i++ {
		s.write(i)
		s.wait(marker(i))
	}
}

// queries types so many queries, one after another, and then none. Every fiftieth
// time it goes through the screens, whose jobs then begin.
func (s *session) queries(from, n int) {
	for i := from; i < from+n; i++ {
		s.program.Send(tea.KeyMsg{Type: tea.KeyCtrlU})
		s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(fmt.Sprintf("record %d table", i))})
		if i%50 == 0 {
			for screen := '1'; screen <= '7'; screen++ {
				s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{screen}, Alt: true})
			}
			s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'1'}, Alt: true})
		}
	}
	s.program.Send(tea.KeyMsg{Type: tea.KeyCtrlU})
}

// held is what a process holds.
type held struct {
	heap       uint64 // bytes in use after a collection
	goroutines int
	threads    int // 0 where the system does not say
	files      int // open file descriptors; 0 where the system does not say
}

// entries returns how many entries a folder has; 0 if there is no such folder.
func entries(folder string) int {
	list, _ := os.ReadDir(folder)
	return len(list)
}

// holds returns what the process holds.
func holds() held {
	debug.FreeOSMemory() // collects, too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return held{m.HeapAlloc, runtime.NumGoroutine(), entries("/proc/self/task"), entries("/proc/self/fd")}
}

// more returns what a process holds more than a baseline after so many reloads, empty
// for nothing. What is allowed: work that has not ended yet; and the terms of each
// new tool, which retrieval keeps for catalogs to come, 8 MB of them.
func (h held) more(base held, reloads int) string {
	const (
		heap    = 1 << 20
		tool    = 300
		threads = 6 // the runtime keeps threads that once were blocked by the system
	)
	switch {
	case h.heap > base.heap+base.heap/8+heap+uint64(min(reloads*tool, 8<<20)):
		return fmt.Sprintf("%d KB of heap, and %d before", h.heap>>10, base.heap>>10)
	case h.goroutines > base.goroutines:
		return fmt.Sprintf("%d goroutines, and %d before", h.goroutines, base.goroutines)
	case h.threads > base.threads+threads:
		return fmt.Sprintf("%d threads, and %d before", h.threads, base.threads)
	case h.files > base.files:
		return fmt.Sprintf("%d open files, and %d before", h.files, base.files)
	}
	return ""
}

// returns demands that the process holds no more than the baseline, as soon as
// what is under way has ended.
func returns(t *testing.T, base held, reloads int) {
	t.Helper()
	var now held
	for range 100 {
		now = holds()
		if now.more(base, reloads) == "" {
			t.Logf("before %+v, after %+v", base, now)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%s\n%s", now.more(base, reloads), stacks[:runtime.Stack(stacks, true)])
}

// TestLongRun: reloads and queries leave nothing behind, with the events of the
// system and the real clock. The baseline is what the explorer holds after a
// warm-up of the same kind.
func TestLongRun(t *testing.T) {
	reloads, queries, warm := 60, 400, 40
	if *slow {
		// With 10,000 reloads and 100,000 queries the heap holds 7 MB more than the
		// baseline. Whether a bounded memory fills or something leaks is not known yet.
		reloads, queries, warm = 1_500, 10_000, 100
	}
	s := open(t, watch.Options{Quiet: time.Millisecond, Ceiling: 10 * time.Millisecond}, true)
	defer s.close()
	s.reloads(1, warm)
	s.queries(0, 5*warm)
	s.reloads(warm+1, 1)
	base := holds()
	for step := range 10 {
		s.reloads(warm+2+step*reloads/10, reloads/10)
		s.queries(5*warm+step*queries/10, queries/10)
	}
	s.reloads(warm+2+reloads, 1)
	returns(t, base, reloads)
}

// TestIdleWeek: an explorer that nobody touches for a week, with a reload and a
// query every hour, holds after it what it held after the first hour. The clock
// is that of synctest. It stands still while a goroutine waits for the system's
// events, so that the watchers poll here.
func TestIdleWeek(t *testing.T) {
	hours := 3
	if *slow {
		hours = 7 * 24
	}
	synctest.Test(t, func(t *testing.T) {
		s := open(t, watch.Options{ForcePoll: true}, false)
		defer s.close()
		hour := func(n int) {
			s.reloads(n, 1)
			s.queries(n, 1)
			time.Sleep(time.Hour)
		}
		hour(1)
		base := holds()
		for n := range hours {
			hour(2 + n)
		}
		returns(t, base, hours)
	})
}
