package model

import (
	"context"
	"slices"
)

// reader reads the text of one source into tools and toolsets. It streams:
// arrays of tools are read entry by entry, and what stands around them is kept
// as raw members until the object that holds them is complete and its shape
// can be told.
type reader struct {
	ctx    context.Context
	source Source
	index  int // of the source
	text   *text

	found        []found
	toolsets     []foundToolset
	isDump       bool // has an object of toolsets
	findings     []finding
	more         *finding // the last page of a list is not its last
	instructions string   // of the server, from its handshake
	arrays       int      // arrays of tools that were read, empty ones too
	documents    int      // objects and arrays at the top level
	skipped      int      // definitions without a usable name
	foreign      int      // entries without a definition
	names        int      // entries that are only a name
	last         list     // the array of tools that was read last
	plain        bool     // the source is last, or an object that holds it, and all in it are definitions

	finisher *finisher
	block    []Tool            // tools are allocated in blocks
	entry    entry             // reused for every entry
	interned map[string]string // texts that many entries share
}

// list is an array of tools: its path, the offsets behind its opening and
// before its closing bracket, how many values it holds, and how many arrays
// and objects it stands in, itself included.
type list struct {
	path                     string
	from, to, entries, depth int
}

// found is one definition, with what later steps need to know of its entry.
// There is one for each tool, so it is kept small.
type found struct {
	tool              *Tool
	form              *form
	prefix            *string   // path of the array
	index             int       // in the array; -1 for an entry that stands alone
	source            string    // kind of its toolset, as the dump says
	size              int       // of the entry, in bytes of the source
	name, description int       // offsets in the source
	function          int       // likewise, of Tool.Function; -1 if that is no part of the source
	parameters        int       // of Tool.Parameters in Tool.Function
	placed            bool      // the entry names no toolset
	raw               *mcpParts // of an MCP tool
}

// foundToolset is one toolset and the offset of its list of tools.
type foundToolset struct {
	Toolset
	at int
}

// path returns the place of a member of f's definition, or of the definition.
func (f *found) path(member string) string { return f.form.path(*f.prefix, f.index, member) }

func newReader(ctx context.Context, s Source, index int, t *text, f *finisher) *reader {
	return &reader{ctx: ctx, source: s, index: index, text: t, finisher: f, interned: map[string]string{}}
}

// note adds a warning about the offset at of the text.
func (r *reader) note(code string, at int, path, message string) {
	r.findings = append(r.findings, r.finding(code, at, path, message))
}

// finding returns a finding about the offset at of the text.
func (r *reader) finding(code string, at int, path, message string) finding {
	return finding{at: r.text.origin(at), code: code, path: path, message: message}
}

// read reads the whole text: one document, or many as in JSON Lines. Its error
// is a finding, a syntax error or the context's.
func (r *reader) read() error {
	c := newCursor(r.text.data, 0)
	for {
		switch c.next() {
		case '[':
			r.documents++
			if err := r.readTools(c, ""); err != nil {
				return err
			}
		case '{':
			r.documents++
			if err := r.readObject(c, ""); err != nil {
				return err
			}
		default:
			_, err := c.value()
			if isEnd(err) {
				return r.finish()
			}
			if err != nil {
				return err
			}
			r.foreign++
		}
	}
}

// finish decides what the source as a whole is.
func (r *reader) finish() error {
	switch {
	case len(r.found) > 0 || r.skipped > 0:
	case r.names > 0:
		return r.finding("names_only", 0, "", "only "+count(r.names, "name", "names")+", no definitions; "+understood())
	case r.foreign > 0 || r.arrays == 0 && len(r.toolsets) == 0:
		return r.finding("unknown_format", 0, "", "no tool definitions found; "+understood())
	default:
		r.note("empty", 0, "", "the catalogue is empty")
	}
	if r.more != nil {
		r.findings = append(r.findings, *r.more)
	}
	r.nameMCP()
	r.deriveToolsets()
	r.plain = r.documents == 1 && r.arrays == 1 && r.last.to > 0 && r.last.entries == len(r.found) &&
		(r.last.path == "" || r.last.path == "tools") && len(r.findings) == 0 && len(r.text.edits) == 0 &&
		!slices.ContainsFunc(r.found, isMCP)
	return nil
}

// readObject reads one object of the top level, or one that wraps a document.
func (r *reader) readObject(c *cursor, path string) error {
	o := object{path: path}
	v, err := c.object(func(name []byte) error {
		if string(name) == "tools" && c.next() == '[' {
			o.tools = true
			return r.readTools(c, joinName(path, "tools"))
		}
		v, err := c.value()
		o.members = append(o.members, member{string(name), v})
		return err
	})
	if err != nil {
		return err
	}
	o.value = v
	for _, s := range shapes {
		if s.match(&o) {
			return s.read(r, &o)
		}
	}
	r.foreign++
	return nil
}

// pollEvery is the number of entries between two looks at the context.
const pollEvery = 256

// readTools reads an array of entries.
func (r *reader) readTools(c *cursor, path string) error {
	r.arrays++
	prefix := &path
	r.last = list{path: path, depth: c.depth() + 1}
	v, err := c.array(func(i int) error {
		r.last.entries++
		return r.readEntry(c, prefix, i)
	})
	if err == nil {
		r.last.from, r.last.to = r.text.origin(v.at)+1, r.text.origin(v.at+len(v.raw)-1)
	}
	return err
}

// readEntry reads one value of an array of tools.
func (r *reader) readEntry(c *cursor, prefix *string, index int) error {
	if index%pollEvery == 0 && r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if c.next() == '{' {
		r.entry.reset(prefix, index)
		if err := r.entry.read(c); err != nil {
			return err
		}
		return r.define(&r.entry)
	}
	v, err := c.value()
	switch {
	case err != nil:
		return err
	case v.isString():
		r.names++
	default:
		r.foreign++
	}
	return nil
}
