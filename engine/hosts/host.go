package hosts

import (
	"slices"

	"caliper/config"
	"caliper/model"
)

// Host is the tool search of one version of an agent.
type Host struct {
	Name    string // as it is typed, such as claude-code
	Title   string // as it is called, such as Claude Code
	Package string // what was measured, such as npm ai
	Version string
	Month   string // of the measurement, such as 2026-11
	Limit   int    // tools in an answer that the model asks no number of

	Generation config.Generation // of the reference agent, whose rules the packages engine and retrieval have; empty: another agent
	On         string            // when its tool search is on, in words that follow "on"
	Imitation  bool              // its rules are not measured
	Ranker     bool              // a ranker of caliper's own, which no agent has
	Grouped    bool              // its answer has servers, and in each the names of tools at it: no query finds the two together
	Untold     string            // why the order of some answers cannot be told; empty: it always can
	Client     string            // whose configuration files it reads, as package clientfile names it; empty for a library

	naming  func(server, tool string) string      // nil: names are as the dump has them
	names   func(*Host, []*model.Tool) []string   // of several tools, where one's depends on another's or on its length; nil: naming alone
	above   int                                   // tools that must be exceeded before it searches, without its own
	refuses func(*model.Tool) bool                // reports whether the whole list of a server is refused for a tool; nil: never
	leaves  func(name string, t *model.Tool) bool // reports whether a tool alone is left out, for the name that the model would see or for a parameter; nil: never
	cleaned func(text string) string              // changes names and descriptions before all else; nil: they stay
	direct  func(*Index, string) ([]*entry, bool)
	rules   rules
}

// rules are how a host scores and orders the tools that a query finds.
type rules struct {
	words    func(text string) []string                        // cuts the query, and the text of bm25
	query    func(query string) (words []string, required int) // cuts a query whose first words a tool must have; nil: words does
	repeats  bool                                              // a word that the query has twice counts twice
	texts    []text
	points   func(e *entry, word string, before float64) float64 // where they depend on more than one text; nil: they do not
	bm25     *bm25
	joined   func(text string) int   // by how many words a dictionary that caliper has not may cut the text into fewer; nil: the host has none
	rescored int                     // texts give to the best so many by bm25 alone, and the others are left out; 0: to all
	whole    func(e *entry) []string // words that add every idf of the query when it has all of them; nil: none
	order    []key                   // then the order of the tools
	chance   bool                    // hits that the keys do not tell apart are in an order by chance
	tiers    bool                    // the query is a regular expression
}

// text is a part of a tool that gives for a word of the query.
type text struct {
	of     func(*entry) []string // its words, or itself
	equal  float64               // for a word that is one of them
	inside float64               // for a word that stands inside one of them
	rare   bool                  // times the idf of the word
}

// bm25 is the formula over one text of a tool.
type bm25 struct {
	of     func(*entry) string
	k1, b  float64
	single bool // computed in float32
	early  bool // idf is multiplied before the division
}

// key is one thing by which hits are ordered.
type key int

const (
	byExactName key = iota // the query is the tool's name
	byCovered              // how many of the query's words the tool has
	byScore
	byFirst   // the place in the query of the first word that the tool has
	byServer  // by server, then by the name that the model sees
	byLetters // the host's own tools, then the name that the model sees, as people sort: a before B
	byName    // the name that the model sees
)

// All are the hosts in the order of their names.
var All = []*Host{aiSDK, claudeCode, codex, copilotCLI, fastMCP, hermesJune, hermesSeptember, liveKit, mastra, pi}

// Foreign returns the names of the hosts that are no generation of the reference agent.
func Foreign() (names []string) {
	for _, h := range All {
		if h.Generation == "" {
			names = append(names, h.Name)
		}
	}
	return names
}

// Named returns the host of a name, nil for none.
func Named(name string) *Host {
	i := slices.IndexFunc(All, func(h *Host) bool { return h.Name == name })
	if i < 0 {
		return nil
	}
	return All[i]
}

// Called returns what the host is called with its version: Claude Code 2.1.332, or Hermes,
// June 2026.
func (h *Host) Called() string {
	if h.Generation != "" {
		return h.Title
	}
	return h.Title + " " + h.Version
}

// Configured returns the host that a configuration names: that of its generation for a name
// that is not known.
func Configured(c *config.Config) *Host {
	if h := Named(c.Host); h != nil && h.Generation == "" {
		return h
	}
	return OfGeneration(c.ToolSearch.Generation)
}

// OfGeneration returns the host that is a generation of the reference agent.
func OfGeneration(g config.Generation) *Host {
	if g == config.September2026 {
		return hermesSeptember
	}
	return hermesJune
}

// The reference agent's two generations.
var (
	hermesJune      = hermes("hermes-2026-06", "June 2026", config.June2026, "0.20.0 of 2026-06-25", "2026-06")
	hermesSeptember = hermes("hermes-2026-09", "September 2026", config.September2026, "late September 2026", "2026-09")
)

// hermes returns a generation of the reference agent.
func hermes(name, date string, g config.Generation, version, month string) *Host {
	return &Host{Name: name, Title: "Hermes, " + date, Package: "NousResearch/hermes-agent", Version: version, Month: month, Limit: 5, Generation: g, Client: "hermes",
		On: "when the deferrable tools reach the threshold"}
}
