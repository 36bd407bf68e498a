package dialogue

import (
	"bytes"
	"context"

	"caliper/model/jsontree"
)

// EachValue calls value with every JSON object of a text that holds one value,
// an array of objects, or one object a line, and the line on which it begins;
// bad with every line that is no object. It returns an error when ctx ends.
func EachValue(ctx context.Context, data []byte, value func(n *jsontree.Node, line int), bad func(line int)) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	if _, err := parse(first); err != nil {
		if n, err := parse(data); err == nil {
			each(n, 1, value, bad)
			return ctx.Err()
		}
	}
	for line := 1; len(data) > 0; line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var one []byte
		one, data, _ = bytes.Cut(data, []byte("\n"))
		if one = bytes.TrimSpace(one); len(one) == 0 {
			continue
		}
		n, err := parse(one)
		if err != nil {
			bad(line)
			continue
		}
		each(n, line, value, bad)
	}
	return ctx.Err()
}

func parse(data []byte) (*jsontree.Node, error) {
	n, err := jsontree.Parse(jsontree.Mend(data), jsontree.Strict)
	if err != nil {
		return nil, err
	}
	return n, nil
}

func each(n *jsontree.Node, line int, value func(*jsontree.Node, int), bad func(int)) {
	switch {
	case n.Is(jsontree.Object):
		value(n, line)
	case n.Is(jsontree.Array):
		for _, e := range n.Elements() {
			if e.Is(jsontree.Object) {
				value(e.Node, line)
			} else {
				bad(line)
			}
		}
	default:
		bad(line)
	}
}
