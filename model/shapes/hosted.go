package shapes

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
)

// hostedEntry is an entry of a request's tools of a kind that its provider defines, whoever
// runs it: {"type":"web_search"} and {"googleSearch":{}} the provider, {"type":"bash_20250124"}
// and {"type":"tool_search","execution":"client"} the client. It also is a tool without a name,
// or a mark between tools ({"cachePoint":{}}).
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
	return r.finding("unknown_format", h.at, h.path, "every entry is of a kind that its provider defines ("+h.kindsShown()+"): import an MCP server that one names with --http")
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

// note warns of the entries that were skipped.
func (h *hosted) note(r *reader) {
	if h.count == 0 {
		return
	}
	what := "1 entry of a kind that its provider defines is skipped: "
	if h.count > 1 {
		what = strconv.Itoa(h.count) + " entries of kinds that their provider defines are skipped: "
	}
	r.note("hosted_tool", h.at, h.path, what+h.kindsShown())
}
