package synthetic

import "math/rand/v2"

// common are the most frequent words, most frequent first, as descriptions of
// tools use them.
var common = []string{
	"the", "a", "to", "of", "and", "or", "for", "use", "this", "id", "is", "when", "get", "list", "by",
	"returns", "in", "name", "with", "it", "an", "as", "only", "path", "from", "data", "url", "not", "project",
	"page", "be", "that", "are", "required", "you", "all", "user", "if", "file", "create", "search", "on", "item",
	"request", "fields", "update", "status", "new", "can", "one", "message", "optional", "issue", "filter", "type",
	"date", "number", "must", "text", "query", "before", "team", "key", "set", "result", "delete", "which", "time",
	"given", "after", "limit", "value", "each", "report", "order", "no", "field", "current", "table", "your", "any",
	"comment", "send", "more", "group", "event", "branch", "default", "image", "channel", "into", "read", "account",
}

// verbs and nouns make the names of tools.
var (
	verbs = []string{
		"get", "list", "create", "update", "delete", "search", "send", "read", "add", "remove", "run", "export",
		"import", "set", "find", "fetch", "close", "open", "move", "copy", "merge", "cancel", "start", "stop",
	}
	nouns = []string{
		"item", "items", "file", "record", "records", "user", "users", "comment", "report", "event", "events",
		"status", "message", "page", "pages", "table", "branch", "label", "labels", "member", "history", "settings",
	}
)

// parameters are the names most schemas share; the others are made of two
// words.
var parameters = []string{
	"id", "name", "query", "limit", "path", "page", "owner", "project_id", "per_page", "cursor", "url", "filter",
	"title", "description", "user_id", "format", "start_date", "end_date", "sort", "fields", "type", "status",
}

var (
	onsets = []string{"b", "br", "c", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pl", "qu", "r", "s", "st", "t", "tr", "v", "w", "z"}
	vowels = []string{"a", "e", "i", "o", "u", "ai", "ea", "io", "ou"}
	codas  = []string{"", "", "", "", "", "", "", "l", "n", "r", "s", "t", "x", "k"}
)

// newLexicon returns n distinct words, most frequent first: the common ones,
// then invented words of two or three syllables.
func newLexicon(n int, r *rand.Rand) []string {
	words := make([]string, 0, n)
	seen := make(map[string]bool, n)
	for _, w := range common {
		words, seen[w] = append(words, w), true
	}
	for len(words) < n {
		w := ""
		for range 2 + r.IntN(2) {
			w += onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))] + codas[r.IntN(len(codas))]
		}
		if !seen[w] {
			words, seen[w] = append(words, w), true
		}
	}
	return words
}
