// Package synthetic makes catalogs that look like those of many MCP servers,
// of any size, for benchmarks and property tests.
//
// Goals:
//   - the same size and seed give the same tools, byte for byte, everywhere;
//   - the statistics a ranker depends on are like those of real registries:
//     words follow Zipf's law, the vocabulary grows with the catalog (Heaps'
//     law), a few words stand in half of the tools, descriptions have 8 to 60
//     words and schemas 1 to 12 parameters;
//   - the tools and the JSON dump hold the same definitions.
//
// Non-goals: text that reads well, and hostile input. Nothing here is taken
// from a real server.
package synthetic

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"strconv"

	"caliper/model"
)

// server is one synthetic MCP server: its tools share a prefix and favour a
// few topic words.
type server struct {
	name   string
	topics []string
	left   int // tools it has still to make
}

// generator makes one definition after another.
type generator struct {
	rand    *rand.Rand
	lexicon []string
	zipf    *rand.Zipf
	server  server
	servers int
	taken   map[string]bool
}

func newGenerator(n int, seed uint64) *generator {
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	lexicon := newLexicon(vocabulary(n), r)
	return &generator{
		rand:    r,
		lexicon: lexicon,
		zipf:    rand.NewZipf(r, 1.06, 2.7, uint64(len(lexicon)-1)),
		taken:   make(map[string]bool, n),
	}
}

// vocabulary returns the number of distinct words n tools draw from: Heaps'
// law with an exponent of 0.6, fitted to registries of several hundred tools.
func vocabulary(n int) int {
	return max(600, int(60*math.Pow(float64(n), 0.6)))
}

// word draws a word of the whole lexicon by Zipf's law.
func (g *generator) word() string { return g.lexicon[g.zipf.Uint64()] }

// pick draws one of words evenly.
func (g *generator) pick(words []string) string { return words[g.rand.IntN(len(words))] }

// nextServer starts a server of 4 to 60 tools with three to six topics.
func (g *generator) nextServer() {
	rare := g.lexicon[len(common):]
	topics := make([]string, 3+g.rand.IntN(4))
	for i := range topics {
		topics[i] = g.pick(rare)
	}
	g.servers++
	g.server = server{
		name:   topics[0] + strconv.Itoa(g.servers),
		topics: topics,
		left:   4 + g.rand.IntN(57),
	}
}

// tool makes the next tool.
func (g *generator) tool() *model.Tool {
	if g.server.left == 0 {
		g.nextServer()
	}
	g.server.left--
	original := g.pick(verbs) + "_" + g.pick(g.server.topics)
	if g.rand.IntN(2) == 0 {
		original += "_" + g.pick(nouns)
	}
	name := "mcp_" + g.server.name + "_" + original
	for i := 2; g.taken[name]; i++ {
		name = "mcp_" + g.server.name + "_" + original + "_" + strconv.Itoa(i)
	}
	g.taken[name] = true
	description := g.sentence(8 + g.rand.IntN(53))
	parameters := g.schema(1 + g.rand.IntN(12))
	return assemble(name, description, parameters, g.server.name)
}

// sentence makes n words: one in eight is a topic of the server, the others
// follow Zipf's law.
func (g *generator) sentence(n int) string {
	text := make([]byte, 0, n*8)
	for i := range n {
		w := g.word()
		if g.rand.IntN(8) == 0 {
			w = g.pick(g.server.topics)
		}
		if i == 0 {
			text = append(text, w[0]&^0x20)
			text = append(text, w[1:]...)
			continue
		}
		text = append(text, ' ')
		text = append(text, w...)
		if i%11 == 10 {
			text = append(text, ',')
		}
	}
	return string(append(text, '.'))
}

// assemble makes a tool of its parts. Names and texts are of ASCII letters,
// digits, spaces, commas, full stops and underscores, so that JSON needs no
// escapes.
func assemble(name, description string, parameters []byte, server string) *model.Tool {
	function := make([]byte, 0, len(name)+len(description)+len(parameters)+48)
	function = append(function, `{"name":"`...)
	function = append(function, name...)
	function = append(function, `","description":"`...)
	function = append(function, description...)
	function = append(function, `","parameters":`...)
	start := len(function)
	function = append(function, parameters...)
	end := len(function)
	function = append(function, '}')
	sum := sha256.Sum256(function)
	t := &model.Tool{
		Name:         name,
		Qualified:    name,
		Description:  description,
		Function:     function,
		Parameters:   function[start:end:end],
		ShownName:    name,
		Toolset:      "mcp-" + server,
		ShownToolset: "mcp-" + server,
		Server:       server,
		OriginalName: name[len("mcp_")+len(server)+1:],
		Available:    true,
	}
	copy(t.Hash[:], sum[:])
	return t
}

// Tools returns n tools, server by server. Their hashes tell them apart as
// the ones of parsed tools do, but need not be equal to those. It panics when
// n is negative.
func Tools(n int, seed uint64) []*model.Tool {
	g := newGenerator(n, seed)
	tools := make([]*model.Tool, n)
	for i := range tools {
		tools[i] = g.tool()
	}
	return tools
}

// Dump returns the registry dump (Hermes shape, compact JSON) of the tools
// that Tools returns for the same size and seed.
func Dump(n int, seed uint64) []byte {
	g := newGenerator(n, seed)
	dump := append(make([]byte, 0, n*900+64), `{"tools":[`...)
	for i := range n {
		t := g.tool()
		if i > 0 {
			dump = append(dump, ',')
		}
		dump = append(dump, "\n"+`{"type":"function","function":`...)
		dump = append(dump, t.Function...)
		dump = append(dump, `,"toolset":"`...)
		dump = append(dump, t.Toolset...)
		dump = append(dump, `","source":"mcp","server":"`...)
		dump = append(dump, t.Server...)
		dump = append(dump, `","original_name":"`...)
		dump = append(dump, t.OriginalName...)
		dump = append(dump, `"}`...)
	}
	return append(dump, "\n]}\n"...)
}

// Revise returns a tool with the name and parameters of t whose description
// ends with the word rev followed by the number, as if somebody had edited
// it. The tool itself is not changed.
func Revise(t *model.Tool, number int) *model.Tool {
	return assemble(t.Name, t.Description+" rev"+strconv.Itoa(number), t.Parameters, t.Server)
}
