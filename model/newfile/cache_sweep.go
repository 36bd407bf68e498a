package newfile

import (
	"cmp"
	"io/fs"
	"slices"
	"time"
)

// abandonedEntry is the age from which an unfinished file is removed: a killed process
// left it, since writing takes seconds at most.
const abandonedEntry = time.Hour

// unused is the age from which an entry is removed that nobody used.
const unused = 90 * 24 * time.Hour

// entry is a file of the folder.
type entry struct {
	name string
	size int64
	used time.Time
}

// sweep removes the entries that were not used for long, those that were used longest ago
// until the others have at most the bytes of the folder, and the unfinished files of killed
// processes. It
// does not remove the entry kept, nor what a later program keeps. What cannot be
// removed is left.
func (f CacheFolder) sweep(kept string) {
	root := f.open()
	if root == nil {
		return
	}
	defer root.Close()
	listed, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	var entries []entry
	var size int64
	for _, e := range listed {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		unfinished, ok := Finished(e.Name())
		switch {
		case isName(e.Name()):
			entries = append(entries, entry{e.Name(), info.Size(), info.ModTime()})
			size += info.Size()
		case ok && isName(unfinished) && f.now().Sub(info.ModTime()) > abandonedEntry:
			_ = root.Remove(e.Name())
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name))
	})
	for _, e := range entries {
		if size <= f.most() && f.now().Sub(e.used) <= unused {
			return
		}
		if e.name == kept {
			continue
		}
		if f.read(root, e.name, nil, nil) == later {
			continue
		}
		if root.Remove(e.name) == nil {
			size -= e.size
		}
	}
}
