package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// These files test how the source of the program is put together: which package imports
// which, and that no code reads a sentence to learn a fact. root is the project's folder.
const root = ".."

// positions has the lines of the files that sources parses.
var positions = token.NewFileSet()

// sources returns the parsed files of the project but its tests, by path.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir():
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root { // a module of its own
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(positions, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, name)
		files[filepath.ToSlash(inside)] = file
		return err
	})
	require.NoError(t, err)
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// foreignTexts are the files that compare texts which look like sentences, and
// are none of ours.
var foreignTexts = map[string]string{
	"model/yamltext/malformed.go":  "errors of the YAML library, which have no codes",
	"engine/embed/vectors.go":      "a prefix that models are trained with",
	"engine/lint/texts.go":         "words that descriptions of tools hold",
	"engine/live/session.go":       "errors of the MCP library, which have no codes",
	"model/jsontree/cursor.go":     "errors of the JSON library",
	"model/shapes/python_types.go": "types as documentation of Python writes them",
	"model/shapes/sealtools.go":    "the prompts of a data set",
	"tui/picture/reel.go":          "the format of a recording",
	"engine/live/environment.go":   "lines of an env file",
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
	require.NoError(t, err)
	if got, want := comparedTexts(file), []string{"called: ", "not found", "all of it"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
