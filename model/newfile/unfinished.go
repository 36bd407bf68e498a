package newfile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// mark stands between the name that an unfinished file will have and its digits. A
// name of somebody else's file does not have it.
const mark = ".caliper-"

// unfinishedPrefix returns how the names of unfinished files for path begin; digits
// follow. A long name is cut, so that the whole is not longer than a name may be.
func unfinishedPrefix(path string) string {
	base := filepath.Base(path)
	for len(base) > 200 {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return "." + base + mark
}

// Finished returns the name that the file of that name will have, and whether it is
// the name of an unfinished file.
func Finished(name string) (base string, ok bool) {
	base, dotted := strings.CutPrefix(name, ".")
	at := strings.LastIndex(base, mark)
	if !dotted || at < 0 {
		return "", false
	}
	_, err := strconv.ParseUint(base[at+len(mark):], 10, 64)
	return base[:at], err == nil
}

// abandoned is the age from which Sweep removes an unfinished file where there are no
// locks to tell whether its writer lives: none writes that long.
const abandoned = time.Hour

// Sweep removes the unfinished files for path whose writers have ended. It leaves
// those that are being written, what is no regular file, and what cannot be removed.
func Sweep(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // nothing to sweep where it cannot be read
	for _, e := range entries {
		if _, ok := Finished(e.Name()); !ok || !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), unfinishedPrefix(path)) {
			continue
		}
		if info, err := e.Info(); err == nil {
			removeAbandoned(filepath.Join(filepath.Dir(path), e.Name()), time.Since(info.ModTime()) > abandoned)
		}
	}
}
