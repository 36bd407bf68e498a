package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// fate says what became of a given value.
type fate uint8

const (
	taken   fate = iota // as given, or nearest to it in the range
	refused             // unusable: the default holds
	ruined              // the reference gives up on the whole section
)

// outcome is what a rule says about a value. A code makes it a warning.
type outcome struct {
	fate  fate
	code  string
	note  string
	items []itemOutcome // of a list
}

// itemOutcome is a warning about one item of a list.
type itemOutcome struct {
	index int
	at    value
	code  string
	note  string
}

// modeWords are the spellings of the modes. A boolean or an integer counts as
// its text.
var modeWords = map[string]Mode{
	"auto": Auto,
	"on":   On, "true": On, "1": On, "yes": On,
	"off": Off, "false": Off, "0": Off, "no": Off,
}

func setEnabled(c *Config, v value) outcome {
	if v.kind == null {
		return outcome{}
	}
	word := ""
	switch v.kind {
	case text:
		word = strings.ToLower(strings.TrimFunc(v.text, isSpace))
	case boolean, integer:
		word = fmt.Sprint(v.asInteger())
	}
	if mode, ok := modeWords[word]; ok {
		c.ToolSearch.Enabled = mode
		return outcome{}
	}
	return outcome{fate: refused, code: "unknown_mode",
		note: v.source() + " is none of auto, on and off, so it means auto" + didYouMean(word, []string{"auto", "on", "off"})}
}

func setThreshold(c *Config, v value) outcome {
	if v.kind == null {
		return outcome{}
	}
	f, fate := v.number()
	switch {
	case fate == ruined:
		return outcome{fate: ruined, note: v.source() + " is beyond the range of numbers"}
	case fate == refused:
		return unusable(v, "a number", fmt.Sprintf("the default %g is used", c.ToolSearch.ThresholdPct))
	case math.IsNaN(f):
		c.ToolSearch.ThresholdPct = maxThresholdPct
		return outcome{code: "clamped", note: v.source() + " ends at the upper bound, 100"}
	}
	c.ToolSearch.ThresholdPct = max(0, min(maxThresholdPct, f))
	if f < 0 || f > maxThresholdPct {
		return outcome{code: "clamped", note: fmt.Sprintf("%s is outside 0..100; %g is used", v.read(f), c.ToolSearch.ThresholdPct)}
	}
	return v.reading(f)
}

func setMaxLimit(c *Config, v value) outcome {
	return setLimit(&c.ToolSearch.MaxLimit, v, maxSearchLimit)
}

// setDefaultLimit comes after setMaxLimit, against which it clamps. A default
// of its own is clamped too.
func setDefaultLimit(c *Config, v value) outcome {
	top := c.ToolSearch.MaxLimit
	if v.kind == null && c.ToolSearch.DefaultLimit > top {
		note := fmt.Sprintf("the default %d is above max_search_limit; %d is used", c.ToolSearch.DefaultLimit, top)
		c.ToolSearch.DefaultLimit = top
		return outcome{code: "clamped", note: note}
	}
	out := setLimit(&c.ToolSearch.DefaultLimit, v, top)
	c.ToolSearch.DefaultLimit = min(c.ToolSearch.DefaultLimit, top)
	return out
}

// setLimit clamps to 1..top.
func setLimit(limit *int, v value, top int) outcome {
	if v.kind == null {
		return outcome{}
	}
	n, fate := v.integer()
	switch fate {
	case ruined:
		return outcome{fate: ruined, note: v.source() + " cannot be an integer"}
	case refused:
		return unusable(v, "an integer", fmt.Sprintf("the default %d is used", min(*limit, top)))
	}
	*limit = int(max(1, min(int64(top), n)))
	if int64(*limit) != n {
		return outcome{code: "clamped", note: fmt.Sprintf("%s is outside 1..%d; %d is used", v.read(float64(n)), top, *limit)}
	}
	return v.reading(float64(n))
}

// setContext takes any integer that fits. A boolean is not one here: nobody
// means a context of one token.
func setContext(c *Config, v value) outcome {
	c.ContextLength = nil
	if v.kind == null {
		return outcome{}
	}
	n, fate := v.integer()
	if fate != taken || v.kind == boolean || n == math.MaxInt64 || n == math.MinInt64 {
		return unusable(v, "an integer", "the context length is unknown")
	}
	length := int(n)
	c.ContextLength = &length
	if length < 1 {
		return outcome{code: "context_not_positive", note: v.source() + " counts as unknown"}
	}
	return v.reading(float64(n))
}

// The rankers: that of the reference agent, ours, and the reference agent's
// later rules.
const (
	RankerBM25    = "bm25"
	RankerFielded = "fielded"
	RankerGated   = "bm25-gated"
)

// Rankers are the values of tools.tool_search.ranker, the default first. It
// must not be changed.
var Rankers = []string{RankerBM25, RankerFielded, RankerGated}

func setRanker(c *Config, v value) outcome {
	switch {
	case v.kind == null:
		return outcome{}
	case v.kind == text && slices.Contains(Rankers, v.text):
		c.ToolSearch.Ranker = v.text
		return outcome{}
	}
	return unknownWord(v, "unknown_ranker", Rankers, c.ToolSearch.Ranker)
}

// The strategies of tools.selection. SelectEager and SelectToolSearch choose
// nothing before the model is called, SelectLazy sends names, and the others
// select tools for a message.
const (
	SelectEager      = "eager"
	SelectLazy       = "lazy"
	SelectToolSearch = "tool_search"
	SelectKeyword    = "keyword"
	SelectSemantic   = "semantic"
	SelectHybrid     = "hybrid"
)

// Strategies are the values of tools.selection, in the order in which they are
// compared. It must not be changed.
var Strategies = []string{SelectEager, SelectLazy, SelectToolSearch, SelectKeyword, SelectSemantic, SelectHybrid}

// setSelection takes the strategy as a word or as {strategy: word}.
func setSelection(c *Config, v value) outcome {
	if v.kind == mapping {
		inner := value{kind: v.kind, node: v.node}
		for _, e := range entries(v.node) {
			if e.isText && e.name == "strategy" {
				inner = v.resolve(e.val)
			}
		}
		v = inner
	}
	switch {
	case v.kind == null:
		return outcome{}
	case v.kind == text && slices.Contains(Strategies, v.text):
		c.Selection = v.text
		return outcome{}
	}
	return unknownWord(v, "unknown_strategy", Strategies, c.Selection)
}

func setCore(c *Config, v value) outcome {
	switch v.kind {
	case null:
		return outcome{}
	case list:
	default:
		return outcome{fate: refused, code: "not_a_list", note: v.source() + " is not a list of names; the built-in core list is used"}
	}
	names, items := v.names()
	c.Core = names
	return outcome{items: items}
}

func unknownWord(v value, code string, known []string, fallback string) outcome {
	return outcome{fate: refused, code: code,
		note: v.source() + " is none of " + strings.Join(known, ", ") + "; " + fallback + " is used" + didYouMean(v.text, known)}
}

func unusable(v value, wanted, instead string) outcome {
	aside := ""
	if _, ok := readFloat(v.text); ok && v.kind == text && !v.quoted {
		aside = " (YAML 1.1 has it as text)"
	}
	return outcome{fate: refused, code: "not_a_number", note: v.source() + " is not " + wanted + aside + "; " + instead}
}

// number converts as the reference's float does.
func (v value) number() (float64, fate) {
	switch v.kind {
	case boolean:
		return float64(v.asInteger()), taken
	case integer:
		if math.IsInf(v.float, 0) {
			return 0, ruined
		}
		return v.float, taken
	case decimal:
		return v.float, taken
	case text, binary:
		if f, ok := readFloat(v.text); ok {
			return f, taken
		}
	}
	return 0, refused
}

// integer converts as the reference's int does, saturated: a fraction is cut
// off, but not in text, and infinity is more than unusable.
func (v value) integer() (int64, fate) {
	switch v.kind {
	case boolean, integer:
		return v.asInteger(), taken
	case decimal:
		switch {
		case math.IsNaN(v.float):
			return 0, refused
		case math.IsInf(v.float, 0):
			return 0, ruined
		}
		return saturated(v.float), taken
	case text, binary:
		if n, ok := readInt(v.text); ok {
			return n, taken
		}
	}
	return 0, refused
}

func (v value) asInteger() int64 {
	if v.kind == boolean && v.yes {
		return 1
	}
	return v.int
}

// isSpace says whether the reference's language strips r from text: Unicode
// white space and the four ASCII separators.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F
}
