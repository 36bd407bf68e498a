package live

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"caliper/model/words"
)

// Transport is how a server is reached.
type Transport string

// The transports of MCP. SSE belongs to the revision 2024-11-05, which later
// ones replaced by streamable HTTP.
const (
	StdioTransport Transport = "stdio"
	HTTPTransport  Transport = "http"
	SSETransport   Transport = "sse"
)

// Server is one MCP server as a client's configuration describes it. The exported fields are as
// written, and safe to print: without values of environment variables and headers, and with "…"
// for an argument that looks like one.
type Server struct {
	Name      string    `json:"name"`
	Transport Transport `json:"transport"` // "" where there is a Problem
	Command   string    `json:"command,omitempty"`
	Args      []string  `json:"args,omitempty"`
	Env       []string  `json:"env,omitempty"`     // names only
	URL       string    `json:"url,omitempty"`     // without user information, the values of its query and what looks like a key in its path
	Headers   []string  `json:"headers,omitempty"` // names only
	Enabled   bool      `json:"enabled"`
	Off       string    `json:"off,omitempty"`         // the setting that switches it off, where its entry does not say enabled or disabled
	Include   []string  `json:"include,omitempty"`     // patterns of the tools to take; nil for all
	Exclude   []string  `json:"exclude,omitempty"`     // patterns of the tools to leave out; behind a "!" of those to take all the same
	Always    bool      `json:"always_load,omitempty"` // its tools are always sent (Claude Code's alwaysLoad)
	Project   string    `json:"project,omitempty"`     // the folder for which Claude Code keeps the entry; "" for no single one
	Unread    []string  `json:"unread,omitempty"`      // settings that matter for a start and that this package does not heed
	Foreign   []string  `json:"foreign,omitempty"`     // settings of other clients, which this one does not read, so that they change nothing
	Switch    bool      `json:"switch,omitempty"`      // the entry only switches another file's on or off
	Unset     []string  `json:"-"`                     // variables that Expand found no value for, without which the client starts the server all the same
	Problem   string    `json:"problem,omitempty"`     // why the entry is of no use; "" when it is
	At        string    `json:"-"`                     // the keys that lead to the entry in its file, with dots between them
	OffBy     Setting   `json:"-"`                     // that switches it off; the zero value where no setting does
	AlwaysBy  Setting   `json:"-"`                     // that says whether its tools are always sent; the zero value where none does

	client     string    // whose configuration has it; "" if that is not known
	path       []string  // the keys of At
	includedBy string    // the setting of Include
	excludedBy []Setting // of the patterns of Exclude

	// Timeout is the time that the client gives the server to start and list its tools;
	// 0 where the configuration says nothing.
	Timeout time.Duration `json:"-"`

	// SECURITY: behind a function, since fmt prints no more of one than an address,
	// whatever the verb and even where it cannot call String; a pointer it
	// follows for some.
	hidden func() *hidden
}

// Setting is a setting of a client that decides about a server or its tools.
type Setting struct {
	Key  string // with dots between its parts, from the top of the file
	File string // "" for the one of the server's entry
	Line int    // from 1; 0 where it is not known
}

// Within returns the keys of a setting in the entry itself; nil for one elsewhere.
func (s *Server) Within(key string) []string {
	name, ok := strings.CutPrefix(key, s.At+".")
	if !ok || s.path == nil {
		return nil
	}
	return append(slices.Clone(s.path), strings.Split(name, ".")...)
}

// seal puts h out of the reach of fmt.
func seal(h *hidden) func() *hidden { return func() *hidden { return h } }

// hidden has the fields of a server that are never printed.
type hidden struct {
	command  string
	args     []string
	dir      string
	envFile  string
	url      string
	env      []pair
	headers  []pair
	dialect  dialect
	expanded bool
	secrets  []string // values to withhold from every message
	keys     []string // the part to withhold from definitions too: see repeated
}

// pair is an environment variable or a header, whose value may be the name of a variable.
type pair struct {
	name, value     string
	fromEnvironment bool
	optional        bool   // left out where the environment does not have it
	prefix          string // before the value, such as "Bearer "
}

// Stdio returns a server that is started as a command, without expansion and shell.
func Stdio(name, command string, args ...string) Server {
	h := &hidden{command: command, args: slices.Clone(args), expanded: true}
	h.collectSecrets()
	shown, _ := shownArgs(args)
	return Server{Name: name, Transport: StdioTransport, Command: withoutUserInfo(command), Args: shown, Enabled: true, hidden: seal(h)}
}

// WithEnv returns the server with one more environment variable for its start.
func (s Server) WithEnv(name, value string) Server {
	h := *s.hidden()
	h.env = append(slices.Clone(h.env), pair{name: name, value: value})
	h.collectSecrets()
	s.Env = append(slices.Clone(s.Env), name)
	s.hidden = seal(&h)
	return s
}

// EnvFile returns the file of variables for the start, expanded if the server is; "" for none.
// WithEnvFile takes its lines.
func (s Server) EnvFile() string {
	if s.hidden == nil {
		return ""
	}
	return s.hidden().envFile
}

// WithEnvFile returns the server with "NAME=value" variables, below its configuration's.
func (s Server) WithEnvFile(variables []string) Server {
	h := *s.hidden()
	var env []pair
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		env = append(env, pair{name: name, value: value})
	}
	h.env = slices.Concat(env, h.env)
	h.collectSecrets()
	s.hidden = seal(&h)
	return s
}

// Remote returns a server that is reached over HTTPTransport or SSETransport. Each header is
// "Name: value"; any other is an error that does not repeat it.
func Remote(name string, t Transport, address string, headers ...string) (Server, error) {
	s := Server{Name: name, Transport: t, URL: withoutSecrets(address), Enabled: true,
		hidden: seal(&hidden{url: address, expanded: true})}
	for i, h := range headers {
		key, value, ok := strings.Cut(h, ":")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return Server{}, fmt.Errorf("header %d: want \"Name: value\"", i+1)
		}
		s.Headers = append(s.Headers, key)
		s.hidden().headers = append(s.hidden().headers, pair{name: key, value: strings.TrimSpace(value)})
	}
	s.hidden().collectSecrets()
	return s, nil
}

// again begins a pattern of Exclude that takes tools which patterns before it leave out.
const again = "!"

// Allows reports whether the client's filters let a tool of a name through; see LeftOut.
func (s Server) Allows(tool string) bool {
	_, out := s.LeftOut(tool)
	return !out
}

// LeftOut reports whether the filters of the client leave out a tool of a name at the
// server, and the setting that does. Exclude is asked last, and of its patterns the last
// that the name fits decides. A pattern is a name or a glob (see package glob).
//
// SECURITY: a pattern that is no glob lets through the tool of this very name
// and keeps back every tool.
func (s Server) LeftOut(tool string) (by Setting, out bool) {
	fits := func(pattern string, otherwise bool) bool {
		g, err := words.CompileGlob(pattern)
		return pattern == tool || err == nil && g.Match(tool) || err != nil && otherwise
	}
	if s.Include != nil && !slices.ContainsFunc(s.Include, func(p string) bool { return fits(p, false) }) {
		return Setting{Key: s.includedBy}, true
	}
	for i, p := range s.Exclude {
		p, back := strings.CutPrefix(p, again)
		if fits(p, !back) {
			out = !back
			if by = (Setting{}); i < len(s.excludedBy) {
				by = s.excludedBy[i]
			}
		}
	}
	return by, out
}

// Through returns the list of a setting as it lets a tool through and no other; nil where it has
// patterns, or does not do alone. Of a list about all servers it has this one's part.
func (s Server) Through(tool string, by Setting) []string {
	list, rest := []string{}, []string(nil)
	if s.Include != nil && by.Key == s.includedBy {
		list = append(slices.Clone(s.Include), tool)
		s.Include, rest = list, s.Exclude
	} else {
		for i, p := range s.Exclude {
			own := i >= len(s.excludedBy) || s.excludedBy[i] == by
			if own && p != tool {
				list = append(list, p)
			}
			if !own || p != tool {
				rest = append(rest, p)
			}
		}
	}
	s.Exclude = rest
	if _, out := s.LeftOut(tool); out || slices.ContainsFunc(list, func(p string) bool { return strings.ContainsAny(p, `*?[]{}!\`) }) {
		return nil
	}
	return list
}

// excluded notes the setting of the patterns of Exclude that have none yet.
func (s *Server) excluded(by Setting) {
	for len(s.excludedBy) < len(s.Exclude) {
		s.excludedBy = append(s.excludedBy, by)
	}
}

// EntryFaults returns a line for each setting of the entry that is not used, and each filter
// that is no glob, safe for a terminal.
func (s Server) EntryFaults() []string {
	var list []string
	are := func(names []string) string {
		if len(names) == 1 {
			return names[0] + " of its configuration is"
		}
		return strings.Join(names, ", ") + " of its configuration are"
	}
	if len(s.Unread) > 0 {
		list = append(list, are(s.Unread)+" not used here")
	}
	if len(s.Foreign) > 0 {
		list = append(list, are(s.Foreign)+" of other clients: "+cmp.Or(s.client, "its client")+" does not read that, so that it is not used")
	}
	tell := func(kind, pattern, effect string) {
		if _, err := words.CompileGlob(pattern); err != nil {
			list = append(list, fmt.Sprintf("its %s %q: %v; it %s", kind, plain(pattern), err, effect))
		}
	}
	for _, p := range s.Include {
		tell("include", p, "lets nothing else through")
	}
	for _, p := range s.Exclude {
		tell("exclude", strings.TrimPrefix(p, again), "keeps back every tool")
	}
	return list
}

// String returns the server's name and how it is reached, without hidden values.
func (s Server) String() string {
	where := s.URL
	if s.Transport == StdioTransport {
		where = strings.Join(append([]string{s.Command}, s.Args...), " ")
	}
	return plain(fmt.Sprintf("%s (%s: %s)", s.Name, s.Transport, where))
}

// GoString is String, so that %#v shows nothing else.
func (s Server) GoString() string { return s.String() }

// collectSecrets adds the values of environment, headers, arguments and address to withhold.
func (h *hidden) collectSecrets() {
	h.secrets, h.keys = slices.Clone(h.secrets), slices.Clone(h.keys) // another copy's stay
	for _, p := range slices.Concat(h.env, h.headers) {
		h.secrets = append(append(h.secrets, p.value), insideHeader(p.value)...)
	}
	for _, p := range h.env {
		h.secrets = append(h.secrets, userSecrets(p.value)...)
	}
	_, args := shownArgs(h.args)
	h.secrets = slices.Concat(h.secrets, args, addressSecrets(h.url), userSecrets(h.command), userSecrets(h.dir))
	// Add to the values to withhold from definitions those that the entry of a client's
	// configuration marks as secrets.
	for _, p := range slices.Concat(h.env, h.headers) {
		h.keys = append(h.keys, keyed(p.name, p.value)...)
	}
	before := ""
	for _, a := range h.args {
		h.keys = append(h.keys, keyed(before, a)...)
		name, value, _ := strings.Cut(a, "=") // --token=value, NAME=value
		h.keys = append(h.keys, keyed(name, value)...)
		for _, text := range []string{a, value} { // --header "Name: value", --env=NAME=value
			if pair := assignment().FindStringSubmatch(text); pair != nil {
				h.keys = append(h.keys, keyed(pair[1], pair[3])...)
			}
		}
		if before = ""; strings.HasPrefix(a, "-") && !strings.Contains(a, "=") {
			before = a
		}
	}
	if u, err := url.Parse(h.url); err == nil {
		for name, values := range u.Query() {
			for _, value := range values {
				h.keys = append(h.keys, keyed(name, value)...)
			}
		}
	}
	for _, text := range slices.Concat(h.args, []string{h.url, h.command, h.dir}) {
		h.keys = append(h.keys, userSecrets(text)...)
	}
	for _, p := range h.env {
		h.keys = append(h.keys, userSecrets(p.value)...)
	}
}

// insideHeader returns the token of "Bearer token", and the login and password of "Basic token".
func insideHeader(value string) []string {
	_, token, ok := strings.Cut(value, " ")
	if !ok {
		return nil
	}
	token = strings.TrimSpace(token)
	out := []string{token}
	if login, err := base64.StdEncoding.DecodeString(token); err == nil {
		if _, password, ok := strings.Cut(string(login), ":"); ok {
			out = append(out, string(login), password)
		}
	}
	return out
}

// SameAs reports whether two entries are one server: the same name, start or address, variables
// and headers, with their values, and choice of tools. Entries with variables to be expanded are
// never the same, because each client has its own rules.
func (s Server) SameAs(o Server) bool {
	if s.Problem != "" || o.Problem != "" || s.hidden == nil || o.hidden == nil ||
		s.Name != o.Name || s.Transport != o.Transport || s.Enabled != o.Enabled || s.Always != o.Always ||
		!slices.Equal(s.Include, o.Include) || !slices.Equal(s.Exclude, o.Exclude) || !slices.Equal(s.Unread, o.Unread) {
		return false
	}
	h, g := s.hidden(), o.hidden()
	texts := append([]string{h.command, h.dir, h.envFile, h.url}, h.args...)
	for _, p := range slices.Concat(h.env, h.headers) {
		texts = append(texts, p.value, p.prefix)
	}
	expands := !h.expanded && slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsAny(text, "$%") })
	return h.command == g.command && slices.Equal(h.args, g.args) && h.dir == g.dir && h.envFile == g.envFile && h.url == g.url &&
		samePairs(h.env, g.env) && samePairs(h.headers, g.headers) && !expands
}

// samePairs reports whether two lists have the same variables or headers, in any order.
func samePairs(a, b []pair) bool {
	missing := func(from, in []pair) bool {
		return slices.ContainsFunc(from, func(p pair) bool { return !slices.Contains(in, p) })
	}
	return len(a) == len(b) && !missing(a, b) && !missing(b, a)
}
