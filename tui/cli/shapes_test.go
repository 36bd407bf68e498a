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

type keptJSON struct {
	ID      *string
	Rescued bool
}
