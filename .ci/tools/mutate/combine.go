package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
)

// All mutants of a package go into one binary, so that it is compiled and
// linked once: each is a copy of its function under a name of its own, and the
// function begins by calling the copy that the environment asks for. Without
// one it says in a file, where the environment names one, that it was called.

// chosen is the file that reads which mutant is asked for. Variables that are
// set by functions with mutants depend on it, so that it is set before them.
const chosen = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var mutant__ = func() int { n, _ := strconv.Atoi(os.Getenv("MUTANT")); return n }()

var reaching__, reached__ = os.Getenv("REACHED"), [%d]atomic.Bool{}

// reach__ adds mutants whose function is called to the file that is asked for. It
// allocates nothing but the first time: tests count that.
func reach__(first int, ids string) {
	if reaching__ == "" || reached__[first].Load() || reached__[first].Swap(true) {
		return
	}
	f, err := os.OpenFile(reaching__, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	_, _ = f.WriteString(ids)
	_ = f.Close()
}
`

// combined returns the changed files, by path, of a package with its mutants,
// and those of the mutants that it could not take up.
func combined(p *pkg, mutants []*mutant) (files map[string][]byte, left []*mutant) {
	files = map[string][]byte{}
	for _, name := range p.GoFiles {
		var of []*mutant
		for _, m := range mutants {
			if m.file == name {
				of = append(of, m)
			}
		}
		if len(of) == 0 {
			continue
		}
		text, rest := p.copies(name, of)
		left = append(left, rest...)
		files[filepath.Join(p.Dir, name)] = text
	}
	last := 0
	for _, m := range mutants {
		last = max(last, m.id)
	}
	if len(files) > 0 {
		files[filepath.Join(p.Dir, "mutant__.go")] = fmt.Appendf(nil, chosen, p.files[p.GoFiles[0]].Name.Name, last+1)
	}
	return files, left
}

// copies returns a file's text with a copy of the function of every mutant.
// The lines of the text keep their numbers.
func (p *pkg) copies(name string, mutants []*mutant) (text []byte, left []*mutant) {
	source, at := p.sources[name], p.set.File(p.files[name].Pos())
	var out, added bytes.Buffer
	written := 0
	for _, decl := range p.files[name].Decls {
		first, last := at.Offset(decl.Pos()), at.Offset(decl.End())
		var inside []*mutant
		for _, m := range mutants {
			if m.start >= first && m.end <= last {
				inside = append(inside, m)
			}
		}
		if len(inside) == 0 {
			continue
		}
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			left = append(left, inside...)
			continue
		}
		call, ok := callOf(function)
		if !ok {
			left = append(left, inside...)
			continue
		}
		body, named := at.Offset(function.Body.Lbrace)+1, at.Offset(function.Name.End())
		out.Write(source[written:body])
		written = body
		ids := ""
		for _, m := range inside {
			ids += fmt.Sprintf("%d ", m.id)
		}
		fmt.Fprintf(&out, " switch mutant__ { case 0: reach__(%d, %q);", inside[0].id, ids)
		for _, m := range inside {
			suffix := fmt.Sprintf("__%d", m.id)
			fmt.Fprintf(&out, " case %d: %s;", m.id, fmt.Sprintf(call, suffix))
			fmt.Fprintf(&added, "\n%s%s%s%s%s\n", source[first:named], suffix, source[named:m.start], m.text, source[m.end:last])
		}
		out.WriteString(" };")
	}
	out.Write(source[written:])
	out.Write(added.Bytes())
	return out.Bytes(), left
}

// callOf returns the statement that calls a copy of a function with its own
// parameters, %s being what is added to the name. ok is false when a parameter
// has no name to pass it by.
func callOf(f *ast.FuncDecl) (call string, ok bool) {
	var names []string
	named := func(fields *ast.FieldList) []string {
		var out []string
		if fields == nil {
			return nil
		}
		for _, field := range fields.List {
			if len(field.Names) == 0 {
				out = append(out, "_")
			}
			for _, name := range field.Names {
				text := name.Name
				if _, variadic := field.Type.(*ast.Ellipsis); variadic {
					text += "..."
				}
				out = append(out, text)
			}
		}
		return out
	}
	names = named(f.Type.Params)
	receiver := named(f.Recv)
	if slices.Contains(names, "_") || slices.Contains(receiver, "_") {
		return "", false
	}
	call = f.Name.Name + "%s"
	if len(receiver) == 1 {
		call = receiver[0] + "." + call
	}
	if types := named(f.Type.TypeParams); len(types) > 0 {
		call += "[" + strings.Join(types, ", ") + "]"
	}
	call += "(" + strings.Join(names, ", ") + ")"
	if f.Type.Results != nil {
		return "return " + call, true
	}
	return call + "; return", true
}
