package model

import "strings"

// What an export of a registry as a tools/list result says in _meta, which MCP
// leaves to those who write one (2025-11-25, basic, _meta): of the result that
// its names are those that a model sees, and of a tool where it comes from. A
// server's own result says neither, and its tools get the server's name.
//
// SECURITY: the mark counts only in a result that is a source by itself, as an
// export is, and never in a server's answer, whose tools could else take the
// names of the agent's own.
const (
	MetaPrefix   = "caliper/" // of all that follow
	MetaNames    = MetaPrefix + "names"
	MetaFinal    = "final" // value of MetaNames
	MetaToolset  = MetaPrefix + "toolset"
	MetaSource   = MetaPrefix + "source"
	MetaServer   = MetaPrefix + "server"
	MetaOriginal = MetaPrefix + "original_name"
)

// origin is what the _meta of a tool says of where it comes from.
type origin struct{ toolset, source, server, original string }

// isMark reports whether v is the _meta of a result whose names are final.
func (v value) isMark() bool {
	is := false
	v.each(func(m member) { is = is || m.name == MetaNames && m.text() == MetaFinal })
	return is
}

// readOrigin reads the _meta of a tool. It returns nil if that says nothing.
func (r *reader) readOrigin(v value) *origin {
	var o origin
	v.each(func(m member) {
		switch m.name {
		case MetaToolset:
			o.toolset = r.intern(m.value)
		case MetaSource:
			o.source = r.intern(m.value)
		case MetaServer:
			o.server = r.intern(m.value)
		case MetaOriginal:
			o.original = strings.TrimSpace(m.text())
		}
	})
	if o == (origin{}) {
		return nil
	}
	return &o
}

// set gives a tool its origin.
func (o *origin) set(f *found) {
	if o == nil {
		return
	}
	f.tool.Toolset, f.tool.Server, f.tool.OriginalName, f.source = o.toolset, o.server, o.original, o.source
}
