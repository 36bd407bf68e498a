//go:build !unix

package atomicfile

import "os"

// hold does nothing. Locks are binding on Windows: one held here would keep the
// file from being written.
func hold(string) (release func()) { return func() {} }

// removeAbandoned removes an unfinished file whose writer has ended: Windows
// removes no file that somebody has open for writing.
func removeAbandoned(name string) { os.Remove(name) }
