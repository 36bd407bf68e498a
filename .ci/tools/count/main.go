// Command count prints how large the code of the module in a folder is: what there is to read and
// what there is to know. A line is a line of a Go file that a build for this system takes, blank
// ones and comments too; a name is a function, a method, a struct or a field of one, wherever it
// is declared, without those of tests.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is a package as go list tells of it.
type pkg struct {
	Dir, ImportPath                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Deps                               []string
	Module                             struct{ Path string }
	lines                              int // without tests
}

// sum is what is counted.
type sum struct {
	lines, tests, packages, binaries int
	functions, structs, fields       int
	screen                           map[string]*ast.InterfaceType // those of tui/screen
	closure, closureOf               int                           // lines and packages that tui/screen stands on, with itself
	packageLines, fileLines          int
	largestPackage, largestFile      string
}

func main() {
	folder := "."
	if len(os.Args) == 2 {
		folder = os.Args[1]
	}
	s, err := count(folder)
	if err != nil || len(os.Args) > 2 {
		fmt.Fprintln(os.Stderr, "usage: count [FOLDER]:", err)
		os.Exit(2)
	}
	fmt.Print(s)
}

// count counts the packages that go list ./... names in a folder.
func count(folder string) (sum, error) {
	s := sum{screen: map[string]*ast.InterfaceType{}}
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles,Deps,Module", "./...")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return s, err
	}
	var screen *pkg
	lines := map[string]int{} // of each package
	for read := json.NewDecoder(bytes.NewReader(out)); read.More(); {
		var p pkg
		if err := read.Decode(&p); err != nil {
			return s, err
		}
		if err := s.add(&p); err != nil {
			return s, err
		}
		lines[p.ImportPath] = p.lines
		if p.ImportPath == p.Module.Path+"/tui/screen" {
			screen = &p
		}
	}
	if screen != nil {
		for _, path := range append(screen.Deps, screen.ImportPath) {
			if n, ok := lines[path]; ok {
				s.closure, s.closureOf = s.closure+n, s.closureOf+1
			}
		}
	}
	return s, nil
}

// add counts a package.
func (s *sum) add(p *pkg) error {
	s.packages++
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		n, err := s.file(path)
		if err != nil {
			return err
		}
		p.lines += n
		if n > s.fileLines {
			s.fileLines, s.largestFile = n, strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")+"/"+name
		}
	}
	s.lines += p.lines
	if p.lines > s.packageLines {
		s.packageLines, s.largestPackage = p.lines, strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
	}
	tests := append(p.TestGoFiles, p.XTestGoFiles...)
	if len(tests) > 0 {
		s.binaries++
	}
	for _, name := range tests {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		s.tests += bytes.Count(data, []byte("\n"))
	}
	return nil
}

// file counts the names in a file, and returns its lines.
func (s *sum) file(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, data, 0)
	if err != nil {
		return 0, err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.functions++
		case *ast.StructType:
			s.structs++
			s.fields += n.Fields.NumFields()
		case *ast.TypeSpec:
			if i, ok := n.Type.(*ast.InterfaceType); ok && strings.HasSuffix(filepath.Dir(path), "tui/screen") {
				s.screen[n.Name.Name] = i
			}
		}
		return true
	})
	return bytes.Count(data, []byte("\n")), nil
}

// methods returns how many methods an interface of tui/screen has, with those that it embeds.
func (s sum) methods(name string) int {
	n := 0
	if i := s.screen[name]; i != nil {
		for _, f := range i.Methods.List {
			n += len(f.Names)
			if embedded, ok := f.Type.(*ast.Ident); ok {
				n += s.methods(embedded.Name)
			}
		}
	}
	return n
}

// String returns the table.
func (s sum) String() string {
	var b strings.Builder
	for _, row := range []struct {
		what  string
		n     int
		which string
	}{
		{"lines", s.lines, ""},
		{"lines of tests", s.tests, ""},
		{"packages", s.packages, ""},
		{"test binaries", s.binaries, ""},
		{"names", s.functions + s.structs + s.fields, fmt.Sprintf("%d functions, %d structs, %d fields", s.functions, s.structs, s.fields)},
		{"methods of Host", s.methods("Host"), ""},
		{"lines below tui/screen", s.closure, fmt.Sprintf("%d packages", s.closureOf)},
		{"largest package", s.packageLines, s.largestPackage},
		{"largest file", s.fileLines, s.largestFile},
	} {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-24s %7d  %s", row.what, row.n, row.which), " ") + "\n")
	}
	return b.String()
}
