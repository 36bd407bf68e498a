package clientfile

import (
	"errors"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// Kind is the kind of a value of a configuration file; 0 is no value.
type Kind byte

// The kinds.
const (
	Null Kind = iota + 1
	Bool
	Text // also numbers, as written
	List
	Object
)

// maxDepth bounds the nesting of a configuration file.
const maxDepth = 200

// maxRepeated is how many repeated names are listed.
const maxRepeated = 20

// Value is a value of a configuration file, whatever its syntax.
type Value struct {
	Kind    Kind
	Text    string // of a Bool "true" or "false"
	Number  bool   // it is a Text that stands for a number, or in TOML for a time, not for a string
	Items   []Value
	Members []Member // order of the file, each name once

	Repeated []string // names that stand several times
}

// Member is one member of an object.
type Member struct {
	Name string
	Value
}

// Member returns the value at a path of keys, and no value if there is none.
//
//go:noinline // or each caller has a copy
func (v Value) Member(path ...string) Value {
	for _, name := range path {
		i := slices.IndexFunc(v.Members, func(m Member) bool { return m.Name == name })
		if i < 0 {
			return Value{}
		}
		v = v.Members[i].Value
	}
	return v
}

// Strings returns the texts of a list.
func (v Value) Strings() []string {
	var out []string
	for _, item := range v.Items {
		if item.Kind == Text || item.Kind == Bool {
			out = append(out, item.Text)
		}
	}
	return out
}

// Says reports whether a value is one of the words, whose case does not count.
func (v Value) Says(words ...string) bool {
	return (v.Kind == Bool || v.Kind == Text) && slices.Contains(words, strings.ToLower(v.Text))
}

// gatherer collects members: the last value of a name holds, at the place of the first.
type gatherer struct {
	members []Member
	at      map[string]int
}

// set adds or replaces a member.
func (g *gatherer) set(name string, v Value) {
	if i, ok := g.at[name]; ok {
		g.members[i].Value = v
		return
	}
	if g.at == nil {
		g.at = map[string]int{}
	}
	g.at[name] = len(g.members)
	g.members = append(g.members, Member{name, v})
}

// errDeep is the error of every syntax for too deep a nesting.
var errDeep = errors.New("nested too deep")

// parseTree reads JSON with comments.
func parseTree(data []byte) (Value, *jsontree.SyntaxError) {
	repeated := map[*jsontree.Node][]string{}
	root, err := jsontree.ParseNoting(data, jsontree.Comments, maxDepth, func(object *jsontree.Node, name string) {
		if names := repeated[object]; len(names) < maxRepeated && !slices.Contains(names, name) {
			repeated[object] = append(names, name)
		}
	})
	if err != nil {
		return Value{}, err
	}
	return fromJSON(root, repeated), nil
}

// fromJSON returns a value of JSON as one of a configuration file.
func fromJSON(n *jsontree.Node, repeated map[*jsontree.Node][]string) Value {
	switch n.Kind {
	case jsontree.Null:
		return Value{Kind: Null}
	case jsontree.Boolean:
		return Value{Kind: Bool, Text: n.Text}
	case jsontree.Array:
		v := Value{Kind: List}
		for _, c := range n.Children {
			v.Items = append(v.Items, fromJSON(c.Node, repeated))
		}
		return v
	case jsontree.Object:
		v := Value{Kind: Object, Repeated: repeated[n]}
		for _, c := range n.Children {
			v.Members = append(v.Members, Member{c.Name, fromJSON(c.Node, repeated)})
		}
		return v
	}
	return Value{Kind: Text, Text: n.Text, Number: n.Kind == jsontree.Number}
}
