package shapes

import (
	"bytes"
	"slices"

	"caliper/model"
)

// joinRequests leaves out the tools of a log of requests, one a line, that an earlier
// request has alike: every request sends them all again. Of tools of one name that are
// not alike all stay.
func (r *reader) joinRequests() {
	last := map[string][]*model.Tool{}
	n := len(r.found)
	r.found = slices.DeleteFunc(r.found, func(f found) bool {
		t := f.tool
		if slices.ContainsFunc(last[t.Name], func(o *model.Tool) bool { return alike(t, o) }) {
			return true
		}
		last[t.Name] = append(last[t.Name], t)
		return false
	})
	if len(r.found) < n {
		r.handedOver = 0
	}
}

// alike reports whether two tools are one definition.
func alike(t, o *model.Tool) bool {
	return t.Toolset == o.Toolset && t.Server == o.Server && t.Deferred == o.Deferred && t.Description == o.Description &&
		bytes.Equal(t.Parameters, o.Parameters)
}
