package engine

import (
	"caliper/config"
	"caliper/engine/tokens"
)

// Budget is what the definitions of a session cost, in tokens of one method.
// Every figure is rounded once, from the sum it stands for, so that the parts
// need not add up to the whole to the token.
type Budget struct {
	Session         string          `json:"session"`
	ContextLength   *int            `json:"context_length"` // null: unknown
	Tokenizer       tokens.Method   `json:"tokenizer"`
	Mode            config.Mode     `json:"mode"`
	ThresholdPct    float64         `json:"threshold_pct"`
	ThresholdTokens int             `json:"threshold_tokens"` // deferrable tokens at which auto activates
	Active          bool            `json:"active"`
	Tools           int             `json:"tools"`           // granted
	DeferredCount   int             `json:"deferred_count"`  // deferrable tools, behind the bridge when it is active
	EagerTokens     int             `json:"eager_tokens"`    // everything granted
	VisibleTokens   int             `json:"visible_tokens"`  // always sent
	BridgeTokens    int             `json:"bridge_tokens"`   // the three bridge tools, when active
	DeferredTokens  int             `json:"deferred_tokens"` // the deferrable tools
	AfterTokens     int             `json:"after_tokens"`    // the assembly
	SavedTokens     int             `json:"saved_tokens"`    // eager less after; negative when the bridge costs more than it hides
	SavedPct        float64         `json:"saved_pct"`       // of eager, 0 when that is 0
	Toolsets        []ToolsetBudget `json:"toolsets"`

	ContextOrigin config.ContextOrigin `json:"context_origin"` // where ContextLength comes from
	Message       *string              `json:"message"`        // that the assembly is for; null: one that selects nothing
	// ReferenceBridge is the tokens of the reference agent's own bridge; null
	// when the method has no figure for them.
	ReferenceBridge *int `json:"reference_bridge_tokens"`

	Selection   string `json:"selection"`   // strategy of pre-selection
	Unreachable int    `json:"unreachable"` // granted tools that nothing leads to

	// InstructionTokens is what the prompt gets besides: the instructions of
	// the MCP servers whose tools are granted, each as a JSON string. They are
	// in none of the sums above, as the reference agent decides without them.
	InstructionTokens int `json:"instruction_tokens,omitempty"`

	searching int // what AfterTokens is, or would be, with the bridge in
	listed    int // tokens of the names that lazy lists in the bridge, part of BridgeTokens
}

// ToolsetBudget is the share of one toolset: the granted tools that name it.
type ToolsetBudget struct {
	Name       string       `json:"name"`
	Tools      int          `json:"tools"`
	Tokens     int          `json:"tokens"`
	Deferred   int          `json:"deferred"` // of the tools, how many are deferrable
	ToolTokens []ToolBudget `json:"tool_tokens,omitempty"`
}

// ToolBudget is the cost of one tool.
type ToolBudget struct {
	Name     string `json:"name"`
	Tokens   int    `json:"tokens"`
	Deferred bool   `json:"deferred"`
}

// knownContext returns a context length, nil when it says nothing: zero and
// negative lengths count as unknown.
func knownContext(length *int) *int {
	if length == nil || *length <= 0 {
		return nil
	}
	return length
}

// Budget counts the session's tools. Toolsets stand in registry order and
// hold their tools when perTool is set. Tools with bridge names are never
// sent and count nowhere.
func (s *Snapshot) Budget(perTool bool) Budget {
	b := Budget{
		Session:         s.Session.Name,
		ContextLength:   knownContext(s.Config.ContextLength),
		ContextOrigin:   s.Config.Model.Origin,
		Tokenizer:       s.Tokenizer,
		Mode:            s.Config.ToolSearch.Enabled,
		ThresholdPct:    s.Config.ToolSearch.ThresholdPct,
		ThresholdTokens: s.activation.Threshold,
		Active:          s.Active(),
		Selection:       s.Config.Selection,
		Unreachable:     s.assembly.Unreachable,
		Toolsets:        []ToolsetBudget{},
	}
	var eager, visible, deferrable int
	place := map[string]int{}
	units := map[string]int{}
	sets := make([]ToolsetBudget, len(s.Registry.Toolsets))
	for i, ts := range s.Registry.Toolsets {
		place[ts.Name] = i
		sets[i].Name = ts.Name
	}
	for _, t := range s.Registry.Tools {
		if !s.granted[t.Index] || s.class[t.Index] == Dropped {
			continue
		}
		n := int(s.units[t.Index])
		set := &sets[place[t.Toolset]]
		set.Tools++
		b.Tools++
		eager += n
		units[t.Toolset] += n
		behind := s.class[t.Index] == Deferrable
		if behind {
			set.Deferred++
			b.DeferredCount++
			deferrable += n
		} else {
			visible += n
		}
		if perTool {
			set.ToolTokens = append(set.ToolTokens, ToolBudget{Name: t.Qualified, Tokens: s.Tokenizer.Tokens(n), Deferred: behind})
		}
	}
	instructions := 0
	for i, set := range sets {
		if set.Tools > 0 {
			set.Tokens = s.Tokenizer.Tokens(units[set.Name])
			b.Toolsets = append(b.Toolsets, set)
			if text := s.Registry.Toolsets[i].Instructions; text != "" {
				instructions += s.Tokenizer.Units(encode(text))
			}
		}
	}
	b.InstructionTokens = s.Tokenizer.Tokens(instructions)
	b.EagerTokens = s.Tokenizer.Tokens(eager)
	b.VisibleTokens = s.Tokenizer.Tokens(visible)
	b.DeferredTokens = s.Tokenizer.Tokens(deferrable)
	b.AfterTokens, b.BridgeTokens = s.Tokens(s.assembly)
	if plain := s.assembly; plain.names != nil {
		plain.names = nil
		b.listed = b.BridgeTokens - s.Tokenizer.Tokens(s.bridgeUnits(plain))
	}
	b.ReferenceBridge = referenceBridge(s.Tokenizer)
	searching := s.assembly
	if !searching.Bridge {
		searching = Assembly{Bridge: true, Deferred: len(s.catalog)}
	}
	b.searching = s.Tokenizer.Tokens(visible + s.bridgeUnits(searching))
	if message := s.Message(); message != "" {
		b.Message = &message
	}
	b.SavedTokens = b.EagerTokens - b.AfterTokens
	if b.EagerTokens > 0 {
		b.SavedPct = 100 * float64(b.SavedTokens) / float64(b.EagerTokens)
	}
	return b
}
