package serving

import "context"

// Source is where the news of agents comes from: this process serves them, or another one
// whose record is followed.
type Source struct {
	// Take waits for what happens next; ok is false when nothing more will.
	Take func(context.Context) (b Batch, ok bool)
	// Address returns where a session is served. Entry returns what a client's
	// configuration needs for that, with the token; it is empty until the session is
	// served. Both are nil where the record of another process is followed.
	Address func(session string) string
	Entry   func(session string) string
	// Record is the file that is followed; empty where this process serves.
	Record string
}
