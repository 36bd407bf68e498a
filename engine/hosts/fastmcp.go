package hosts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/model/jsontree"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fastMCP is BM25SearchTransform of a server of FastMCP: BM25 over name, description, and the
// names and descriptions of the top-level parameters, whose references are followed.
var fastMCP = &Host{
	Name: "fastmcp", Title: "FastMCP", Package: "PyPI fastmcp", Version: "4.2.3", Month: "2026-11", Limit: 5,
	On: "if BM25SearchTransform is added",
	rules: rules{
		words: fastMCPWords, repeats: true,
		bm25: &bm25{k1: 1.5, b: .75, early: true, of: func(e *entry) string {
			return strings.Join(append([]string{e.wire, e.description}, parameterTexts(e, true)...), " ")
		}},
		order: []key{byScore},
	},
}

// fastMCPWords returns runs of at least two letters and digits, folded.
func fastMCPWords(text string) (out []string) {
	for _, w := range strings.FieldsFunc(cases.Fold().String(norm.NFKC.String(text)), func(c rune) bool { return !isAlphanumeric(c) }) {
		if utf8.RuneCountInString(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// refersToItself reports whether a schema refers to one that it is inside of. FastMCP writes
// definitions in the place of references unless one does. Seen are the schemas that were
// entered: true for those that are not left yet.
func refersToItself(root, n *jsontree.Node, seen map[*jsontree.Node]bool) bool {
	inside, known := seen[n]
	if known || n == nil {
		return inside
	}
	seen[n] = true
	defer func() { seen[n] = false }()
	if ref := n.Member("$ref"); ref.Is(jsontree.String) && refersToItself(root, resolve(root, ref.Text), seen) {
		return true
	}
	for _, m := range n.Members() {
		if refersToItself(root, m.Node, seen) {
			return true
		}
	}
	return slices.ContainsFunc(n.Elements(), func(e jsontree.Child) bool { return refersToItself(root, e.Node, seen) })
}
