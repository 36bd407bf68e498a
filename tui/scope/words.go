package scope

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewMatrix:  {"gate", "granted", "session", "dry run", "policy", "out of scope", "core tool", "direct", "via search"},
	viewCompare: {"session", "granted", "searchable", "deferrable", "core tool", "toolset"},
	viewAudit:   {"audit", "violation", "searchable", "granted", "gate", "direct"},
	viewWho:     {"gate", "searchable", "granted", "policy", "hook", "verdict"},
}

// Words returns the labels of the view.
func (s *Screen) Words() (here, pane []string) { return nil, glossed[s.view] }
