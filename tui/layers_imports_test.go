package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// mayImport says which folders of the project a folder may import, each with
// what is below it. Imports run one way:
//
//	main -> tui -> engine -> config -> model
//	         \-> watch
//
// and tui and engine may skip a step.
//
// The program's own pictures are made by programs in screenshots, which
// nothing imports.
var mayImport = map[string][]string{
	"":            {"tui"},
	"tui":         {"tui", "watch", "engine", "config", "model"},
	"engine":      {"engine", "config", "model"},
	"config":      {"config", "model"},
	"model":       {"model"},
	"watch":       {"watch"},
	"screenshots": {"screenshots", "tui", "engine", "config", "model", "watch"},
}

// screens are the packages of the explorer's screens. The app knows them, they
// know neither it nor each other.
var screens = []string{"tui/explore", "tui/budget", "tui/scope", "tui/strategies", "tui/queries", "tui/results", "tui/activity", "tui/replay", "tui/sides"}

// contract are the packages that a screen's contract with the app stands on. They know
// no result and nothing that computes one.
var contract = []string{"tui/screen", "tui/ui"}

// mostHost is how many methods screen.Host may have: what a screen asks for beyond it is a message.
const mostHost = 14

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
		require.NoError(t, err)
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
	case slices.Contains(contract, path.Dir(file)) && !strings.HasSuffix(file, "_test.go") && !slices.Contains([]string{"model", "config", "watch"}, top(below+"/")) && !slices.Contains(contract, below):
		return "the contract of a screen knows no engine and no result"
	case slices.Contains(screens, path.Dir(file)) && (below == "tui" || slices.Contains(screens, below)):
		return "a screen knows neither the app nor another screen"
	case below == "tui" && folder != "" && path.Dir(file) != "tui/cli" && path.Dir(path.Dir(file)) != "tui/cli":
		return "only main and the commands know the app"
	case slices.Contains(screens, below) && path.Dir(file) != "tui":
		return "only the app knows its screens"
	case !known:
		return "a new top-level folder"
	case !slices.Contains(allowed, top(below+"/")):
		return "imports run main -> tui -> engine -> config -> model, and tui -> watch"
	}
	return ""
}

func TestImports(t *testing.T) {
	for name, file := range sources(t) {
		imports := importsOf(t, file)
		if path.Dir(name) == "model/require" {
			continue // it sets flags of tests, and only tests import it
		}
		for _, what := range imports {
			if what == "caliper/model/require" && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s imports %s, which is for tests", name, what)
			}
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

// TestBackgroundIsReadyFirst: tui/background imports nothing that is initialised late, which would
// bring the wait for the terminal back.
func TestBackgroundIsReadyFirst(t *testing.T) {
	if got := importsOf(t, sources(t)["tui/background/background.go"]); len(got) != 1 || got["lipgloss"] != "github.com/charmbracelet/lipgloss" {
		t.Errorf("imports %v, want lipgloss alone", got)
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
	for imports, fault := range map[string]bool{
		"main.go caliper/tui/cli": false, "main.go caliper/watch": true, "tui/cli/cli.go caliper/engine/tokens": false, "tui/cli/cli.go caliper": true,
		"engine/build.go caliper/tui/ui": true, "engine/build.go caliper/config": false, "engine/build.go log/slog": true, "model/tool.go caliper/config": true, "watch/watch.go caliper/model": true,
		"tui/app.go caliper/tui/scope": false, "tui/scope/scope.go caliper/tui": true, "tui/scope/scope.go caliper/tui/budget": true, "tui/screen/host.go caliper/engine": true, "newfolder/x.go caliper/model": true,
	} {
		file, what, _ := strings.Cut(imports, " ")
		if got := importFault(file, what); (got != "") != fault {
			t.Errorf("%s imports %s: %q", file, what, got)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nimport ( system \"os\"; \"fmt\" )\nvar a, b, c = system.Getenv(\"HOME\"), fmt.Sprint(1), system.ReadFile\n", 0)
	require.NoError(t, err)
	if got := usedNames(file, importsOf(t, file)); !slices.Equal(got, []string{"os.Getenv"}) {
		t.Errorf("used %v", got)
	}
}

// TestHostIsSmall: a screen may ask the app for few things.
func TestHostIsSmall(t *testing.T) {
	methods := 0
	ast.Inspect(sources(t)["tui/screen/host.go"], func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "Host" {
			methods = spec.Type.(*ast.InterfaceType).Methods.NumFields()
		}
		return true
	})
	if methods == 0 || methods > mostHost {
		t.Errorf("Host has %d methods, want at most %d", methods, mostHost)
	}
}
