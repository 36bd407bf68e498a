//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"encoding/json"
	"testing"
)

// TestDeclares: servers are told of a capability with the part that is declared, and of
// extensions by their names, which the listing has.
func TestDeclares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o           Options
		want, names string
	}{
		{Options{}, `{"roots":{}}`, `null`},
		{Options{Offers: []string{Elicitation}}, `{"roots":{},"elicitation":{"form":{}}}`, `["elicitation"]`},
		{Options{Declares: []string{"sampling.tools", "elicitation.url"}}, `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`, `["elicitation.url","sampling.tools"]`},
		{Options{Offers: []string{Sampling}, Declares: []string{"sampling.context"}}, `{"roots":{},"sampling":{"context":{}}}`, `["sampling","sampling.context"]`},
		{Options{Declares: []string{"io.modelcontextprotocol/ui", "roots/x"}}, `{"extensions":{"io.modelcontextprotocol/ui":{},"roots/x":{}},"roots":{}}`, `["io.modelcontextprotocol/ui","roots/x"]`},
	} {
		got, _ := json.Marshal(capabilities(c.o))
		names, _ := json.Marshal(declared(c.o))
		if string(got) != c.want || string(names) != c.names {
			t.Errorf("%+v: %s and %s, want %s and %s", c.o, got, names, c.want, c.names)
		}
	}
	if r := capabilities(Options{Declares: []string{"roots.listChanged"}}).RootsV2; r == nil || !r.ListChanged {
		t.Errorf("roots are %+v", r)
	}
	for name, want := range map[string]bool{"a/b": true, "io.modelcontextprotocol/ui": true, "a": false, "/b": false, "a/": false, `a/"b`: false} {
		if IsExtension(name) != want {
			t.Errorf("%s is an extension: %v", name, !want)
		}
	}
}
