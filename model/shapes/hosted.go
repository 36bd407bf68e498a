package shapes

import (
	"slices"
	"strings"
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
		if len(r.hosted) == 0 {
			r.hostedFirst = r.finding("unknown_format", e.At, f.path(*e.prefix, e.index, ""), "")
		}
		if r.hostedCount++; len(r.hosted) < maxKinds && !slices.Contains(r.hosted, kind) {
			r.hosted = append(r.hosted, kind)
		}
		return nil
	},
}

// hostedKinds returns the kinds in a line.
func (r *reader) hostedKinds() string {
	shown := make([]string, len(r.hosted))
	for i, kind := range r.hosted {
		shown[i] = kind[:min(len(kind), 64)]
	}
	return strings.Join(shown, ", ")
}

// maxKinds is how many kinds of hosted entries are named.
const maxKinds = 6
