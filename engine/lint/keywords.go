package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"caliper/model"
)

func set(words ...string) map[string]bool {
	s := make(map[string]bool, len(words))
	for _, w := range words {
		s[w] = true
	}
	return s
}

// judge says what becomes of a keyword of a schema. With keep it stays, with
// another value if instead is not nil; then what is in the value is not
// looked at.
type judge func(keyword string, value []byte) (instead []byte, keep bool)

// rewriteSchema shows every keyword of a schema, down to model.MaxSchemaDepth, to
// a judge and returns the schema as judged. What stays keeps its bytes, white space and
// order. What is not JSON is returned as it is.
func rewriteSchema(raw []byte, j judge) []byte {
	w := schemaWalk{data: raw, judge: j}
	return w.rewrite()
}

// rewrite walks over the whole and returns it as judged.
func (w *schemaWalk) rewrite() []byte {
	raw := w.data
	if !json.Valid(raw) {
		return raw
	}
	w.schema()
	return w.spliced()
}

// spliced returns the data with all splices made.
func (w *schemaWalk) spliced() []byte {
	raw := w.data
	slices.SortFunc(w.splices, func(a, b splice) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, s := range w.splices {
		out = append(append(out, raw[done:s.from]...), s.text...)
		done = s.to
	}
	return append(out, raw[done:]...)
}

// splice is text that takes the place of a part of another.
type splice struct {
	from, to int
	text     []byte
}

// schemaWalk walks valid JSON.
type schemaWalk struct {
	data    []byte
	at      int
	judge   judge
	unfit   func(value []byte) []byte // what to write for a named schema that is none; nil: it stays
	bare    func(end int)             // told of a schema of an array that says nothing of its items, and where its brace closes
	depth   int                       // schemas around
	splices []splice
}

// span is the part of the data that a member of an object takes.
type span struct {
	from, to int
	dropped  bool
}

// schema walks over a value that is a schema if it is an object.
func (w *schemaWalk) schema() {
	if w.peek() != '{' || w.depth == model.MaxSchemaDepth {
		w.skip()
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	var members []span
	isArray, hasItems := false, false
	w.members(func(from int, name string) {
		w.peek()
		value := w.at
		w.skip()
		switch name {
		case "type":
			isArray = namesType(w.data[value:w.at], "array")
		case "items":
			hasItems = true
		}
		instead, keep := w.judge(name, w.data[value:w.at])
		held, named := model.SchemaKeyword(name)
		members = append(members, span{from, w.at, !keep})
		switch {
		case !keep:
		case instead != nil:
			w.splices = append(w.splices, splice{value, w.at, instead})
		case held:
			w.at = value
			w.schemas()
		case named:
			w.at = value
			w.named()
		}
	})
	if w.bare != nil && isArray && !hasItems {
		w.bare(w.at - 1)
	}
	w.drop(members)
}

// namesType reports whether the value of a type is a name, or a list with it.
func namesType(value []byte, name string) bool {
	var list []string
	if json.Unmarshal(value, &list) != nil {
		return unquote(value) == name
	}
	return slices.Contains(list, name)
}

// withItems returns a schema in which every array says of its items that they may
// be anything, and how many said nothing.
func withItems(raw []byte) (clean []byte, bare int) {
	w := schemaWalk{data: raw, judge: func(string, []byte) ([]byte, bool) { return nil, true }}
	w.bare = func(end int) {
		bare++
		w.splices = append(w.splices, splice{end, end, []byte(`,"items":{}`)})
	}
	return w.rewrite(), bare
}

// drop takes members out, each with the comma that it needs no more.
func (w *schemaWalk) drop(members []span) {
	if len(members) == 0 {
		return
	}
	last := len(members) - 1 // that stays
	for last >= 0 && members[last].dropped {
		last--
	}
	for i, m := range members[:last+1] {
		if m.dropped {
			w.splices = append(w.splices, splice{from: m.from, to: members[i+1].from})
		}
	}
	if last == len(members)-1 {
		return
	}
	from := members[0].from
	if last >= 0 {
		from = members[last].to
	}
	w.splices = append(w.splices, splice{from: from, to: members[len(members)-1].to})
}

// schemas walks over a schema or a list of them.
func (w *schemaWalk) schemas() {
	if w.peek() != '[' {
		w.schema()
		return
	}
	w.at++
	for w.peek() != ']' {
		w.schema()
	}
	w.at++
}

// named walks over an object of schemas.
func (w *schemaWalk) named() {
	if w.peek() != '{' {
		w.skip()
		return
	}
	w.members(func(int, string) {
		if c := w.peek(); w.unfit == nil || c == '{' || c == '[' || c == 't' || c == 'f' {
			w.schema()
			return
		}
		value := w.at
		w.skip()
		w.splices = append(w.splices, splice{value, w.at, w.unfit(w.data[value:w.at])})
	})
}

// members walks over an object and calls f behind each name; f walks over the
// value.
func (w *schemaWalk) members(f func(from int, name string)) {
	w.at++
	for w.peek() != '}' {
		from := w.at
		w.skip()
		var name string
		_ = json.Unmarshal(w.data[from:w.at], &name) // a valid string
		f(from, name)
	}
	w.at++
}

// peek walks over white space and separators and returns the next byte.
func (w *schemaWalk) peek() byte {
	for bytes.IndexByte([]byte(" \t\r\n,:"), w.data[w.at]) >= 0 {
		w.at++
	}
	return w.data[w.at]
}

// skip walks over a value.
func (w *schemaWalk) skip() {
	for depth := 0; ; {
		switch w.peek() {
		case '"':
			for w.at++; w.data[w.at] != '"'; w.at++ {
				if w.data[w.at] == '\\' {
					w.at++
				}
			}
			w.at++
		case '{', '[':
			depth++
			w.at++
		case '}', ']':
			depth--
			w.at++
		default:
			for w.at < len(w.data) && bytes.IndexByte([]byte(",:}] \t\r\n"), w.data[w.at]) < 0 {
				w.at++
			}
		}
		if depth == 0 {
			return
		}
	}
}

// isNoise reports whether a keyword tells a model nothing about what to send:
// the dialect, comments, titles beside the names of properties, vendors' own
// keywords, and a plain additionalProperties.
func isNoise(keyword string, value []byte) bool {
	switch keyword {
	case "$schema", "$comment":
		return true
	case "title":
		return value[0] == '"'
	case "additionalProperties":
		return value[0] != '{' || len(bytes.Join(bytes.Fields(value), nil)) == len("{}")
	}
	return len(keyword) > 2 && (keyword[:2] == "x-" || keyword[:2] == "X-")
}

// withoutNoise returns a schema without noise, and the keywords that are
// noise, sorted.
func withoutNoise(raw []byte) (clean []byte, keywords []string) {
	seen := map[string]bool{}
	clean = rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		noise := isNoise(keyword, value)
		if noise && !seen[keyword] {
			seen[keyword] = true
			keywords = append(keywords, keyword)
		}
		return nil, !noise
	})
	slices.Sort(keywords)
	return clean, keywords
}

// descriptionsIn returns the texts of every description in a schema.
func descriptionsIn(raw []byte) []string {
	var out []string
	rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		var text string
		if keyword == "description" && json.Unmarshal(value, &text) == nil && text != "" {
			out = append(out, text)
		}
		return nil, true
	})
	return out
}

// rewriteDescriptions returns a schema with every description told in another
// way, without those that are left empty, and whether any changed.
func rewriteDescriptions(raw []byte, f func(string) string) (clean []byte, changed bool) {
	clean = rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		var text string
		if keyword != "description" || json.Unmarshal(value, &text) != nil {
			return nil, true
		}
		told := f(text)
		if told == text {
			return nil, true
		}
		changed = true
		if told == "" {
			return nil, false
		}
		instead, _ := json.Marshal(told) // text always encodes
		return instead, true
	})
	return clean, changed
}
