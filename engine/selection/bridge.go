package selection

import (
	"bytes"
	"encoding/json"
	"sync"

	"caliper/engine"
	"caliper/engine/tokens"
)

// bridge counts the bridge's definitions.
type bridge struct {
	count func([]byte) int // units of a definition
	sizes sync.Map         // units by number of deferred tools
}

// newBridge returns the bridge, counted by a method.
func newBridge(m tokens.Method) *bridge { return &bridge{count: m.Units} }

// units returns the size of the definitions for a number of deferred tools.
func (b *bridge) units(deferred int) int {
	if n, ok := b.sizes.Load(deferred); ok {
		return n.(int)
	}
	n := 0
	for _, def := range engine.BridgeTools(deferred) {
		n += b.count(def)
	}
	b.sizes.Store(deferred, n)
	return n
}

// quoted returns texts as a JSON array, without escapes for HTML.
func quoted(texts []string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(texts); err != nil {
		panic("selection: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
