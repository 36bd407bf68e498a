// Package demo holds the data that caliper opens on when it is given none: the
// registry dump of an invented boat hire, a config with five sessions, and
// labelled queries.
//
// It aims to show every state of tool search with little: sessions on both
// sides of the threshold, a tool that is not available, two tools of one name,
// a plugin, composite toolsets, rules of policy, and queries that BM25 finds as
// well as some that it does not. The files are laid out to be edited by hand.
//
// It writes its files to a folder that the caller has made, because the demo
// is edited and watched like any other registry. It does not parse them,
// choose the folder or clean it up.
package demo

import _ "embed" // for the three files

// Names of the files, as Write calls them and as errors about them should.
const (
	RegistryFile = "registry.json"
	ConfigFile   = "config.yaml"
	QueriesFile  = "queries.jsonl"
)

// Strings, so that no caller can change what the next one is given.
var (
	//go:embed registry.json
	registry string
	//go:embed config.yaml
	config string
	//go:embed queries.jsonl
	queries string
)

// Registry returns a fresh copy of the registry dump, in the shape that Hermes
// writes: toolsets and tools, names as mcp_<server>_<tool>.
func Registry() []byte { return []byte(registry) }

// Config returns a fresh copy of the config: the defaults of tool search
// spelled out, five sessions and two rules of policy.
func Config() []byte { return []byte(config) }

// Queries returns a fresh copy of the labelled queries, one JSON object
// {"id","query","relevant"} a line. The id begins with how hard the query is:
// easy, plain, hard, or ambiguous when several tools are right.
func Queries() []byte { return []byte(queries) }
