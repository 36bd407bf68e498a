// Package demo holds the data that caliper opens on when it is given none: the
// registry dump of an invented boat hire, a config with five sessions, labelled
// queries, four results of tools that are too long for a context, and the logs
// of three conversations.
//
// It aims to show every state of tool search with little: sessions on both
// sides of the threshold, a tool that is not available, two tools of one name,
// a plugin, composite toolsets, rules of policy, and queries that BM25 finds as
// well as some that it does not. The files are laid out to be edited by hand.
//
// It writes its files to a folder that the caller has made, because the demo
// is edited and watched like any other registry. It does not parse them,
// choose the folder or clean it up.
//
// Bulk makes registries of any size of the demo's tools, for benchmarks and slow tests.
package demo

import (
	"compress/gzip"
	"embed"
	"io"
	"path"
)

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
	// Compressed, since only the explorer and rescue show them: 118 KB less in the
	// binary. To edit one, gunzip it, and gzip -9 -n it again.
	//go:embed results
	results embed.FS
	// Compressed as the results are: 48 KB less.
	//go:embed sessions
	sessions embed.FS
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

// ResultFiles are the names of the results, each named by the tool whose result
// it is, with a suffix: a log with errors, a JSON array, a page of HTML and
// JSON in one line.
var ResultFiles = []string{"mcp_signals_tail_logs.log", "mcp_payments_list_charges.json", "web_extract.html", "mcp_warehouse_run_query.json"}

// SessionsFolder is the folder of the logged conversations, in the demo's own.
const SessionsFolder = "sessions"

// SessionFiles are the names of the logged conversations: a morning at the
// front desk by Claude Code, which is sent every tool; a release by Codex, which
// searches three times for one tool; a night by Hermes, which asks in words that
// no description has and calls a tool that nobody offers. Their usage follows a
// law like a provider's (so many tokens a character of each kind of text,
// and a fixed sum), so that replay can be tried on them.
var SessionFiles = []string{"front-desk.claude.jsonl", "release.codex.jsonl", "night-desk.hermes.jsonl"}

// Session returns a fresh copy of a logged conversation by its name in
// SessionFiles, nil for any other name.
func Session(name string) []byte { return unpack(sessions, path.Join("sessions", name+".gz")) }

// Result returns a fresh copy of a result by its name in ResultFiles, nil for
// any other name.
func Result(name string) []byte { return unpack(results, path.Join("results", name+".gz")) }

// unpack returns the text of a compressed file, nil when there is none.
func unpack(files embed.FS, name string) []byte {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		return nil
	}
	return data
}
