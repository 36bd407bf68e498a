package shapes

import (
	"slices"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// hostedEntry is an entry of a request's tools that holds no definition:
// something the provider itself runs ({"type":"web_search"},
// {"googleSearch":{}}), a tool without a name, or a mark
// between tools ({"cachePoint":{}}).
var hostedEntry = &form{
	match: func(e *entry) bool {
		return e.member("type").IsString() && !e.has("lc") || len(e.members) == 1 && e.members[0].IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		kind := e.member("type").Text()
		if kind == "" {
			kind = e.members[0].Name
		}
		if len(r.hosted.kinds) == 0 {
			r.hosted.at, r.hosted.path = e.At, f.path(*e.prefix, e.index, "")
		}
		if r.hosted.count++; len(r.hosted.kinds) < maxKinds && !slices.Contains(r.hosted.kinds, kind) {
			r.hosted.kinds = append(r.hosted.kinds, kind)
		}
		return nil
	},
}

// kindsShown returns the kinds in a line.
func (h *hosted) kindsShown() string {
	shown := make([]string, len(h.kinds))
	for i, kind := range h.kinds {
		shown[i] = kind[:min(len(kind), 64)]
	}
	return strings.Join(shown, ", ")
}

// refusal returns the fault that a source has hosted entries and no others.
func (h *hosted) refusal(r *reader) jsontree.Fault {
	return r.finding("unknown_format", h.at, h.path, "every entry is hosted by its provider ("+h.kindsShown()+") and carries no definition: import an MCP server that one names with --http")
}

// maxKinds is how many kinds of hosted entries are named.
const maxKinds = 6

// hosted is the hosted entries that were read.
type hosted struct {
	count int
	at    int // of the first
	path  string
	kinds []string // the first few, each once
}

// datedKind is how Anthropic calls its server tools.
var datedKind = words.LazyRegexp(`_20\d{6}$`)

// note warns of the entries that were skipped.
func (h *hosted) note(r *reader) {
	if h.count == 0 {
		return
	}
	every := func(is func(string) bool) bool {
		return !slices.ContainsFunc(h.kinds, func(kind string) bool { return !is(kind) })
	}
	what := words.CountOf(h.count, "hosted entry carries", "hosted entries carry") + " no tool definition"
	switch {
	case every(datedKind().MatchString):
		what = words.CountOf(h.count, "server tool carries", "server tools carry") + " no schema"
	}
	verb := " and are skipped: "
	if h.count == 1 {
		verb = " and is skipped: "
	}
	r.note("hosted_tool", h.at, h.path, what+verb+h.kindsShown())
}
