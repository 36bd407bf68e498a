package activity

// glossed are the words of the glossary that the events print.
var glossed = []string{"registry", "shape", "qualified name", "toolset", "regression", "active", "generation", "host", "threshold", "labelled query", "dry run", "WHAT IF"}

// Words returns the labels of the events.
func (s *Screen) Words() (here, pane []string) { return nil, glossed }

// Words returns the labels of the events, agents' first.
func (s *Served) Words() (here, pane []string) {
	return nil, append([]string{"connection", "loop", "eager", "limit", "gate", "score", "session"}, glossed...)
}
