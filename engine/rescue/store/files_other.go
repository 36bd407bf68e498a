//go:build !unix

package store

import "io/fs"

const doNotWait = 0

// owners knows nothing: the owners and the modes of other systems are not those
// of Unix.
func owners(fs.FileInfo) (owner, user int, known bool) { return 0, 0, false }
