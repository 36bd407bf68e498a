package shapes

import (
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// plainFile is the name of a file that a shell takes as it stands.
var plainFile = words.LazyRegexp(`^[A-Za-z0-9_./~:+@%,][A-Za-z0-9_./~:+@%,-]*$`)

// importServers tells what to do with a client configuration of a name.
func importServers(name string) string {
	switch {
	case name == "", name == "-":
		name = "FILE"
	case !plainFile().MatchString(name):
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return `run "caliper import --mcp-config ` + name + ` --all", or with --server NAME, to ask them for theirs`
}

// clientConfig is the configuration of an MCP client, as package clientfile reads it.
// It tells how to reach servers and holds no tools.
//
// SECURITY: env, headers and arguments may be secrets. Nothing of a
// configuration is shown but the number of its servers.
var clientConfig = shape{
	match: func(o *object) bool { _, ok := clientFile(o); return ok },
	read: func(r *reader, o *object) error {
		f, _ := clientFile(o)
		path, at := o.path, o.At
		if len(f.Path) > 0 {
			v := o.Member(f.Path...)
			if at = v.At; r.notation != "" { // there only the key stands in the source
				at -= len(jsontree.AppendQuoted(nil, f.Path[len(f.Path)-1])) + len(":")
			}
			for _, key := range f.Path {
				path = jsontree.JoinName(path, key)
			}
		}
		return r.finding("client_config", at, path, configMessage(f, r.notation, r.source.Name))
	},
}

// clientFile returns the configuration that an object is. One without a member in which a
// configuration may begin is not parsed.
func clientFile(o *object) (clientfile.File, bool) {
	begins := slices.ContainsFunc(o.members, func(m jsontree.Member) bool { return clientfile.Begins(m.Name) })
	other := func(m jsontree.Member) bool {
		return !m.IsObject() || m.Member("command").First() == 0 && m.Member("url").First() == 0 && m.Member("serverUrl").First() == 0 && m.Member("httpUrl").First() == 0
	}
	if len(o.members) == 0 || !begins && slices.ContainsFunc(o.members, other) {
		return clientfile.File{}, false
	}
	return clientfile.Of(o.Raw)
}

// configMessage tells what a configuration is. The notation is "" for JSON.
func configMessage(f clientfile.File, notation, source string) string {
	if f.Client == clientfile.RegistryClient {
		return registryMessage(f, source)
	}
	message := "a client configuration"
	if client := clientNames[f.Client]; client != "" {
		message += " of " + client
	}
	if notation != "" {
		message += " in " + notation
	}
	if len(f.Entries) == 0 {
		return message + ": it lists no servers and holds no tools; list the servers first, or import them with --stdio or --http"
	}
	return message + ": it lists " + words.Count(len(f.Entries), "server") + " and holds no tools; " + importServers(source)
}

// registryMessage tells what an entry of the MCP registry is, and how its server is reached.
func registryMessage(f clientfile.File, source string) string {
	const shown = 3
	var ways []string
	for _, w := range f.Ways {
		if w = safetext.Line(w); w != "" && len(w) <= 200 && len(ways) < shown {
			ways = append(ways, w)
		}
	}
	message := "an entry of the MCP registry: it says how to start or reach a server and holds no tools; "
	if len(f.Entries) > 1 {
		message = "from the MCP registry: it says how to start or reach servers, in " + words.Count(len(f.Entries), "way") + ", and holds no tools; "
	}
	if message += importServers(source); len(ways) > 0 {
		message += ": " + strings.Join(ways, ", ")
	}
	return message
}

// clientNames are what clients are called whose files no other client has.
var clientNames = map[string]string{
	"amp": "Amp", "continue": "Continue", "crush": "Crush", "gemini": "Gemini CLI", "goose": "Goose", "litellm": "LiteLLM", "mcpproxy": "mcpproxy",
	"open-webui": "Open WebUI", "opencode": "OpenCode",
}
