package engine

import "caliper/engine/tokens"

// ReferenceBridgeTokens is what the three bridge tools of the June 2026 agent
// cost, whose texts are longer than caliper's own: 378 tokens by chars4, measured
// on the running reference. Its texts are not at hand, so that no other method
// has a figure.
const ReferenceBridgeTokens = 378

// referenceBridge returns ReferenceBridgeTokens, nil when the method of counting
// is another than the one it was measured with.
func referenceBridge(m tokens.Method) *int {
	if m != tokens.Chars4 && m != "" {
		return nil
	}
	n := ReferenceBridgeTokens
	return &n
}

// ReferenceSaved returns what the reference agent saves, with its own bridge in
// the place of caliper's where one is sent, and with the names that lazy lists:
// tokens, and their share of everything in percent. known is false when the method has no figure for the agent's.
func (b Budget) ReferenceSaved() (saved int, pct float64, known bool) {
	if b.ReferenceBridge == nil {
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
