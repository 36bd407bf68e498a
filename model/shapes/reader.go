package shapes

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// reader streams the text of one source into tools and toolsets: arrays of tools entry by entry,
// while an object's other members are kept as written until its shape is known.
type reader struct {
	ctx    context.Context
	source model.Source
	index  int // of the source
	text   *jsontree.Text

	found        []found
	toolsets     []foundToolset
	isDump       bool           // has an object of toolsets
	core         []string       // of a dump: names of the agent's core tools
	noted        map[string]int // number of warnings by code, of those beyond maxNotes too
	findings     []jsontree.Fault
	more         *jsontree.Fault // the last page of a list is not its last
	instructions string          // of the server, from its handshake
	arrays       int             // arrays of tools that were read, empty ones too
	requests     int             // documents that are requests to a model, with their messages
	skipped      int             // definitions without a usable name
	foreign      int             // entries without a definition
	listed       []listedName    // entries that are only a name
	hosted       []string        // the first kinds of entries for which the provider has the definition, each once
	hostedCount  int             // number of these entries
	hostedFirst  jsontree.Fault  // where the first of them is
	refusal      *jsontree.Fault // a server's answer that it could not answer
	serverName   string          // of the server, from its handshake
	bundle       string          // the name of the MCP bundle whose manifest the source is
	depth        int             // documents and lists around the one that is read
	host         string          // the server whose tools are read, in a map of servers
	cache        bool            // that map is the reference agent's cache of schemas
	final        bool            // the names of MCP tools are those that a model sees
	as           *form           // of every entry of the array that is read, if its place tells
	queries      []labelled      // of a data set
	dataSet      bool            // tools that are defined again are left out
	defined      map[string]int  // of a data set: the index in found of the definition of a name
	variants     int             // definitions of a data set that differ from the first of their name
	notation     string          // of the source, if it is not JSON: "YAML"
	optional     *bool           // arguments of the catalogue of Docker are marked as optional; nil before one is read
	elsewhere    *jsontree.Fault // where the tools of the source are, if it is a part of a data set without them
	recognised   *jsontree.Fault // the first document that is known and is not read: see recognise
	undefined    *jsontree.Fault // the first entry that has a name and no definition

	entry entry // reused for every entry

	envelopes map[model.Envelope]*model.Envelope // those that many entries share
}

// found is one definition and what later steps need of its entry. There is one for each tool.
type found struct {
	tool              *model.Tool
	form              *form
	prefix            *string   // path of the array
	index             int       // in the array; -1 for an entry that stands alone
	source            string    // kind of its toolset, as the dump says
	name, description int       // offsets in the source
	carried           bool      // the entry is no tool of a request, but stands in its conversation
	raw               *mcpParts // of an MCP tool
}

// foundToolset is one toolset and the offset of its list of tools.
type foundToolset struct {
	model.Toolset
	at int
}

// path returns the JSON path of a member of f's definition, or of the definition.
func (f *found) path(member string) string {
	if f.form == nameEntry {
		member = ""
	}
	return f.form.path(*f.prefix, f.index, member)
}

func newReader(ctx context.Context, s model.Source, index int, t *jsontree.Text) *reader {
	return &reader{ctx: ctx, source: s, index: index, text: t, noted: map[string]int{}}
}

// note adds a warning about the offset at of the text, unless there are enough of its kind.
func (r *reader) note(code string, at int, path, message string) {
	r.tell(r.finding(code, at, path, message))
}

// tell adds a warning, unless there are enough of its kind.
func (r *reader) tell(f jsontree.Fault) {
	if r.noted[f.Code]++; r.noted[f.Code] <= jsontree.MaxFaults {
		r.findings = append(r.findings, f)
	}
}

// finding returns a finding about the offset at of the text.
func (r *reader) finding(code string, at int, path, message string) jsontree.Fault {
	return jsontree.Fault{At: r.text.Origin(at), Code: code, Path: path, Message: message}
}

// read reads the documents of the text. Its error is a finding, a syntax error or the context's.
func (r *reader) read() error {
	c := jsontree.NewCursor(r.text.Data, 0)
	for {
		err := r.ctx.Err()
		if err != nil {
			return err
		}
		switch c.Next() {
		case '[':
			err = r.readTools(c, "")
		case '{':
			err = r.readObject(c, "")
		default:
			if _, err = c.Value(); err == nil {
				r.foreign++
			}
		}
		if err == io.EOF {
			return r.finish()
		}
		if err != nil {
			return err
		}
	}
}

// tellRest adds at an offset of the source how many warnings of each kind were not kept.
func (r *reader) tellRest(at int) {
	for _, code := range slices.Sorted(maps.Keys(r.noted)) {
		if rest := r.noted[code] - jsontree.MaxFaults; rest > 0 {
			r.findings = append(r.findings, jsontree.Fault{At: at, Code: code, Message: jsontree.MorePlaces(rest)})
		}
	}
	clear(r.noted)
}

// finish decides what the source is as a whole.
func (r *reader) finish() error {
	switch {
	case len(r.found) > 0 || r.skipped > 0 || len(r.queries) > 0:
		if len(r.listed) > 0 {
			n := r.listed[0]
			r.note("no_definition", n.At, nameEntry.path(*n.prefix, n.index, ""),
				words.CountOf(len(r.listed), "entry is only a name and is skipped", "entries are only names and are skipped"))
		}
	case len(r.listed) > 0 && (r.recognised == nil || r.foreign == 0):
		r.defineNames()
	case r.refusal != nil && r.arrays == 0:
		return *r.refusal
	case r.foreign > 0 || r.hostedCount > 0 || r.arrays == 0 && len(r.toolsets) == 0:
		switch {
		case r.recognised != nil:
			return *r.recognised
		case r.undefined != nil:
			return *r.undefined
		case r.hostedCount > 0 && strings.Contains(r.hostedFirst.Path, "tools"):
			f := r.hostedFirst
			f.Message = "every entry is of a kind that its provider defines (" + r.hostedKinds() + "): import an MCP server that one names with --http"
			return f
		case r.notation != "":
			return r.finding("unknown_format", 0, "", r.notation+", not a tool catalogue; "+understood())
		}
		return r.finding("unknown_format", 0, "", "no tool definitions found; "+understood())
	default:
		r.note("empty", 0, "", "the catalogue is empty")
	}
	if r.variants > 0 {
		r.note("defined_again", 0, "", words.CountOf(r.variants, "definition differs from the first of its name and is left out", "definitions differ from the first of their name and are left out"))
	}
	hinted := 0
	for i := range r.found {
		if r.found[i].tool.Hint != "" {
			hinted++
		}
	}
	if hinted > 0 {
		r.note("search_hint", 0, "", words.CountOf(hinted, "tool has", "tools have")+" anthropic/searchHint in _meta, whose words only Claude Code searches, here --host claude-code")
	}
	r.joinRequests()
	r.nameMCP()
	r.nameByServer()
	r.found = slices.DeleteFunc(r.found, func(f found) bool { // no call reaches them, because agents trim names
		blank := f.tool.Name != strings.TrimFunc(f.tool.Name, func(c rune) bool { return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f })
		if blank {
			r.skipped++
			r.tell(jsontree.Fault{At: f.name, Code: "blank_in_name", Path: f.path("name"),
				Message: "begins or ends with a blank, and no call could name it: names of calls are trimmed; the definition is skipped"})
		}
		return blank
	})
	if r.hostedCount > 0 {
		f := r.hostedFirst
		f.Code, f.Message = "hosted_tool", words.CountOf(r.hostedCount, "entry of a kind that its provider defines is skipped: ", "entries of kinds that their provider defines are skipped: ")+r.hostedKinds()
		r.tell(f)
	}
	r.tellRest(r.text.Origin(len(r.text.Data)))
	if r.refusal != nil {
		r.findings = append(r.findings, *r.refusal)
	}
	if r.more != nil {
		r.findings = append(r.findings, *r.more)
	}
	return nil
}

// mark returns what r is now, which it can be again.
func (r *reader) mark() reader {
	now := *r
	now.noted = maps.Clone(r.noted)
	return now
}

// readObject reads one object of the top level, or one that wraps a document.
func (r *reader) readObject(c *jsontree.Cursor, path string) error {
	o := object{path: path}
	var before reader // its array of tools
	v, err := c.Object(func(name []byte) error {
		if string(name) == "tools" && c.Next() == '[' && !isAnswered(&o) {
			o.tools, before = true, r.mark()
			return r.readTools(c, jsontree.JoinName(path, "tools"))
		}
		v, err := c.Value()
		o.members = append(o.members, jsontree.Member{Name: jsontree.NameOf(name), Value: v})
		return err
	})
	if err != nil {
		return err
	}
	o.Value = v
	if o.tools && isAnswered(&o) { // its query stands behind its tools
		*r = before
		o = *objectOf(v)
		o.path = path
	}
	if o.tools && slices.Contains(carriers, o.member("type").Text()) { // in a line of a log
		r.carry(v, len(before.found))
	}
	if o.tools && len(r.found) == len(before.found) && o.member("mcpServers").IsObject() { // its tools are names, as an agent of Kiro or Amazon Q has them
		return clientConfig.read(r, &o)
	}
	for _, s := range shapes {
		if s.match(&o) {
			return s.read(r, &o)
		}
	}
	r.foreign++
	r.recognise(&o)
	return nil
}

// maxWraps bounds nested documents and lists. Each is read again for every one around it.
const maxWraps = 8

// within reads a document that is wrapped in another one.
func (r *reader) within(v jsontree.Value, path string) error {
	if r.depth == maxWraps {
		r.foreign++
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	return r.readObject(jsontree.Reread(v.Raw, v.At), path)
}

// readList reads an array of entries elsewhere than in "tools"; as is their form, if it is known.
func (r *reader) readList(v jsontree.Value, path string, as *form) error {
	if r.depth == maxWraps {
		r.foreign++
		return nil
	}
	r.depth++
	outer, form := r.entry, r.as
	r.entry, r.as = entry{}, as
	defer func() { r.entry, r.as, r.depth = outer, form, r.depth-1 }()
	r.arrays++
	index := 0
	for e := range v.All() {
		if err := r.readEntry(e, &path, index); err != nil {
			return err
		}
		index++
	}
	return nil
}

// pollEvery is how many entries are read between two checks of the context.
const pollEvery = 256

// readEntry reads one value of an array of tools.
func (r *reader) readEntry(v jsontree.Value, prefix *string, index int) error {
	if index%pollEvery == 0 && r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	switch {
	case v.IsObject():
		r.entry.set(v, prefix, index)
		return r.define(&r.entry)
	case v.IsString():
		r.listed = append(r.listed, listedName{Value: v, prefix: prefix, index: index})
	default:
		r.foreign++
	}
	return nil
}
