package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// propertyTests returns the names of the test functions in the files that
// call rapid.Check, directly or through other functions of the files.
func propertyTests(files []string) ([]string, error) {
	calls := map[string][]string{} // function -> functions it names
	checks := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			ast.Inspect(function.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "rapid" && (n.Sel.Name == "Check" || n.Sel.Name == "MakeCheck") {
						checks[function.Name.Name] = true
					}
				case *ast.Ident:
					calls[function.Name.Name] = append(calls[function.Name.Name], n.Name)
				}
				return true
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for name, called := range calls {
			if !checks[name] && slices.ContainsFunc(called, func(c string) bool { return checks[c] }) {
				checks[name], changed = true, true
			}
		}
	}
	var tests []string
	for name := range checks {
		if strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests, nil
}
