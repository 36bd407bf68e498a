//go:build !unix

package newfile

import "io/fs"

// DoNotWait is the flag of os.OpenFile that opens a FIFO without waiting for a
// writer; 0 where there is none.
const DoNotWait = 0

// Owners knows nothing: the owners and the modes of other systems are not those
// of Unix.
func Owners(fs.FileInfo) (owner, user int, known bool) { return 0, 0, false }
