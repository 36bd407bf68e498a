package transcript

import "caliper/model/jsontree"

const (
	mostNames = 4096 // texts that are kept
	longName  = 128  // bytes of the longest
)

// Names keeps one copy of texts that many lines of many logs have, such as the names of
// models and tools. The zero value is ready; it is for one goroutine.
//
// SECURITY: what a log has of other texts is copied as it comes, so that no log fills it.
type Names struct{ of map[string]string }

// Of returns the text of a string, and "" for any other value.
func (n *Names) Of(v jsontree.Value) string {
	shared := v.Shared()
	if name, ok := n.of[shared]; ok {
		return name
	}
	if n.of == nil {
		n.of = map[string]string{}
	}
	text := v.Text()
	if len(text) <= longName && len(n.of) < mostNames {
		n.of[text] = text
	}
	return text
}
