//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package newfile

import "os"

// lease does nothing: Windows' locks are binding, and one would keep the file from being written.
func lease(*os.File) (release func(), ok bool) { return func() {}, true }

// removeAbandoned removes an old unfinished file.
func removeAbandoned(name string, old bool) {
	if old {
		os.Remove(name)
	}
}
