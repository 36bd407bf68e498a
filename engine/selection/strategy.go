package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine"
)

// Strategy is how schemas are chosen.
type Strategy string

// The strategies.
const (
	Eager      Strategy = config.SelectEager      // every granted schema
	Lazy       Strategy = config.SelectLazy       // the names of all; a schema costs a round trip
	ToolSearch Strategy = config.SelectToolSearch // what tool search decides alone
	Keyword    Strategy = config.SelectKeyword    // the best K by the snapshot's ranker
	Semantic   Strategy = config.SelectSemantic   // the best K by an embedder
	Hybrid     Strategy = config.SelectHybrid     // the best K by both, fused
)

// Strategies lists all strategies, in the order in which tables show them. It must not be changed.
var Strategies = []Strategy{Eager, Lazy, ToolSearch, Keyword, Semantic, Hybrid}

// ParseStrategy returns the strategy of a name, which is exact.
func ParseStrategy(name string) (Strategy, error) {
	if slices.Contains(Strategies, Strategy(name)) {
		return Strategy(name), nil
	}
	words := make([]string, len(Strategies))
	for i, s := range Strategies {
		words[i] = string(s)
	}
	return "", fmt.Errorf("strategy %q: not one of %s", name, strings.Join(words, ", "))
}

// Ranks reports whether the strategy ranks tools for a message; the others
// send the same whatever it says.
func (s Strategy) Ranks() bool { return s == Keyword || s == Semantic || s == Hybrid }

// usesSimilarity reports whether the strategy has a semantic ranking.
func (s Strategy) usesSimilarity() bool { return s == Semantic || s == Hybrid }

// DefaultTimeout is how long a selection waits for an embedder that loads or
// asks a model, unless tools.rag_embed_timeout_ms says otherwise.
const DefaultTimeout = 300 * time.Millisecond

// builtInTimeout bounds the embedder that is built in. It is long because only a
// busy machine makes this embedder slow, and that must not change the selection.
const builtInTimeout = time.Minute

// Settings are the knobs of a selection.
type Settings struct {
	Strategy Strategy
	K        int      // tools to select, the core not counted; less than 1 counts as 1
	Core     []string // names, or qualified names, of the tools that are always sent, if granted
	Exclude  []string // names of the tools that are never selected, even if the message names them; it overrides Core

	RRFK     float64 // the k of weight/(k + rank), not negative; 0 adds weighted scores instead
	Keyword  float64 // weights of the two rankings under Hybrid; a ranking of weight 0 is not computed
	Semantic float64

	Floor   float64       // how far a similarity has to stand out (see embed.Similarity); 0 is the middle of all
	Sticky  bool          // a tool that was selected once stays selected in the session
	Timeout time.Duration // how long to wait for the embedder; 0 means DefaultTimeout

	// IgnoreNames turns rule 3 off: a tool that the message names is ranked
	// like any. It is for measuring the rankers alone.
	IgnoreNames bool
	// Now is the clock that selections are timed by, which must be safe for
	// concurrent use; nil means time.Now. The timeout does not go by it.
	Now func() time.Time
}

// SettingsOf returns the settings of a configuration. An unknown strategy becomes
// Eager, as in the configuration.
func SettingsOf(c config.Config) Settings {
	p := c.PreSelection
	strategy, err := ParseStrategy(c.Selection)
	if err != nil {
		strategy = Eager
	}
	return Settings{
		Strategy: strategy,
		Timeout:  TimeoutOf(p),
		K:        p.TopK,
		Core:     p.Core,
		Exclude:  p.Exclude,
		RRFK:     p.RRFK,
		Keyword:  p.KeywordWeight,
		Semantic: p.SemanticWeight,
		Floor:    p.Floor,
		Sticky:   p.Sticky,
	}
}

// TimeoutOf returns how long a message waits for the embedder of a configuration.
func TimeoutOf(p config.PreSelection) time.Duration {
	if p.BuiltIn() {
		return builtInTimeout
	}
	return cmp.Or(time.Duration(p.EmbedTimeout)*time.Millisecond, DefaultTimeout)
}

// InForce returns the strategy by which a snapshot's session is sent its tools.
// Its configuration's eager chooses nothing before the model is called, so that
// with it tool search decides: InForce is then ToolSearch where that is active.
func InForce(s *engine.Snapshot) Strategy {
	strategy := SettingsOf(s.Config).Strategy
	if strategy == Eager && s.Active() {
		return ToolSearch
	}
	return strategy
}

// settled returns the settings with every value in its range.
func (s Settings) settled() Settings {
	s.K = max(s.K, 1)
	s.RRFK = max(s.RRFK, 0)
	if s.Timeout <= 0 {
		s.Timeout = DefaultTimeout
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return s
}

func (s Settings) wantsKeywords() bool {
	return s.Strategy == Keyword || s.Strategy == Hybrid && s.Keyword > 0
}

func (s Settings) wantsSimilarity() bool {
	return s.Strategy == Semantic || s.Strategy == Hybrid && s.Semantic > 0
}

// weights returns the weights of the two rankings under the strategy. A ranking
// that is used alone has the weight 1, whatever the settings are.
func (s Settings) weights(l rankings) (keyword, semantic float64) {
	switch {
	case s.Strategy == Keyword, l.similarityFailed:
		return 1, 0
	case s.Strategy == Semantic:
		return 0, 1
	}
	return s.Keyword, s.Semantic
}
