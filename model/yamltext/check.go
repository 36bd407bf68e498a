package yamltext

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// consequence ends the message about a value that the reference's loader refuses.
const consequence = "; a YAML 1.1 loader refuses the file"

// checker looks for values at which the reference's loader refuses the file, and for aliases that
// expand without bound. It expands none.
type checker struct {
	doc     *Document
	sizes   map[*yaml.Node]int // of the anchored nodes that are complete
	anchors map[string]bool
}

// check returns the number of nodes to which n expands. An alias to a node that contains it counts
// as one. The error is a model.Diagnostic.
func (c *checker) check(n *yaml.Node) (size int, err error) {
	if n.Kind == yaml.AliasNode {
		return max(1, c.sizes[n.Alias]), nil
	}
	problem := "" // why the reference's loader cannot construct n
	switch tag, tagged := n.ShortTag(), n.Style&yaml.TaggedStyle != 0; n.Kind {
	case yaml.MappingNode:
		if tagged && tag != "!!map" && tag != "!!set" {
			problem = "the tag " + Printable(tag) + " is unknown or does not fit a mapping"
		}
	case yaml.SequenceNode:
		if tagged && tag != "!!seq" && tag != "!!omap" && tag != "!!pairs" {
			problem = "the tag " + Printable(tag) + " is unknown or does not fit a list"
		}
	case yaml.ScalarNode:
		v, fault := resolveScalar(n)
		if v.Kind == Special {
			problem = n.Value + " is not a value"
		} else if fault != "" {
			problem = v.Source() + ": " + fault
		}
	}
	if problem != "" {
		return 0, c.doc.Fault(c.doc.At(n), "unloadable", problem+consequence)
	}
	if at := c.tab(n); at >= 0 {
		return 0, c.doc.Fault(at, "unloadable", "a tab character between values"+consequence)
	}
	if n.Anchor != "" {
		if c.anchors[n.Anchor] {
			return 0, c.doc.Fault(c.doc.At(n), "unloadable", "the anchor &"+n.Anchor+" is used before"+consequence)
		}
		c.anchors[n.Anchor] = true
	}
	size = 1
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if err := c.key(child, n.Content[i+1]); err != nil {
				return 0, err
			}
			if k := Follow(child); k.Style == 0 && plainWords[k.Value].Kind == Special {
				size++
				continue
			}
		}
		s, err := c.check(child)
		if err != nil {
			return 0, err
		}
		size += s
		if size > maxNodes {
			return 0, c.doc.Fault(c.doc.At(n), "alias_expansion", "aliases expand this to more than "+strconv.Itoa(maxNodes)+" values")
		}
	}
	if n.Anchor != "" {
		c.sizes[n] = size
	}
	return size, nil
}

// key returns an error for a key that is no scalar, and a merge key that merges no mapping.
func (c *checker) key(key, val *yaml.Node) error {
	if Follow(key).Kind != yaml.ScalarNode {
		return c.doc.Fault(c.doc.At(key), "unloadable", "a key that is a list or a mapping"+consequence)
	}
	if !IsMerge(key) {
		return nil
	}
	target := Follow(val)
	ok := target.Kind == yaml.MappingNode
	if target.Kind == yaml.SequenceNode {
		ok = true
		for _, item := range target.Content {
			ok = ok && Follow(item).Kind == yaml.MappingNode
		}
	}
	if !ok {
		return c.doc.Fault(c.doc.At(val), "unloadable", "<< needs a mapping or a list of mappings"+consequence)
	}
	return nil
}

// tab returns the offset of a tab in or next to n that separates tokens, or -1: a space to the
// library, an error to the reference's loader. Tabs behind a quote or a bracket are not found.
func (c *checker) tab(n *yaml.Node) int {
	data, at := c.doc.lines.data, c.doc.At(n)
	if at > 0 && at < len(data) && data[at-1] == '\t' {
		return at - 1
	}
	if n.Kind != yaml.ScalarNode || n.Style != 0 || n.Value == "" {
		return -1
	}
	if i := strings.IndexByte(n.Value, '\t'); i >= 0 {
		return at + i
	}
	rest, ok := bytes.CutPrefix(data[at:], []byte(n.Value))
	if after := bytes.TrimLeft(rest, " :"); ok && len(after) > 0 && after[0] == '\t' {
		return len(data) - len(after)
	}
	return -1
}

// IsMerge reports whether a key merges other mappings into the one that it is in.
func IsMerge(key *yaml.Node) bool {
	key = Follow(key)
	return key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge"
}
