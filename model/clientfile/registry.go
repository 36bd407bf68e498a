package clientfile

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An entry of the MCP registry (server.json; github.com/modelcontextprotocol/registry,
// docs/reference/server-json) says how to start a server as a package and how to reach it
// where it runs. Each way is an entry of the configuration that it is read as:
//
//	{"name":"io.example/port","version":"1.2.0","packages":[{"registryType":"npm",
//	 "identifier":"@example/port","version":"1.2.0","environmentVariables":[{"name":"KEY","isRequired":true}]}],
//	 "remotes":[{"type":"streamable-http","url":"https://port.example/mcp"}]}
//
// is the server port-npm, started by npx -y @example/port@1.2.0 with the variable KEY, and
// the server port-http. Where there is one way only, its server is port. A page of the
// registry has the servers of all its entries.
//
// What the user would be asked for stays open: a variable of the environment is passed on
// by its name, and an entry that needs another value has the member "problem".

// RegistryClient is the Client of an entry of the MCP registry, or of a page of them.
const RegistryClient = "mcp-registry"

// registryEntries returns the servers of registry entries, and how each is reached in short.
func registryEntries(root Value) (servers []Member, short []string) {
	entries := []Value{root}
	if list := root.Member("servers"); list.Kind == List {
		entries = list.Items
	}
	var g gatherer
	for _, e := range entries {
		if inner := e.Member("server"); inner.Kind == Object {
			e = inner
		}
		has := func(list string, keys ...string) bool {
			return slices.ContainsFunc(e.Member(list).Items, func(item Value) bool { return item.has(keys...) })
		}
		isEntry := has("packages", "registryType", "registry_type", "registry_name", "identifier") || has("remotes", "url")
		if e.Member("name").Kind != Text || !isEntry {
			continue
		}
		var ways []Member // by the registry of a package; http or sse
		for _, p := range e.Member("packages").Items {
			kind := either(p, "registryType", "registry_type", "registry_name").Text
			entry, command := packageEntry(p, kind, cmp.Or(e.Member("version").Text, e.Member("version_detail", "version").Text))
			ways, short = append(ways, Member{cmp.Or(kind, "package"), entry}), append(short, command)
		}
		for _, r := range e.Member("remotes").Items {
			kind := "http"
			if either(r, "type", "transport_type").Text == "sse" {
				kind = "sse"
			}
			b := &builder{}
			address := r.Member("url").Text
			shown, _, _ := strings.Cut(address, "?") // SECURITY: a query may hold a key
			url, ok := b.value(Value{Kind: Object, Members: []Member{{"value", textValue(address)}, {"variables", r.Member("variables")}}})
			if !ok || strings.ContainsAny(url, "{}") {
				b.fail("its address has a part that is asked of the user: import it with --http and the whole address")
				url = address
			}
			for _, h := range r.Member("headers").Items {
				value, ok := b.value(h)
				switch name := h.Member("name").Text; {
				case name == "":
				case ok:
					b.headers.set(name, textValue(value))
				case either(h, "isRequired", "is_required").Says("true"):
					b.fail("it needs a header that is asked of the user: import it with --http and --header")
				}
			}
			entry := b.entry(Member{"type", textValue(kind)}, Member{"url", textValue(url)})
			ways, short = append(ways, Member{kind, entry}), append(short, shown)
		}
		for _, w := range ways {
			name := path.Base(e.Member("name").Text)
			if len(ways) > 1 {
				name += "-" + w.Name
			}
			for n := 2; ; n++ { // the same package for several systems
				if _, taken := g.at[name]; !taken {
					break
				}
				name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", n-1)), n)
			}
			g.set(name, w.Value)
		}
	}
	return g.members, short
}

// either returns the first member that there is: later versions write names in another way.
func either(v Value, names ...string) Value {
	for _, n := range names {
		if m := v.Member(n); m.Kind != 0 {
			return m
		}
	}
	return Value{}
}

// builder builds an entry. Its problem is the first thing that is missing.
type builder struct {
	args    []Value
	env     gatherer
	names   []Value // variables that are passed on
	headers gatherer
	problem string
}

func textValue(s string) Value { return Value{Kind: Text, Text: s} }

// fail sets the problem, unless there is one.
func (b *builder) fail(format string, args ...any) {
	if b.problem == "" {
		b.problem = fmt.Sprintf(format, args...)
	}
}

// entry returns the entry with some members before those that b has.
func (b *builder) entry(members ...Member) Value {
	e := Value{Kind: Object, Members: members}
	add := func(name string, v Value) { e.Members = append(e.Members, Member{name, v}) }
	if len(b.args) > 0 {
		add("args", Value{Kind: List, Items: b.args})
	}
	if len(b.env.members) > 0 {
		add("env", Value{Kind: Object, Members: b.env.members})
	}
	if len(b.names) > 0 {
		add("env_vars", Value{Kind: List, Items: b.names})
	}
	if len(b.headers.members) > 0 {
		add("headers", Value{Kind: Object, Members: b.headers.members})
	}
	if b.problem != "" {
		add("problem", textValue(b.problem))
	}
	return e
}

// packageEntry returns the entry of a package, of the server's version if it has none, and its
// command with the package alone.
func packageEntry(p Value, kind, version string) (entry Value, short string) {
	b := &builder{}
	name, version := either(p, "identifier", "name").Text, cmp.Or(p.Member("version").Text, version)
	runtime := either(p, "runtimeHint", "runtime_hint").Text
	versioned := func(mark string) string {
		if version == "" {
			return name
		}
		return name + mark + version
	}
	var command, what string
	var before []string
	switch kind {
	case "npm":
		command, what, before = "npx", versioned("@"), []string{"-y"}
	case "pypi":
		command, what = "uvx", versioned("@")
	case "nuget":
		command, what = "dnx", versioned("@")
	case "oci", "docker":
		host := strings.TrimSuffix(strings.TrimPrefix(either(p, "registryBaseUrl", "registry_base_url").Text, "https://"), "/")
		if host != "" && host != "docker.io" && !strings.HasPrefix(name, host+"/") {
			name = host + "/" + name
		}
		if command, what, before = "docker", name, []string{"run", "-i", "--rm"}; !strings.Contains(path.Base(name), ":") && !strings.Contains(name, "@") {
			what = versioned(":")
		}
	case "mcpb":
		b.fail("it is a bundle: install it, and start its server with --stdio, or import its manifest.json")
	default:
		b.fail("how a package of its registry is started is not known: start it with --stdio")
	}
	if runtime != "" && command != "" {
		command = runtime
	}
	given := b.arguments(either(p, "runtimeArguments", "runtime_arguments"))
	for _, a := range before {
		if !slices.ContainsFunc(given, func(v Value) bool { return v.Text == a }) {
			b.args = append(b.args, textValue(a))
		}
	}
	b.args = append(b.args, given...)
	for _, v := range either(p, "environmentVariables", "environment_variables").Items {
		variable := v.Member("name").Text
		value, ok := b.value(v)
		switch {
		case variable == "":
			continue
		case ok:
			b.env.set(variable, textValue(value))
		case either(v, "isRequired", "is_required").Says("true"):
			b.names = append(b.names, textValue(variable))
		default:
			continue // it goes without, and --env can pass it on
		}
		if kind == "oci" || kind == "docker" { // whatever starts the container
			b.args = append(b.args, textValue("-e"), textValue(variable))
		}
	}
	if b.args = append(b.args, textValue(what)); kind == "nuget" {
		b.args = append(b.args, textValue("--yes"), textValue("--"))
	}
	b.args = append(b.args, b.arguments(either(p, "packageArguments", "package_arguments"))...)
	if t := p.Member("transport"); !t.Member("type").Says("stdio") && t.Member("type").Kind == Text {
		b.fail("it answers over HTTP where it was started: start it, and import it with --http")
	}
	if command != "" {
		short = strings.Join(append(append([]string{command}, before...), what), " ")
	}
	return b.entry(Member{"command", textValue(command)}), short
}

// arguments returns a list's arguments, without those that the user may leave out.
func (b *builder) arguments(list Value) []Value {
	var args []Value
	for _, a := range list.Items {
		value, ok := b.value(a)
		required := either(a, "isRequired", "is_required").Says("true")
		name := a.Member("name").Text
		switch named := a.Member("type").Text == "named" && name != ""; {
		case named && ok:
			args = append(args, textValue(name), textValue(value))
		case required:
			b.fail("it needs an argument that is asked of the user: start it with --stdio and that argument")
		case named && !a.has("default", "value", "choices", "format", "placeholder", "isRequired", "is_required", "valueHint", "value_hint"):
			args = append(args, textValue(name))
		case !named && ok:
			args = append(args, textValue(value))
		}
	}
	return args
}

// value returns an input's value or default; false where it, or a variable in it, has none.
func (b *builder) value(input Value) (string, bool) {
	v := input.Member("value")
	if v.Kind == 0 {
		v = input.Member("default")
	}
	if v.Kind != Text && v.Kind != Bool || v.Text == "" {
		return "", false
	}
	out := v.Text
	for _, m := range input.Member("variables").Members {
		if !strings.Contains(out, "{"+m.Name+"}") {
			continue
		}
		inner := m.Member("value").Text
		if inner = cmp.Or(inner, m.Member("default").Text); inner == "" {
			return "", false
		}
		out = strings.ReplaceAll(out, "{"+m.Name+"}", inner)
	}
	return out, true
}
