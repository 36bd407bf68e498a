package live

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"

	"caliper/model/jsontree"
	"caliper/model/lazy"
)

// kind is what a value of a configuration file is; 0 is no value.
type kind byte

const (
	nullKind kind = iota + 1
	boolKind
	textKind // also numbers, as written
	listKind
	objectKind
)

// maxDepth bounds the nesting of a configuration file.
const maxDepth = 200

// maxRepeated is how many repeated names are listed.
const maxRepeated = 20

// value is a value of a configuration file, whatever its format.
type value struct {
	kind    kind
	text    string // of a bool "true" or "false"
	items   []value
	members []member // order of the file, each name once

	repeated []string // names that stand several times
}

// member is one member of an object.
type member struct {
	name string
	value
}

// member returns the value of a key, and no value if there is none.
func (v value) member(name string) value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return value{}
}

// strings returns the texts of a list.
func (v value) strings() []string {
	var out []string
	for _, item := range v.items {
		if item.kind == textKind || item.kind == boolKind {
			out = append(out, item.text)
		}
	}
	return out
}

// gatherer puts the members of an object together: the last value of a name
// holds, at the place of the first.
type gatherer struct {
	members  []member
	at       map[string]int
	repeated []string
}

// set adds or replaces a member.
func (g *gatherer) set(name string, v value) {
	if i, ok := g.at[name]; ok {
		g.members[i].value = v
		if len(g.repeated) < maxRepeated && !slices.Contains(g.repeated, name) {
			g.repeated = append(g.repeated, name)
		}
		return
	}
	if g.at == nil {
		g.at = map[string]int{}
	}
	g.at[name] = len(g.members)
	g.members = append(g.members, member{name, v})
}

// says reports whether a value is one of the words, whose case does not count.
func (v value) says(words ...string) bool {
	return (v.kind == boolKind || v.kind == textKind) && slices.Contains(words, strings.ToLower(v.text))
}

// parseJSONC reads JSON in which comments and trailing commas are legal.
// Errors begin with "line:col: ".
func parseJSONC(data []byte) (value, error) {
	repeated := map[*jsontree.Node][]string{}
	root, err := jsontree.ParseNoting(data, jsontree.Comments, maxDepth, func(object *jsontree.Node, name string) {
		if names := repeated[object]; len(names) < maxRepeated && !slices.Contains(names, name) {
			repeated[object] = append(names, name)
		}
	})
	if err == nil {
		return fromJSON(root, repeated), nil
	}
	what, at := "not valid JSON", err.At
	switch {
	case err.Problem == jsontree.TooDeep:
		what = errDeep.Error()
	case err.Problem == jsontree.MoreText:
		at = err.From
	case err.Ended:
		what = "unexpected end of input"
	}
	line, col := jsontree.Position(data, int(at))
	return value{}, fmt.Errorf("%d:%d: %s", line, col, what)
}

// errDeep is the error of every format for too deep a nesting.
var errDeep = errors.New("nested too deep")

// fromJSON returns a value of JSON as one of a configuration file.
func fromJSON(n *jsontree.Node, repeated map[*jsontree.Node][]string) value {
	switch n.Kind {
	case jsontree.Null:
		return value{kind: nullKind}
	case jsontree.Boolean:
		return value{kind: boolKind, text: n.Text}
	case jsontree.Array:
		v := value{kind: listKind}
		for _, c := range n.Children {
			v.items = append(v.items, fromJSON(c.Node, repeated))
		}
		return v
	case jsontree.Object:
		v := value{kind: objectKind, repeated: repeated[n]}
		for _, c := range n.Children {
			v.members = append(v.members, member{c.Name, fromJSON(c.Node, repeated)})
		}
		return v
	}
	return value{kind: textKind, text: n.Text}
}

// yamlLine finds the position in an error of the YAML reader. The rest of the
// text can quote the file, so nothing else of it is used.
var yamlLine = lazy.Regexp(`\bline (\d+)`)

// maxAliased bounds the values that aliases make of a file.
const maxAliased = 1 << 17

// parseYAML reads YAML. Errors begin with "line:col: " where the reader knows.
func parseYAML(data []byte) (value, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		line := "1"
		if m := yamlLine().FindStringSubmatch(err.Error()); m != nil {
			line = m[1]
		}
		return value{}, fmt.Errorf("%s:1: not valid YAML", line)
	}
	if len(doc.Content) == 0 {
		return value{}, fmt.Errorf("1:1: the file is empty")
	}
	left := maxAliased
	return readYAML(doc.Content[0], 0, &left)
}

// readYAML reads a node. Merge keys are followed: they are how some people
// share an environment among servers.
func readYAML(n *yaml.Node, depth int, left *int) (value, error) {
	if *left--; depth > maxDepth || *left < 0 {
		return value{}, fmt.Errorf("%d:%d: %w", n.Line, n.Column, errDeep)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return readYAML(n.Alias, depth+1, left)
	case yaml.SequenceNode:
		v := value{kind: listKind}
		for _, c := range n.Content {
			item, err := readYAML(c, depth+1, left)
			if err != nil {
				return value{}, err
			}
			v.items = append(v.items, item)
		}
		return v, nil
	case yaml.MappingNode:
		var own, merged gatherer
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := readYAML(n.Content[i+1], depth+1, left)
			if err != nil {
				return value{}, err
			}
			if key := n.Content[i]; key.Tag != "!!merge" {
				own.set(key.Value, v)
				continue
			}
			for _, from := range append([]value{v}, v.items...) {
				for _, m := range from.members {
					merged.set(m.name, m.value)
				}
			}
		}
		for _, m := range merged.members {
			if _, ok := own.at[m.name]; !ok {
				own.set(m.name, m.value)
			}
		}
		return value{kind: objectKind, members: own.members, repeated: own.repeated}, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return value{kind: nullKind}, nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return value{kind: boolKind, text: fmt.Sprint(b)}, nil
		}
	}
	return value{kind: textKind, text: n.Value}, nil
}

// parseTOML reads TOML. The order of the file is kept for the members of its
// tables of the first two levels, which is where servers stand; deeper names
// are sorted. Errors begin with "line:col: ".
func parseTOML(data []byte) (value, error) {
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		line, col := 1, 1
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, col = at.Position()
		}
		return value{}, fmt.Errorf("%d:%d: not valid TOML", line, col)
	}
	order := orderTOML(data)
	return readTOML(tree, nil, order)
}

// orderTOML returns the order in which names first appear, by the path of
// their table, which is nil or one name.
func orderTOML(data []byte) map[string][]string {
	order := map[string][]string{}
	note := func(keys []string) {
		if len(keys) > 0 && !slices.Contains(order[""], keys[0]) {
			order[""] = append(order[""], keys[0])
		}
		if len(keys) > 1 && !slices.Contains(order["."+keys[0]], keys[1]) {
			order["."+keys[0]] = append(order["."+keys[0]], keys[1])
		}
	}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		keys := keysOf(e)
		if e.Kind != unstable.KeyValue {
			table = keys
			note(table)
			continue
		}
		keys = slices.Concat(table, keys)
		note(keys)
		if inline := e.Value(); len(keys) == 1 && inline.Kind == unstable.InlineTable {
			for c := inline.Children(); c.Next(); {
				note(slices.Concat(keys, keysOf(c.Node())))
			}
		}
	}
	return order
}

// keysOf returns the parts of an expression's key.
func keysOf(n *unstable.Node) []string {
	var keys []string
	for k := n.Key(); k.Next(); {
		keys = append(keys, string(k.Node().Data))
	}
	return keys
}

// readTOML returns a decoded value as one of ours.
func readTOML(v any, path []string, order map[string][]string) (value, error) {
	if len(path) > maxDepth {
		return value{}, fmt.Errorf("1:1: %w", errDeep)
	}
	switch v := v.(type) {
	case map[string]any:
		at := ""
		if len(path) == 1 {
			at = "." + path[0]
		}
		names := slices.Sorted(maps.Keys(v))
		if len(path) < 2 {
			names = slices.DeleteFunc(slices.Clone(order[at]), func(n string) bool { _, ok := v[n]; return !ok })
		}
		out := value{kind: objectKind}
		for _, n := range names {
			m, err := readTOML(v[n], slices.Concat(path, []string{n}), order)
			if err != nil {
				return value{}, err
			}
			out.members = append(out.members, member{n, m})
		}
		return out, nil
	case []any:
		out := value{kind: listKind}
		for _, item := range v {
			m, err := readTOML(item, slices.Concat(path, []string{"", ""}), order)
			if err != nil {
				return value{}, err
			}
			out.items = append(out.items, m)
		}
		return out, nil
	case bool:
		return value{kind: boolKind, text: fmt.Sprint(v)}, nil
	}
	return value{kind: textKind, text: fmt.Sprint(v)}, nil
}
