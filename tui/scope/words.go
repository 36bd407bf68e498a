package scope

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewMatrix:  {"gate", "granted", "session", "dry run", "policy", "out of scope", "core tool", "direct", "via search", "unreachable"},
	viewCompare: {"session", "granted", "searchable", "deferrable", "core tool", "toolset"},
	viewAudit:   {"audit", "violation", "searchable", "granted", "gate", "direct"},
	viewWho:     {"gate", "searchable", "granted", "policy", "hook", "verdict"},
}

// Words returns what the cell of the matrix under the cursor says, and the labels of
// the view.
func (s *Screen) Words() (here, pane []string) {
	if s.view() != viewMatrix {
		return nil, glossed[s.view()]
	}
	r, ok := s.matrix.under()
	switch {
	case !ok || len(s.audit.Sessions) == 0:
	case r.item < 0:
		here = []string{"toolset", "callable"}
	default:
		at := s.matrix.table.sessions[s.matrix.column(&s.audit)]
		here = []string{s.matrix.reach(&s.audit, at, s.matrix.item(r)).label()}
	}
	return here, glossed[s.view()]
}
