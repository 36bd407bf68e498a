package terminal

// Synchronized updates: what a terminal with mode 2026 reads between two
// sequences it shows at once. A terminal without the mode ignores them, as it
// does every private mode that it does not know. Nobody asks whether it has the
// mode: bubbletea v1 hands an answer over in memory that its next read overwrites.
const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"
)

// Synchronizes reports whether frames for a terminal of this TERM are synchronized
// updates. A dumb terminal and the console of Linux might print parts of the
// sequences.
func Synchronizes(term string) bool { return term != "dumb" && term != "linux" }
