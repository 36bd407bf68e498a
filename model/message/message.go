// Package message is what every sentence passes through that the program says
// to people and to models: why a gate refuses a call, what lint found, why a
// result is rescued.
//
// A sentence is made last, from values, and nothing is learned from it again.
// A test replaces every sentence by another text and sees that codes, verdicts,
// ranks and figures stay the same; it fails when code reads a sentence.
package message

import "sync/atomic"

var replaced atomic.Pointer[string]

// Text returns a sentence as it is, or what Replace has set in its place. Empty
// text is no sentence and stays empty.
func Text(sentence string) string {
	if other := replaced.Load(); other != nil && sentence != "" {
		return *other
	}
	return sentence
}

// Replace sets what stands in the place of every sentence from now on, and
// returns a function that ends this. It is for tests.
func Replace(other string) (restore func()) {
	replaced.Store(&other)
	return func() { replaced.Store(nil) }
}
