package desk

import (
	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/tui/workbench"
)

// KnobGroup names the knobs that are together on a screen.
type KnobGroup uint8

// The groups.
const (
	BudgetKnobs     KnobGroup = iota // when tool search is on, and how it ranks
	SessionKnobs                     // habits that the break-even assumes; no settings
	StrategiesKnobs                  // how tools are selected
	ResultsKnobs                     // how results are rescued
)

// Knob is one value that can be turned.
type Knob struct {
	config.Spec
	Group KnobGroup
	Ranks bool // it changes what a query finds

	steps    []size
	lengths  []int                      // the only values, below which there is none; nil: steps
	snapshot func(*engine.Snapshot) any // returns the value of a knob that no file has; nil for a setting
	habit    func(*engine.Habits) *int  // where a habit is kept; nil for a setting
}

// Written reports whether a configuration file can hold the value.
func (k *Knob) Written() bool { return k.snapshot == nil && k.habit == nil }

// table has the knobs in the order of the screens. A knob with nothing but a key
// has the rest from the description of that setting in config.
var table = described([]Knob{
	setting(BudgetKnobs, "tools.tool_search.threshold_pct", size{5, 0.5}, size{20, 1}, size{noEnd, 5}),
	{Spec: config.Spec{Key: config.KeyContext}, Group: BudgetKnobs, lengths: engine.ContextLengths},
	setting(BudgetKnobs, config.KeyModel),
	{Spec: config.Spec{Key: config.KeyLimit}, Group: BudgetKnobs, Ranks: true, steps: []size{{noEnd, 1}}},
	{Spec: config.Spec{Key: workbench.KnobK1, Label: "k1", Kind: config.Number, Most: 10}, Group: BudgetKnobs, Ranks: true, steps: []size{{3, 0.1}, {noEnd, 0.5}},
		snapshot: func(s *engine.Snapshot) any { return s.Ranking.K1 }},
	{Spec: config.Spec{Key: workbench.KnobB, Label: "b", Kind: config.Number, Most: 1}, Group: BudgetKnobs, Ranks: true, steps: []size{{noEnd, 0.05}},
		snapshot: func(s *engine.Snapshot) any { return s.Ranking.B }},
	{Spec: config.Spec{Key: config.KeyRanker}, Group: BudgetKnobs, Ranks: true},
	{Spec: config.Spec{Key: config.KeyMeaning}, Group: BudgetKnobs, Ranks: true, steps: []size{{2, 0.1}, {noEnd, 0.5}}},
	{Spec: config.Spec{Key: config.KeyConfidence}, Group: BudgetKnobs, Ranks: true, steps: []size{{noEnd, 0.05}}},
	{Spec: config.Spec{Key: workbench.KnobTokenizer, Label: "tokenizer", Kind: config.Choice, Choices: tokens.Names()}, Group: BudgetKnobs,
		snapshot: func(s *engine.Snapshot) any { return string(s.Tokenizer) }},
	setting(BudgetKnobs, config.KeyMode),
	setting(BudgetKnobs, config.KeyHost),
	setting(BudgetKnobs, config.KeyListing),
	setting(BudgetKnobs, config.KeyListingMost, size{2_000, 100}, size{10_000, 500}, size{noEnd, 5_000}),

	{Spec: config.Spec{Key: "turns", Label: "turns", Kind: config.Whole, Default: engine.DefaultHabits.Turns, Least: 1, Most: 1000}, Group: SessionKnobs,
		steps: []size{{20, 1}, {100, 5}, {noEnd, 50}}, habit: func(h *engine.Habits) *int { return &h.Turns }},
	{Spec: config.Spec{Key: "tools used", Label: "tools used", Kind: config.Whole, Default: engine.DefaultHabits.ToolsUsed, Most: 500}, Group: SessionKnobs,
		steps: []size{{20, 1}, {noEnd, 5}}, habit: func(h *engine.Habits) *int { return &h.ToolsUsed }},
	{Spec: config.Spec{Key: "tokens per search result", Label: "result tokens", Kind: config.Whole, Default: engine.DefaultHabits.ResultTokens, Most: 20_000}, Group: SessionKnobs,
		steps: []size{{1000, 50}, {noEnd, 500}}, habit: func(h *engine.Habits) *int { return &h.ResultTokens }},

	setting(StrategiesKnobs, config.KeySelection),
	setting(StrategiesKnobs, "tools.rag_top_k", size{32, 1}, size{128, 8}, size{noEnd, 50}),
	setting(StrategiesKnobs, "tools.rag_rrf_k", size{10, 1}, size{100, 5}, size{noEnd, 50}),
	setting(StrategiesKnobs, "tools.rag_weights.keyword", size{2, 0.1}, size{10, 0.5}, size{noEnd, 5}),
	setting(StrategiesKnobs, "tools.rag_weights.semantic", size{2, 0.1}, size{10, 0.5}, size{noEnd, 5}),
	setting(StrategiesKnobs, config.KeyRAGCore),
	setting(StrategiesKnobs, "tools.rag_sticky"),
	setting(StrategiesKnobs, "tools.rag_embed_model"),
	setting(StrategiesKnobs, "tools.rag_embed_timeout_ms", size{1000, 50}, size{10_000, 500}, size{noEnd, 5_000}),
	setting(StrategiesKnobs, "tools.rag_floor", size{2, 0.1}, size{noEnd, 0.5}),

	setting(ResultsKnobs, "toolaria.max_result_chars"),
	setting(ResultsKnobs, "toolaria.excerpt_max_chars"),
	setting(ResultsKnobs, "toolaria.head_lines"),
	setting(ResultsKnobs, "toolaria.tail_lines"),
	setting(ResultsKnobs, "toolaria.json_head_items"),
	setting(ResultsKnobs, "toolaria.json_tail_items"),
	setting(ResultsKnobs, "toolaria.fetch_max_chars"),
	setting(ResultsKnobs, "toolaria.full_fetch_max_chars"),
})

// setting returns the knob of a setting, by default with the steps of its unit.
func setting(g KnobGroup, key string, steps ...size) Knob {
	return Knob{Spec: config.Spec{Key: key}, Group: g, steps: steps}
}

// described returns the knobs with the descriptions of their settings.
func described(knobs []Knob) []*Knob {
	var list []*Knob
	for _, k := range knobs {
		if s, ok := config.SpecOf(k.Key); ok {
			k.Spec = s
		}
		switch {
		case k.steps != nil:
		case k.Unit == config.Characters:
			k.steps = characters
		default:
			k.steps = counts
		}
		list = append(list, &k)
	}
	return list
}

// KnobsOf returns the knobs of a group, in order.
func KnobsOf(g KnobGroup) []*Knob {
	var list []*Knob
	for _, k := range table {
		if k.Group == g {
			list = append(list, k)
		}
	}
	return list
}

// KnobOf returns the knob of a key, nil for none.
func KnobOf(key string) *Knob {
	for _, k := range table {
		if k.Key == key {
			return k
		}
	}
	return nil
}

// UnwrittenKnobs returns the knobs that no configuration file can hold.
func UnwrittenKnobs() []*Knob {
	var list []*Knob
	for _, k := range table {
		if k.snapshot != nil {
			list = append(list, k)
		}
	}
	return list
}

// ValueIn returns the value of a knob of settings in a snapshot: nil for a
// context of unknown length.
func (k *Knob) ValueIn(s *engine.Snapshot) any {
	if k.snapshot != nil {
		return k.snapshot(s)
	}
	v := k.In(&s.Config)
	if n, whole := v.(int); whole && k.lengths != nil && n <= 0 {
		return nil
	}
	return v
}
