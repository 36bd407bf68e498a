package sides

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	budgetView:  {"sent", "threshold", "deferrable", "everything", "saved", "toolset"},
	ranksView:   {"rank", "limit", "labelled query", "recall@5", "wording", "MRR@10", "regression"},
	scopeView:   {"session", "granted", "direct", "audit", "violation"},
	verdictView: {"base", "P", "lost to", "active", "violation", "finding", "recall@5", "wording", "labelled query"},
}

// Words returns the labels of the view.
func (s *Screen) Words() (here, pane []string) { return nil, glossed[s.view] }
