package engine

import (
	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
)

// Budget is the cost of the definitions of a session, in tokens of one method.
// Every figure is a sum that is rounded once, so figures may differ from the sum of
// others by a few tokens.
type Budget struct {
	Session         string          `json:"session"`
	ContextLength   *int            `json:"context_length"` // null: unknown
	Tokenizer       tokens.Method   `json:"tokenizer"`
	Mode            config.Mode     `json:"mode"`
	ThresholdPct    float64         `json:"threshold_pct"`
	ThresholdTokens int             `json:"threshold_tokens"` // deferrable tokens at which auto activates; in september-2026 see Activation.Reported
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
	Generation    config.Generation    `json:"generation"`     // by whose rules the bridge is sent
	Message       *string              `json:"message"`        // that the assembly is for; null: one that selects nothing
	// ReferenceBridge is the tokens of the June agent's own bridge; null when the
	// method has no figure for them, and in the other generation.
	ReferenceBridge *int `json:"reference_bridge_tokens"`

	// AroundTokens is the provider's text around the definitions of any request with
	// tools, in EagerTokens and AfterTokens; 0 for methods that count the JSON.
	AroundTokens int `json:"around_tokens,omitempty"`

	// Host is the agent whose search is simulated; empty for a generation of the reference agent.
	// What another agent sends beside its search is not measured: while it searches,
	// BridgeTokens, AfterTokens and the savings are of the reference agent's bridge.
	Host string `json:"host,omitempty"`

	// Counting tells how far all these tokens can be trusted.
	Counting tokens.Counting `json:"counting"`

	Listing *ListingShare `json:"listing,omitempty"` // of the deferred tools; only in september-2026

	Selection   string `json:"selection"`   // strategy of pre-selection
	Unreachable int    `json:"unreachable"` // granted tools that nothing leads to

	// InstructionTokens is the prompt's further text: the instructions of
	// the MCP servers whose tools are granted, each as a JSON string. They are
	// in none of the sums above, as the reference agent decides without them.
	InstructionTokens int `json:"instruction_tokens,omitempty"`

	AlwaysLoad   int `json:"always_load,omitempty"`   // granted tools that are sent because their source says so
	DeferLoading int `json:"defer_loading,omitempty"` // granted tools whose defer_loading this agent does not read

	searching int // AfterTokens if the bridge is sent, or what it would be with the bridge
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

// ListingShare is the room that the list of deferred tools in the description of tool_search
// takes. Its tokens are counted by the method of the budget, and its limit by chars4,
// as the agent does.
type ListingShare struct {
	Form   tokens.ListForm `json:"form"`
	Tokens int             `json:"tokens"`
	Limit  int             `json:"budget"`
	Groups []ListingGroup  `json:"groups"` // in the order of their labels

	counted int // by chars4, without the escapes of JSON
}

// Counted returns the tokens of the list as the agent holds them against the limit.
func (l ListingShare) Counted() int { return l.counted }

// ListingGroup is one group of a ListingShare.
type ListingGroup struct {
	Label  string          `json:"label"`
	Tools  int             `json:"tools"`
	Form   tokens.ListForm `json:"form"` // full, names or summary; empty when there is no list
	Tokens int             `json:"tokens"`
}

// Measured reports whether AfterTokens and the savings are known of the agent that is simulated.
func (b Budget) Measured() bool { return b.Host == "" || !b.Active }

// listingShare returns what the list of an assembly takes; nil in june-2026.
func (s *Snapshot) listingShare(a Assembly) *ListingShare {
	if s.Config.ToolSearch.Generation != config.September2026 {
		return nil
	}
	share := ListingShare{Form: tokens.ListNone, Limit: ListingBudget(s.Config.ToolSearch, s.Config.ContextLength), Groups: []ListingGroup{}}
	if a.Listing == nil {
		return &share
	}
	tokensOf := func(text string) int {
		if text == "" {
			return 0
		}
		return s.textTokens(text)
	}
	share.Form, share.Tokens, share.counted = a.Listing.Form, tokensOf(a.Listing.Text()), a.Listing.Tokens()
	for i, g := range a.Listing.Groups {
		share.Groups = append(share.Groups, ListingGroup{Label: g.Label, Tools: g.Tools, Form: g.Form, Tokens: tokensOf(a.Listing.GroupText(i))})
	}
	return &share
}

// knownContext returns a context length, or nil when it is unknown. Zero and
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
		Generation:      s.Config.ToolSearch.Generation,
		Tokenizer:       s.Tokenizer,
		Counting:        s.Tokenizer.Counting(),
		Mode:            s.Config.ToolSearch.Enabled,
		ThresholdPct:    s.Config.ToolSearch.ThresholdPct,
		ThresholdTokens: s.activation.Threshold,
		Active:          s.Active(),
		Selection:       s.Config.Selection,
		Unreachable:     s.assembly.Unreachable,
		Toolsets:        []ToolsetBudget{},
	}
	if h := s.Host(); h.Generation == "" {
		b.Host = h.Name
	}
	var eager, visible, deferrable int
	index := make(map[string]int, len(s.Registry.Toolsets)) // of toolsets by name
	units := make([]int, len(s.Registry.Toolsets))
	sets := make([]ToolsetBudget, len(s.Registry.Toolsets))
	for i, ts := range s.Registry.Toolsets {
		index[ts.Name] = i
		sets[i].Name = ts.Name
	}
	all := s.sizes.All()
	for _, t := range s.Registry.Tools {
		if !s.granted[t.Index] || s.class[t.Index] == Dropped {
			continue
		}
		switch {
		case t.Always && s.class[t.Index] == Visible && !s.Core(t):
			b.AlwaysLoad++
		case t.Deferred:
			b.DeferLoading++
		}
		n := int(all[t.Index])
		of := index[t.Toolset]
		set := &sets[of]
		set.Tools++
		b.Tools++
		eager += n
		units[of] += n
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
			set.Tokens = s.Tokenizer.Tokens(units[i])
			b.Toolsets = append(b.Toolsets, set)
			if text := s.Registry.Toolsets[i].Instructions; text != "" {
				instructions += s.Tokenizer.Units(jsontree.Encode(text))
			}
		}
	}
	b.InstructionTokens = s.Tokenizer.Tokens(instructions)
	around := s.AroundUnits(s.Everything())
	b.AroundTokens = s.Tokenizer.Tokens(around)
	b.EagerTokens = s.Tokenizer.Tokens(around + eager)
	b.VisibleTokens = s.Tokenizer.Tokens(visible)
	b.DeferredTokens = s.Tokenizer.Tokens(deferrable)
	b.AfterTokens, b.BridgeTokens = s.Tokens(s.assembly)
	if plain := s.assembly; plain.names != nil {
		plain.names = nil
		b.listed = b.BridgeTokens - s.Tokenizer.Tokens(s.bridgeUnits(plain))
	}
	if b.Generation == config.June2026 {
		if bridge := ReferenceBridgeTokens; s.Tokenizer == tokens.Chars4 { // no other method has a figure
			b.ReferenceBridge = &bridge
		}
	} else {
		b.ThresholdTokens = s.activation.Reported // no threshold decides
	}
	searching := s.assembly
	if !searching.Bridge {
		searching = s.listed(s.division, Assembly{Tools: s.division.visible, Bridge: true, Deferred: len(s.Catalog())})
	}
	b.Listing = s.listingShare(s.assembly)
	b.searching = s.Tokenizer.Tokens(s.AroundUnits(searching) + visible + s.bridgeUnits(searching))
	if message := s.Message(); message != "" {
		b.Message = &message
	}
	b.SavedTokens = b.EagerTokens - b.AfterTokens
	if b.EagerTokens > 0 {
		b.SavedPct = 100 * float64(b.SavedTokens) / float64(b.EagerTokens)
	}
	return b
}

// ReferenceBridgeTokens is the tokens that the three bridge tools of the June 2026 agent
// cost: 378 tokens by chars4, measured on the running reference. Its texts, which are
// longer than caliper's, are not available, so no other method has a figure.
const ReferenceBridgeTokens = 378

// ReferenceSaved returns the tokens that the reference agent saves, and their
// percentage of EagerTokens. It counts the agent's bridge instead of caliper's if a
// bridge is sent, and the names that lazy lists. known is false when the method has
// no figure for the agent's bridge, and where another agent is simulated.
func (b Budget) ReferenceSaved() (saved int, pct float64, known bool) {
	if b.ReferenceBridge == nil || !b.Measured() {
		return 0, 0, false
	}
	saved = b.SavedTokens
	if b.BridgeTokens > 0 {
		saved += b.BridgeTokens - b.listed - *b.ReferenceBridge
	}
	if b.EagerTokens > 0 {
		pct = 100 * float64(saved) / float64(b.EagerTokens)
	}
	return saved, pct, true
}

// Parts are the tokens of one definition by their purpose. They add up to
// the tokens of the definition: structure is the rest.
type Parts struct {
	Name         int
	Description  int
	Descriptions int // of parameters, at any depth
	Structure    int // names of parameters, types, brackets and the wrapper
}

// Parts returns what a tool's definition is made of, counted by Tokenizer.
// The texts are counted on their own, so that with an exact method a part may
// differ by a token or two from its share of the whole. It may be called from any
// goroutine.
func (s *Snapshot) Parts(t *model.Tool) Parts {
	p := Parts{
		Name:        s.textTokens(t.Name),
		Description: s.textTokens(t.Description),
	}
	eachDescription(t.Parameters, func(written []byte) { p.Descriptions += s.writtenUnits(written) })
	p.Descriptions = s.Tokenizer.Tokens(p.Descriptions)
	p.Structure = max(0, s.ToolTokens(t)-p.Name-p.Description-p.Descriptions)
	return p
}

// Add returns the sum of two definitions' parts.
func (p Parts) Add(q Parts) Parts {
	return Parts{p.Name + q.Name, p.Description + q.Description, p.Descriptions + q.Descriptions, p.Structure + q.Structure}
}

// textTokens returns the tokens of a text on its own.
func (s *Snapshot) textTokens(text string) int {
	return s.Tokenizer.Tokens(s.quotedUnits(jsontree.Encode(text)))
}

// quotedUnits returns the units of a text as it stands inside a definition, where it
// is encoded as jsontree.Encode does. Chars4 does not count its quotes.
func (s *Snapshot) quotedUnits(quoted []byte) int {
	units := s.Tokenizer.Units(quoted)
	if s.Tokenizer.Base() == tokens.Chars4 {
		units -= 2
	}
	return units
}

// writtenUnits returns quotedUnits of a text that a definition may have written in
// another way. Most are written as they would be encoded; the others are encoded.
func (s *Snapshot) writtenUnits(written []byte) int {
	for _, c := range written {
		if c < ' ' || c > '~' || c == '\\' {
			inner := written[1 : len(written)-1]
			written = jsontree.Encode(string(jsontree.AppendUnescaped(nil, inner)))
			break
		}
	}
	return s.quotedUnits(written)
}

// eachDescription calls f with the text of every "description" keyword in a schema,
// as it is written, with its quotes. A property that is called description holds a
// schema, not a text, and is walked like any other. The schema is a tool's:
// valid, and without repeated names.
func eachDescription(schema []byte, f func(written []byte)) {
	sk := jsontree.Skimmer{Data: schema}
	var walk func()
	member := func(name []byte) {
		if sk.Peek() == '"' && string(jsontree.Unquote(name)) == "description" {
			f(sk.String())
			return
		}
		walk()
	}
	walk = func() {
		switch sk.Peek() {
		case '{':
			sk.Members(member)
		case '[':
			sk.At++
			for c := sk.Peek(); c != ']' && c != 0; c = sk.Peek() {
				walk()
			}
			sk.At++
		default:
			sk.Skip()
		}
	}
	walk()
}
