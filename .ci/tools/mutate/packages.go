package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// forTests are packages that only tests and benchmarks import.
var forTests = []string{"engine/internal/fixture", "engine/internal/peers"}

// pkg is one package of this module with what checking its mutants needs.
type pkg struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Export       string
	DepOnly      bool
	Standard     bool
	Module       *struct{ Main bool }

	folder   string // slash-separated, relative to the module's root
	set      *token.FileSet
	importer types.Importer
	sources  map[string][]byte // by base name
	files    map[string]*ast.File
}

// listPackages returns the packages that match the patterns, parsed, but for
// those that exist for tests.
func listPackages(patterns []string) ([]*pkg, error) {
	command := exec.Command("go", append([]string{"list", "-e=false", "-export", "-deps", "-buildvcs=false",
		"-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Export,DepOnly,Standard,Module"}, patterns...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	var packages []*pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pkg{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.DepOnly || p.Module == nil || !p.Module.Main {
			continue
		}
		folder, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		p.folder = filepath.ToSlash(folder)
		if slices.Contains(forTests, p.folder) {
			continue
		}
		if err := p.parse(); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	for _, p := range packages {
		p.importer = importer.ForCompiler(p.set, "gc", lookup)
	}
	slices.SortFunc(packages, func(a, b *pkg) int { return strings.Compare(a.folder, b.folder) })
	return packages, nil
}

// parse reads the files of the package.
func (p *pkg) parse() error {
	p.set = token.NewFileSet()
	p.sources, p.files = map[string][]byte{}, map[string]*ast.File{}
	for _, name := range p.GoFiles {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(p.set, filepath.Join(p.Dir, name), source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.sources[name], p.files[name] = source, f
	}
	return nil
}

// tested reports whether the package has tests of its own.
func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// usesRapid reports whether the package's tests have the flags of rapid.
func (p *pkg) usesRapid() bool {
	return slices.Contains(p.TestImports, "pgregory.net/rapid") || slices.Contains(p.XTestImports, "pgregory.net/rapid")
}

// compiles reports whether the package is valid with the text in place of one
// of its files.
func (p *pkg) compiles(name string, text []byte) bool {
	changed, err := parser.ParseFile(p.set, filepath.Join(p.Dir, name), text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	var files []*ast.File
	for _, other := range p.GoFiles {
		if other == name {
			files = append(files, changed)
		} else {
			files = append(files, p.files[other])
		}
	}
	checker := types.Config{Importer: p.importer, Sizes: types.SizesFor("gc", "amd64")}
	_, err = checker.Check(p.ImportPath, p.set, files, nil)
	return err == nil
}
