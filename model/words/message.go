package words

import "sync/atomic"

var replaced atomic.Pointer[string]

// Message returns a sentence as it is, or what ReplaceMessages has set in its place. Empty
// text is no sentence and stays empty.
func Message(sentence string) string {
	if other := replaced.Load(); other != nil && sentence != "" {
		return *other
	}
	return sentence
}

// ReplaceMessages sets what stands in the place of every sentence from now on, and
// returns a function that ends this. It is for tests.
func ReplaceMessages(other string) (restore func()) {
	replaced.Store(&other)
	return func() { replaced.Store(nil) }
}
