package live

import (
	"slices"
	"strings"
)

// SameAs reports whether two entries of client configurations are one server: the same
// name, start or address, variables and headers, with their values, and the same choice of
// tools. Entries in which a variable is still to be expanded are never the same, because
// each client expands by its own rules.
func (s Server) SameAs(o Server) bool {
	if s.Problem != "" || o.Problem != "" || s.hidden == nil || o.hidden == nil {
		return false
	}
	if s.Name != o.Name || s.Transport != o.Transport || s.Enabled != o.Enabled || s.Always != o.Always ||
		!slices.Equal(s.Include, o.Include) || !slices.Equal(s.Exclude, o.Exclude) || !slices.Equal(s.Unread, o.Unread) {
		return false
	}
	h, g := s.hidden(), o.hidden()
	return h.command == g.command && slices.Equal(h.args, g.args) && h.dir == g.dir && h.envFile == g.envFile && h.url == g.url &&
		samePairs(h.env, g.env) && samePairs(h.headers, g.headers) && !h.expands()
}

// samePairs reports whether two lists have the same variables or headers, in any order.
func samePairs(a, b []pair) bool {
	missing := func(from, in []pair) bool {
		return slices.ContainsFunc(from, func(p pair) bool { return !slices.Contains(in, p) })
	}
	return len(a) == len(b) && !missing(a, b) && !missing(b, a)
}

// expands reports whether any text of the entry has a sign that a client may expand.
func (h *hidden) expands() bool {
	texts := append([]string{h.command, h.dir, h.envFile, h.url}, h.args...)
	for _, p := range slices.Concat(h.env, h.headers) {
		texts = append(texts, p.value, p.prefix)
	}
	return !h.expanded && slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsAny(text, "$%") })
}
