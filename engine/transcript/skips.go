package transcript

// SECURITY: what a line is called is the log's to say, so that a hostile one could have
// as many kinds as lines, each as long as a line may be.
const (
	maxKinds = 100 // different kinds of one file
	maxKind  = 100 // bytes of the name of a kind

	mostKnown = 1000 // kinds, as some are the log's to name
)

// unknownKind is the kind of a line that says nothing, or too much, of what it is.
const unknownKind = "unknown"

// Skips counts the lines that are left out, by their file and kind. Its memory grows with
// the files, never with their lines. The zero value is ready.
type Skips struct {
	list  []Skipped
	at    map[skipKey]int // index in list
	kinds map[string]int  // of a file: how many
	known map[string]bool // kinds that hold nothing of a conversation
}

// Know notes kinds that an agent is known to write beside a conversation.
func (s *Skips) Know(kinds ...string) {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, kind := range kinds {
		if len(s.known) < mostKnown && len(kind) <= maxKind {
			s.known[kind] = true
		}
	}
}

// skipKey identifies the lines of one Skipped.
type skipKey struct{ file, what string }

// Add counts a line of a file that is left out, and what it is: "unknown" where it has no
// name, or a longer one than a kind has, or where the file has too many kinds.
func (s *Skips) Add(file string, line int, what string) {
	if s.at == nil {
		s.at, s.kinds = map[skipKey]int{}, map[string]int{}
	}
	if what == "" || len(what) > maxKind {
		what = unknownKind
	}
	i, ok := s.at[skipKey{file, what}]
	if !ok && s.kinds[file] >= maxKinds {
		what = unknownKind
		i, ok = s.at[skipKey{file, what}]
	}
	if !ok {
		i = len(s.list)
		s.at[skipKey{file, what}] = i
		s.kinds[file]++
		s.list = append(s.list, Skipped{File: file, Line: line, What: what})
	}
	s.list[i].Count++
}

// List returns what was counted, each kind of a file at its first line.
func (s *Skips) List() []Skipped {
	for i := range s.list {
		s.list[i].Known = s.known[s.list[i].What]
	}
	return s.list
}
