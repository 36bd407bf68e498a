package clientfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"caliper/model/jsontree"
)

// Line returns the line, from 1, of the value at a path of keys in JSON or TOML; 0 for none.
func Line(name string, data []byte, path []string) int {
	from, _, ok := locate(name, data, path)
	if !ok {
		return 0
	}
	line, _ := jsontree.Position(data, from)
	return line
}

// errNoPlace is why a value is not written.
var errNoPlace = errors.New("no value can be written there")

// Set returns a file of JSON or TOML in which the value at a path of keys is a boolean, a text or
// a list of texts. What is missing is added behind an object's last member, indented as that is,
// or a table's head. All other bytes stay. It fails where the file would read differently
// otherwise.
func Set(name string, data []byte, path []string, value any) ([]byte, error) {
	text, err := json.Marshal(value) // which TOML reads too
	if err != nil {
		return nil, err
	}
	before, err := parse(Syntax(name, data), data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	s := jsontree.Splice{Text: text}
	if from, to, ok := locate(name, data, path); ok {
		s.From, s.To = from, to
	} else if s, err = added(name, data, path, text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := jsontree.Spliced(data, []jsontree.Splice{s})
	after, err := parse(Syntax(name, data), out)
	v := after.Member(path...)
	var read any = v.Text
	switch v.Kind {
	case Bool:
		read = v.Text == "true"
	case List:
		read = append([]string{}, v.Strings()...)
	}
	if again, _ := json.Marshal(read); err != nil || !sameBut(before, after, path) || !bytes.Equal(text, again) {
		return nil, fmt.Errorf("%s: %w", name, errNoPlace)
	}
	return out, nil
}

// sameBut reports whether two values are equal, but for the value at a path.
func sameBut(a, b Value, path []string) bool {
	if len(path) == 0 {
		return true
	}
	strip := func(v Value) string {
		v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m Member) bool { return m.Name == path[0] })
		return fmt.Sprint(v)
	}
	x, y := a.Member(path[0]), b.Member(path[0])
	return (strip(a) == strip(b) || a.Kind == 0) && (x.Kind == 0 || sameBut(x, y, path[1:]))
}

// locate returns where the value at a path stands.
func locate(name string, data []byte, path []string) (from, to int, ok bool) {
	if Syntax(name, data) == "toml" {
		eachTOML(data, func(keys []string, e *unstable.Node, p *unstable.Parser) {
			if value := valueOf(e, p); slices.Equal(keys, path) && value.Length > 0 {
				from, to, ok = int(value.Offset), int(value.Offset+value.Length), true
			}
		})
		return from, to, ok
	}
	n, rest := walk(data, path)
	if n == nil || len(rest) > 0 {
		return 0, 0, false
	}
	return n.At, n.At + len(n.Raw), true
}

// walk follows a path in JSON as far as it leads.
func walk(data []byte, path []string) (n *jsontree.Node, rest []string) {
	n, err := jsontree.ParseNoting(data, jsontree.Comments, maxDepth, nil)
	if err != nil {
		return nil, path
	}
	for len(path) > 0 && n.Kind == jsontree.Object {
		i := slices.IndexFunc(n.Children, func(c jsontree.Child) bool { return c.Name == path[0] })
		if i < 0 {
			break
		}
		n, path = n.Children[i].Node, path[1:]
	}
	return n, path
}

// added returns the change that adds a value.
func added(name string, data []byte, path []string, text []byte) (s jsontree.Splice, err error) {
	last := len(path) - 1
	if Syntax(name, data) == "toml" {
		line := path[last] + " = " + string(text) + "\n"
		at := -1
		eachTOML(data, func(keys []string, e *unstable.Node, p *unstable.Parser) {
			k := e.Key()
			if !slices.Equal(keys, path[:last]) || valueOf(e, p).Length > 0 || !k.Next() {
				return
			}
			key := int(k.Node().Raw.Offset)
			if end := bytes.IndexByte(data[key:], '\n'); end >= 0 {
				at = key + end + 1
			}
		})
		if at < 0 {
			if line = "\n[" + strings.Join(path[:last], ".") + "]\n" + line; last == 0 {
				return s, errNoPlace
			}
			if at = len(data); !bytes.HasSuffix(data, []byte("\n")) {
				line = "\n" + line
			}
		}
		return jsontree.Splice{From: at, To: at, Text: []byte(line)}, nil
	}
	n, rest := walk(data, path)
	if n == nil || n.Kind != jsontree.Object || len(rest) == 0 {
		return s, errNoPlace
	}
	for _, name := range slices.Backward(rest[1:]) {
		text = fmt.Appendf(nil, "{%s: %s}", jsontree.AppendQuoted(nil, name), text)
	}
	text = fmt.Appendf(nil, "%s: %s", jsontree.AppendQuoted(nil, rest[0]), text)
	if len(n.Children) == 0 {
		return jsontree.Splice{From: n.At + 1, To: n.At + 1, Text: text}, nil
	}
	end := n.Children[len(n.Children)-1].Node
	at, between := end.At+len(end.Raw), ", "
	begin := bytes.LastIndexByte(data[:end.At], '\n') + 1
	if begin > n.At { // it has a line of its own
		indent := len(data[begin:]) - len(bytes.TrimLeft(data[begin:], " \t"))
		between = ",\n" + string(data[begin:begin+indent])
	}
	return jsontree.Splice{From: at, To: at, Text: append([]byte(between), text...)}, nil
}

// valueOf returns where an expression's value stands, a list up to the expression's end; empty for
// a table, and where the library does not tell.
func valueOf(e *unstable.Node, p *unstable.Parser) unstable.Range {
	if e.Kind != unstable.KeyValue {
		return unstable.Range{}
	}
	v := e.Value()
	if v.Kind == unstable.Array {
		key := e.Raw.Offset
		for k := e.Key(); k.Next(); {
			key = k.Node().Raw.Offset + k.Node().Raw.Length
		}
		end := e.Raw.Offset + e.Raw.Length
		rest := p.Raw(unstable.Range{Offset: key, Length: end - key})
		if at := bytes.IndexByte(rest, '['); at >= 0 {
			list := bytes.TrimRight(rest[at:], " \t\r\n")
			return unstable.Range{Offset: key + uint32(at), Length: uint32(len(list))}
		}
	}
	return v.Raw
}
