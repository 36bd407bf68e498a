package live

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

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
