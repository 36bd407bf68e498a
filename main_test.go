package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"caliper/tui/cli"
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
