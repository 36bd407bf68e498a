package hosts

import (
	_ "embed"
	"encoding/json"
)

// ownText has the tools of the hosts' own that take places in answers, as words that are
// sorted: what their searches count of them. Those of Claude Code have their marks, since a
// query may have them.
//
//go:embed own.json
var ownText []byte

// ownTools returns the tools of a host's own that its search finds.
func ownTools(host string) (out []*entry) {
	var read map[string][]struct{ Name, Description, Hint, Text string }
	if err := json.Unmarshal(ownText, &read); err != nil {
		panic(err) // a fault of the build
	}
	for _, t := range read[host] {
		out = append(out, &entry{wire: t.Name, local: t.Name, description: t.Description, hint: t.Hint, text: t.Text})
	}
	return out
}
