package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

func set(words ...string) map[string]bool {
	s := make(map[string]bool, len(words))
	for _, w := range words {
		s[w] = true
	}
	return s
}

// decide returns how a keyword of a schema is rewritten. If keep is false, the
// keyword is removed. If instead is not nil, it replaces the value, and the walk
// does not look into the value.
type decide func(keyword string, value []byte) (instead []byte, keep bool)

// rewriteSchema calls d for every keyword of a schema, down to model.MaxSchemaDepth,
// and returns the rewritten schema. Everything that is not rewritten keeps its bytes,
// white space and order. A schema that is not JSON is returned unchanged.
func rewriteSchema(raw []byte, d decide) []byte {
	w := schemaWalk{Skimmer: jsontree.Skimmer{Data: raw}, decide: d}
	return w.rewrite()
}

// rewrite walks over the whole schema and returns it as decided.
func (w *schemaWalk) rewrite() []byte {
	raw := w.Data
	if !json.Valid(raw) {
		return raw
	}
	w.schema()
	return jsontree.Spliced(raw, w.splices)
}

// schemaWalk walks valid JSON.
type schemaWalk struct {
	jsontree.Skimmer
	decide  decide
	unfit   func(value []byte) []byte // what to write for a named schema that is none; nil: it stays
	bare    func(end int)             // called for each array schema without items, with the offset of its closing brace
	depth   int                       // schemas around
	splices []jsontree.Splice
}

// span is the part of the data that a member of an object takes.
type span struct {
	from, to int
	dropped  bool
}

// schema walks over a value that is a schema if it is an object.
func (w *schemaWalk) schema() {
	if w.Peek() != '{' || w.depth == model.MaxSchemaDepth {
		w.Skip()
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	var members []span
	isArray, hasItems := false, false
	w.members(func(from int, name string) {
		w.Peek()
		value := w.At
		w.Skip()
		if w.bare != nil {
			if name == "type" {
				var list []string
				isArray = unquote(w.Data[value:w.At]) == "array" || json.Unmarshal(w.Data[value:w.At], &list) == nil && slices.Contains(list, "array")
			}
			hasItems = hasItems || name == "items"
		}
		instead, keep := w.decide(name, w.Data[value:w.At])
		keeps := model.SubschemasOf(name)
		members = append(members, span{from, w.At, !keep})
		switch {
		case !keep:
		case instead != nil:
			w.splices = append(w.splices, jsontree.Splice{From: value, To: w.At, Text: instead})
		case keeps.Has(model.OneSchema | model.SchemaList):
			if w.At = value; w.Peek() != '[' {
				w.schema()
				return
			}
			for w.At++; w.Peek() != ']'; {
				w.schema()
			}
			w.At++
		case keeps.Has(model.NamedSchemas) && w.Data[value] == '{':
			w.At = value
			w.members(func(int, string) {
				if c := w.Peek(); w.unfit == nil || c == '{' || c == '[' || c == 't' || c == 'f' {
					w.schema()
					return
				}
				value := w.At
				w.Skip()
				w.splices = append(w.splices, jsontree.Splice{From: value, To: w.At, Text: w.unfit(w.Data[value:w.At])})
			})
		}
	})
	if w.bare != nil && isArray && !hasItems {
		w.bare(w.At - 1)
	}
	w.drop(members)
}

// withItems returns a schema in which every array without items has items that may be
// anything, and the number of such arrays.
func withItems(raw []byte) (clean []byte, bare int) {
	if !bytes.Contains(raw, []byte("array")) && !bytes.Contains(raw, []byte{'\\'}) {
		return raw, 0 // no type says it, and none is escaped
	}
	w := schemaWalk{Skimmer: jsontree.Skimmer{Data: raw}, decide: func(string, []byte) ([]byte, bool) { return nil, true }}
	w.bare = func(end int) {
		bare++
		w.splices = append(w.splices, jsontree.Splice{From: end, To: end, Text: []byte(`,"items":{}`)})
	}
	return w.rewrite(), bare
}

// drop removes members, each with its comma.
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
			w.splices = append(w.splices, jsontree.Splice{From: m.from, To: members[i+1].from})
		}
	}
	if last == len(members)-1 {
		return
	}
	from := members[0].from
	if last >= 0 {
		from = members[last].to
	}
	w.splices = append(w.splices, jsontree.Splice{From: from, To: members[len(members)-1].to})
}

// members walks over an object and calls f behind each name; f walks over the
// value.
func (w *schemaWalk) members(f func(from int, name string)) {
	w.Members(func(quoted []byte) { f(w.At-len(quoted), string(jsontree.Unquote(quoted))) })
}

// withoutNoise returns a schema without noise, and the keywords that are noise, sorted: what does
// not help a model to know what to send, the dialect, comments, titles beside the names of
// properties, vendors' own keywords, and a plain additionalProperties.
func withoutNoise(raw []byte) (clean []byte, keywords []string) {
	clean = rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		noise := len(keyword) > 2 && strings.EqualFold(keyword[:2], "x-")
		switch keyword {
		case "$schema", "$comment":
			noise = true
		case "title":
			noise = value[0] == '"'
		case "additionalProperties":
			noise = value[0] != '{' || len(bytes.Join(bytes.Fields(value), nil)) == len("{}")
		}
		if noise && !slices.Contains(keywords, keyword) {
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
		if keyword != "description" {
			return nil, true
		}
		if text, ok := stringOf(value); ok && text != "" {
			out = append(out, text)
		}
		return nil, true
	})
	return out
}

// rewriteDescriptions returns a schema with every description replaced by what f
// makes of it, without those that are left empty, and whether any changed.
func rewriteDescriptions(raw []byte, f func(string) string) (clean []byte, changed bool) {
	clean = rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		if keyword != "description" {
			return nil, true
		}
		text, ok := stringOf(value)
		if !ok {
			return nil, true
		}
		rewritten := f(text)
		if rewritten == text {
			return nil, true
		}
		changed = true
		if rewritten == "" {
			return nil, false
		}
		instead, _ := json.Marshal(rewritten) // text always encodes
		return instead, true
	})
	return clean, changed
}
