// Package yamltext reads YAML: it turns YAML 1.2 into JSON, so that what reads one reads the other,
// and has the tree of a document of YAML 1.1.
//
// JSON writes the values of a YAML text in their order as one line of JSON for each document, and
// leads every offset back to the value in the YAML: see jsontree.Text. The text
//
//	a: &x [1, yes]
//	b: *x
//
// becomes {"a":[1,"yes"],"b":[1,"yes"]}, in which offset 23 leads to the alias in line 2, or rather
// to the 1 that it stands for in line 1.
//
// Scalars are resolved by the core schema of YAML 1.2, as go.yaml.in/yaml/v3 does it: yes and on
// are texts. A number that JSON cannot write as it stands, such as 0x1F or 1_000, is written in
// decimal; .inf, .nan and times are texts, and so are all keys. Merge keys are followed. A name
// that an object has twice is written twice, for the reader of the JSON to judge.
//
// Invariants:
//
//   - The result is JSON, but for names that repeat.
//   - Aliases make no more than maxAliased values and maxGrowth bytes, and nothing is nested deeper
//     than maxDepth.
//   - The cost is that of reading the YAML, however long its lines are.
//   - No error repeats a text of the YAML, which may be a secret.
//
// # YAML 1.1
//
// Load reads one document by the rules of YAML 1.1, as the loader of the reference agent has them,
// whatever %YAML says: yes and off are booleans, 010 is eight, 1:30 is ninety and 1e1 is text. A
// document that the reference's loader refuses is refused, with line and column.
//
// The tree is the yaml.v3 library's; this package resolves its scalars anew, merges mappings anew,
// and computes positions, which the library counts in code points and, for errors, only in lines.
//
// Invariants:
//   - Load returns a document without aliases that expand beyond twice the greatest size of a file,
//     and whose every scalar has a value
//   - a line counts from 1 by line feeds, and a column from 1 in bytes, without a byte order mark
//   - Entries returns each Identity once
//
// The codes of the errors of Load: too_large, bad_character, malformed, several_documents,
// alias_expansion, and unloadable for a value that makes the reference refuse the whole file.
package yamltext

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"

	"caliper/model/jsontree"
	"caliper/model/words"
)

const (
	// maxDepth bounds the nesting, so that an alias to what it stands in ends.
	maxDepth = 200
	// maxAliased bounds the values that aliases and merge keys make of a text, and
	// maxGrowth the bytes of JSON, where there are any, beside four times the text.
	maxAliased = 1 << 17
	maxGrowth  = 16 << 20
)

// Codes of the faults that JSON returns.
const (
	Syntax = "yaml_syntax"
	Deep   = "yaml_depth" // nested too deep, or multiplied by aliases
	Empty  = "yaml_empty"
)

// faultLine finds the line in an error of the YAML reader, whose rest can quote the source.
var faultLine = words.LazyRegexp(`\bline (\d+)`)

// number matches a number that JSON would write the same.
var number = words.LazyRegexp(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// JSON returns YAML as JSON, a line for each document. The fault has its offset in t.
func JSON(t *jsontree.Text) (*jsontree.Text, *jsontree.Fault) {
	w := writer{data: t.Data, lines: newLineTable(t.Data), left: maxAliased}
	d := yaml.NewDecoder(bytes.NewReader(withoutDirectives(t.Data)))
	for {
		var document yaml.Node
		err := d.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			at := 0
			if m := faultLine().FindStringSubmatch(err.Error()); m != nil {
				line, _ := strconv.Atoi(m[1])
				at = w.lines.offset(line, 1)
			}
			return nil, &jsontree.Fault{At: at, Code: Syntax, Message: "not valid YAML"}
		}
		for _, n := range document.Content {
			if !w.value(n, 0, false) {
				return nil, &jsontree.Fault{At: w.deepAt, Code: Deep, Message: "nested too deep"}
			}
			w.out = append(w.out, '\n')
		}
	}
	if len(w.out) == 0 {
		return nil, &jsontree.Fault{Code: Empty, Message: "the file is empty"}
	}
	return t.Translated(w.out, w.marks), nil
}

// writer writes nodes as JSON.
type writer struct {
	data   []byte
	lines  lineTable
	out    []byte
	marks  []jsontree.Mark
	left   int // values that aliases may still make
	deepAt int // where it was too deep
}

// mark notes that the next text to be written stands for a node.
func (w *writer) mark(n *yaml.Node) {
	w.marks = append(w.marks, jsontree.Mark{Out: len(w.out), In: w.lines.offset(n.Line, n.Column)})
}

// value writes a node, which an alias may have led to; false for one too deep.
func (w *writer) value(n *yaml.Node, depth int, aliased bool) bool {
	if aliased {
		w.left--
	}
	if depth > maxDepth || w.left < 0 || aliased && len(w.out) > 4*len(w.data)+maxGrowth {
		w.deepAt = w.lines.offset(n.Line, n.Column)
		return false
	}
	w.mark(n)
	switch n.Kind {
	case yaml.AliasNode:
		return w.value(n.Alias, depth+1, true)
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, c := range n.Content {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			if !w.value(c, depth+1, aliased) {
				return false
			}
		}
		w.out = append(w.out, ']')
	case yaml.MappingNode:
		members, ok := w.members(n, depth, aliased)
		if !ok {
			return false
		}
		w.out = append(w.out, '{')
		for i, m := range members {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.mark(m.key)
			w.out = append(jsontree.AppendQuoted(w.out, m.key.Value), ':')
			if !w.value(m.value, depth+1, m.aliased) {
				return false
			}
		}
		w.out = append(w.out, '}')
	default:
		w.scalar(n)
	}
	return true
}

// member is a member of a mapping.
type member struct {
	key, value *yaml.Node
	aliased    bool
}

// members returns a mapping's members, those that it merges behind, the first of a name; false
// where too deep.
func (w *writer) members(n *yaml.Node, depth int, aliased bool) (all []member, ok bool) {
	names := map[string]bool{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key = Follow(key); key.ShortTag() == "!!merge" {
			sources := []*yaml.Node{Follow(value)}
			if sources[0].Kind == yaml.SequenceNode {
				sources = sources[0].Content
			}
			merged = append(merged, sources...)
			continue
		}
		names[key.Value] = true
		all = append(all, member{key, value, aliased})
	}
	for _, source := range merged {
		if source = Follow(source); source.Kind != yaml.MappingNode {
			continue
		}
		w.left -= len(source.Content)
		if depth++; depth > maxDepth || w.left < 0 {
			w.deepAt = w.lines.offset(source.Line, source.Column)
			return nil, false
		}
		more, ok := w.members(source, depth, true)
		if !ok {
			return nil, false
		}
		for _, m := range more {
			if !names[m.key.Value] {
				names[m.key.Value] = true
				all = append(all, member{m.key, m.value, true})
			}
		}
	}
	return all, true
}

func (w *writer) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		w.out = append(w.out, "null"...)
		return
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			w.out = strconv.AppendBool(w.out, b)
			return
		}
	case "!!int", "!!float":
		if number().MatchString(n.Value) {
			w.out = append(w.out, n.Value...)
			return
		}
		var i int64
		if n.ShortTag() == "!!int" && n.Decode(&i) == nil { // a float would be cut
			w.out = strconv.AppendInt(w.out, i, 10)
			return
		}
		var f float64
		if n.Decode(&f) == nil && f-f == 0 { // neither infinite nor not a number
			w.out = strconv.AppendFloat(w.out, f, 'g', -1, 64)
			return
		}
	}
	w.out = jsontree.AppendQuoted(w.out, n.Value)
}
