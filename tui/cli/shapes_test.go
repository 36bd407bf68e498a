package cli

// What commands print as JSON, as far as tests look at it.

type resultsJSON struct {
	Query string
	Hits  []struct{ Name string }
}

type checkResult struct {
	OK       bool
	Registry struct {
		Tools, Toolsets int
		Shape           string
	}
	Errors []any
}

type diffResult struct {
	Added, Removed []string
	Changed        []changedTool
	Tokens         oldNew[int]
	Active         oldNew[bool]
	Queries        []relevantTool
	Regressions    int
}

type oldNew[T any] struct{ Old, New T }

type changedTool struct {
	Name  string
	Parts []string
}

type relevantTool struct {
	Query, Tool string
	OldRank     *int `json:"old_rank"`
	NewRank     *int `json:"new_rank"`
}

type keptJSON struct {
	ID             *string
	Rescued        bool
	Rule           string
	Chars, Lines   int
	Type           string
	Handle         *string
	HandleTokens   *int `json:"handle_tokens"`
	OriginalTokens int  `json:"original_tokens"`
}

type selectionJSON struct {
	Message, Session, Strategy, Embedder string
	K                                    int
	Selected                             []struct{ Name, Reason string }
	SchemaTokens                         int     `json:"schema_tokens"`
	EagerTokens                          int     `json:"eager_tokens"`
	SavedPct                             float64 `json:"saved_pct"`
	Notes                                []string
}
