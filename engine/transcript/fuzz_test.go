package transcript

import (
	"os"
	"path/filepath"
	"testing"

	"caliper/model/newfile"
)

// Whatever stands in an entry, the log is as the entry says, or the entry is none.
func FuzzCacheEntry(f *testing.F) {
	log := filepath.Join(f.TempDir(), "log")
	if err := os.WriteFile(log, []byte("line\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	info, err := os.Stat(log)
	if err != nil {
		f.Fatal(err)
	}
	folder := newfile.CacheFolder{Path: filepath.Join(f.TempDir(), "computed"), Build: "b1"}
	x := OpenCache(folder, "", Options{})
	x.now = info.ModTime().Add(2 * settling)
	x.Put(log, 1, info, &Lines{Facts: []byte("abc"), Count: 3})
	key, _ := x.key(log)
	whole := folder.Read(kind, key)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := folder.Add(kind, key, data); err != nil {
			t.Fatal(err)
		}
		if e := x.Find(log); e != nil && e.Size != info.Size() {
			t.Errorf("%+v", e)
		}
	})
}
