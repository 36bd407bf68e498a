package queries

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewQueries:  {"labelled query", "miss", "recall@5", "MRR@10", "nDCG@10", "complete@5", "wording", "rank", "limit", "why not", "remedy", "regression", "false hits", "false abstentions"},
	viewDark:     {"unfindable tool", "shadow", "rank", "limit", "remedy"},
	viewFindings: {"finding", "shadow", "remedy", "tool"},
	viewTuning:   {"tuning", "trade-off", "95 % interval", "cannot tell", "stability", "wording", "recall@5", "limit", "ranker", "token", "labelled query", "threshold", "K"},
	viewMap:      {"confusion", "twin", "shadow", "overlap", "labelled query", "rank"},
}

// Words returns the labels of the view.
func (s *Screen) Words() (here, pane []string) { return nil, glossed[s.view()] }
