package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"math/big"
	"path"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	pkg        *pkg
	file       string // base name
	function   string // the function around it, "" outside of functions
	line       int
	start, end int // bytes of the file that are replaced
	text       string
	before     string // the changed lines, blanks collapsed
	after      string
	group      string
	id         int // in the binary of its package
}

// path returns the file's path from the module's root.
func (m *mutant) path() string { return path.Join(m.pkg.folder, m.file) }

// key identifies the mutant whatever its line number is.
func (m *mutant) key() string {
	return m.path() + " " + m.function + "\n- " + m.before + "\n+ " + m.after
}

// String returns the key with the line number.
func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d %s\n- %s\n+ %s", m.path(), m.line, m.function, m.before, m.after)
}

// source returns the file's text with the change.
func (m *mutant) source() []byte {
	old := m.pkg.sources[m.file]
	return bytes.Join([][]byte{old[:m.start], []byte(m.text), old[m.end:]}, nil)
}

// finder collects the mutants of one file.
type finder struct {
	pkg      *pkg
	name     string
	file     *token.File
	source   []byte
	function string
	found    []*mutant
	seen     map[string]bool
}

// mutants returns every mutant of one file, in the order of the text.
func (p *pkg) mutants(name string) []*mutant {
	f := &finder{pkg: p, name: name, file: p.set.File(p.files[name].Pos()), source: p.sources[name], seen: map[string]bool{}}
	for _, decl := range p.files[name].Decls {
		f.function = ""
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			f.function = d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				f.function = strings.TrimPrefix(f.of(d.Recv.List[0].Type), "*") + "." + d.Name.Name
			}
			f.walk(d.Body, d.Type)
		case *ast.GenDecl:
			if d.Tok == token.VAR || d.Tok == token.CONST {
				f.walk(d, nil)
			}
		}
	}
	return f.found
}

// of returns the text of a node.
func (f *finder) of(n ast.Node) string {
	return string(f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

// replace adds the mutant that has the text in place of a part of the source.
func (f *finder) replace(from, to token.Pos, text string) {
	start, end := f.file.Offset(from), f.file.Offset(to)
	first := bytes.LastIndexByte(f.source[:start], '\n') + 1
	last := len(f.source)
	if i := bytes.IndexByte(f.source[end:], '\n'); i >= 0 {
		last = end + i
	}
	m := &mutant{pkg: f.pkg, file: f.name, function: f.function, line: f.file.Line(from), start: start, end: end, text: text,
		before: collapsed(string(f.source[first:last])),
		after:  collapsed(string(f.source[first:start]) + text + string(f.source[end:last])),
	}
	if id := fmt.Sprint(start, end, text); m.before != m.after && !f.seen[id] {
		f.seen[id] = true
		f.found = append(f.found, m)
	}
}

// collapsed returns a text on one line.
func collapsed(text string) string { return strings.Join(strings.Fields(text), " ") }

// swaps are the operators and what each becomes.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// table is how many elements make a literal outside of functions a table of
// data, such as ranges of characters: it is copied from somewhere, and a test
// that repeats it proves nothing.
const table = 24

// walk finds the mutants under a node of a function of that type.
func (f *finder) walk(root ast.Node, function *ast.FuncType) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.walk(n.Body, n.Type)
			return false
		case *ast.IfStmt:
			f.negate(n.Cond)
		case *ast.ForStmt:
			f.negate(n.Cond)
		case *ast.SwitchStmt:
			f.cases(n)
		case *ast.BinaryExpr:
			if other, ok := swaps[n.Op]; ok {
				f.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.CompositeLit:
			return function != nil || len(n.Elts) < table
		case *ast.BasicLit:
			f.number(n)
		case *ast.Ident:
			switch n.Name {
			case "true":
				f.replace(n.Pos(), n.End(), "false")
			case "false":
				f.replace(n.Pos(), n.End(), "true")
			}
		case *ast.ImportSpec, *ast.Field:
			return false // tags and types
		case *ast.ExprStmt:
			f.replace(n.Pos(), n.End(), "")
		case *ast.IncDecStmt:
			f.replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			f.assignment(n)
		case *ast.ReturnStmt:
			f.zero(n, function)
		}
		return true
	})
}

// negate adds the mutant that negates a condition. == and != are left out,
// because swapping the operator negates them already.
func (f *finder) negate(condition ast.Expr) {
	if condition == nil {
		return
	}
	if b, ok := ast.Unparen(condition).(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	if u, ok := condition.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		f.replace(u.Pos(), u.End(), f.of(u.X))
		return
	}
	f.replace(condition.Pos(), condition.End(), "!("+f.of(condition)+")")
}

// cases negates the conditions of a switch without a tag.
func (f *finder) cases(n *ast.SwitchStmt) {
	if n.Tag != nil {
		return
	}
	for _, statement := range n.Body.List {
		for _, condition := range statement.(*ast.CaseClause).List {
			f.negate(condition)
		}
	}
}

// number moves a whole number by one, up and, unless it is 0, down.
func (f *finder) number(n *ast.BasicLit) {
	value, ok := new(big.Int).SetString(n.Value, 0)
	if n.Kind != token.INT || !ok {
		return
	}
	f.replace(n.Pos(), n.End(), new(big.Int).Add(value, big.NewInt(1)).String())
	if value.Sign() > 0 {
		f.replace(n.Pos(), n.End(), new(big.Int).Sub(value, big.NewInt(1)).String())
	}
}

// assignment drops an assignment; the values are still computed where the
// variables would otherwise be unused.
func (f *finder) assignment(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	blank := true
	for _, left := range n.Lhs {
		id, ok := left.(*ast.Ident)
		blank = blank && ok && id.Name == "_"
	}
	if blank {
		return
	}
	if n.Tok != token.ASSIGN {
		f.replace(n.Pos(), n.End(), "_ = "+f.of(n.Rhs[0]))
		return
	}
	names := strings.TrimSuffix(strings.Repeat("_, ", len(n.Lhs)), ", ")
	f.replace(n.Lhs[0].Pos(), n.Lhs[len(n.Lhs)-1].End(), names)
}

// zero returns zero values in place of each value returned.
func (f *finder) zero(n *ast.ReturnStmt, function *ast.FuncType) {
	if function == nil || function.Results == nil {
		return
	}
	var results []ast.Expr
	for _, field := range function.Results.List {
		for range max(len(field.Names), 1) {
			results = append(results, field.Type)
		}
	}
	if len(results) != len(n.Results) {
		return
	}
	for i, value := range n.Results {
		text := f.zeroOf(results[i])
		if old := f.of(value); old == text || old == "nil" || old == "0" || old == `""` || old == f.of(results[i])+"{}" {
			continue
		}
		f.replace(value.Pos(), value.End(), text)
	}
}

// zeroOf returns an expression of a type's zero value.
func (f *finder) zeroOf(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "bool":
			return "false"
		case "string":
			return `""`
		case "error", "any":
			return "nil"
		case "int", "int64", "int32", "uint", "uint64", "uint32", "byte", "rune", "float64", "float32":
			return "0"
		}
	case *ast.StarExpr, *ast.MapType, *ast.FuncType, *ast.InterfaceType:
		return "nil"
	case *ast.ArrayType:
		if t.Len == nil {
			return "nil"
		}
	}
	return "*new(" + f.of(t) + ")"
}
