package clientfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads TOML. The members of the first two levels, where servers stand, keep their
// order; deeper names are sorted. Errors begin with "line:col: ".
func parseTOML(data []byte) (Value, error) {
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		line, col := 1, 1
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, col = at.Position()
		}
		return Value{}, fmt.Errorf("%d:%d: not valid TOML", line, col)
	}
	// The order in which names first appear, by the path of their table: "" or one name behind a dot.
	order := map[string][]string{}
	note := func(keys []string) {
		if !slices.Contains(order[""], keys[0]) {
			order[""] = append(order[""], keys[0])
		}
		if len(keys) > 1 && !slices.Contains(order["."+keys[0]], keys[1]) {
			order["."+keys[0]] = append(order["."+keys[0]], keys[1])
		}
	}
	eachTOML(data, func(keys []string, e *unstable.Node, _ *unstable.Parser) {
		note(keys)
		if e.Kind == unstable.KeyValue && len(keys) == 1 && e.Value().Kind == unstable.InlineTable {
			for c := e.Value().Children(); c.Next(); {
				note(slices.Concat(keys, keysOf(c.Node())))
			}
		}
	})
	return readTOML(tree, nil, order)
}

// eachTOML calls visit with each table and key of a file, and the keys that lead there.
func eachTOML(data []byte, visit func(keys []string, e *unstable.Node, p *unstable.Parser)) {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		keys := keysOf(e)
		if e.Kind == unstable.KeyValue {
			keys = slices.Concat(table, keys)
		} else {
			table = keys
		}
		visit(keys, e, &p)
	}
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
func readTOML(v any, path []string, order map[string][]string) (Value, error) {
	if len(path) > maxDepth {
		return Value{}, fmt.Errorf("1:1: %w", errDeep)
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
		out := Value{Kind: Object}
		for _, n := range names {
			m, err := readTOML(v[n], slices.Concat(path, []string{n}), order)
			if err != nil {
				return Value{}, err
			}
			out.Members = append(out.Members, Member{n, m})
		}
		return out, nil
	case []any:
		out := Value{Kind: List}
		for _, item := range v {
			m, err := readTOML(item, slices.Concat(path, []string{"", ""}), order)
			if err != nil {
				return Value{}, err
			}
			out.Items = append(out.Items, m)
		}
		return out, nil
	case bool:
		return Value{Kind: Bool, Text: fmt.Sprint(v)}, nil
	case string:
		return Value{Kind: Text, Text: v}, nil
	}
	return Value{Kind: Text, Text: fmt.Sprint(v), Number: true}, nil
}
