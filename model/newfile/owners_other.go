//go:build !unix

package newfile

import "io/fs"

// DoNotWait opens a FIFO without waiting for a writer; 0 where there is no such flag.
const DoNotWait = 0

// Owners knows nothing: owners and modes elsewhere are not Unix's.
func Owners(fs.FileInfo) (owner, user int, known bool) { return 0, 0, false }
