package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
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
		case d.IsDir() && name != root && nested(name):
			return fs.SkipDir
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

// nested reports whether a folder is a module of its own.
func nested(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
