package transcript

import (
	"bytes"
	"encoding/gob"
	"path/filepath"
	"time"

	"caliper/model/newfile"
)

// kind is the name of an entry in the cache folder.
const kind newfile.CacheKind = "logs"

// version is the version of everything that is kept. Another build of the program has
// other entries in any case (newfile.CacheFolder.Build); within one build under
// development it changes when what a reader makes of a line does.
const version = "16"

// Cache is the cache of a run. It is for one goroutine; nil keeps nothing.
type Cache struct {
	folder     newfile.CacheFolder
	who        string // who is said to have written the logs, and what counts their tokens
	now        time.Time
	distrusted bool // an entry was damaged, so that none is used
}

// OpenCache returns the cache of logs that were written by an agent, empty where their content
// tells, and are measured with some options. It returns nil when the folder keeps nothing,
// and for options that do not name what counts.
func OpenCache(folder newfile.CacheFolder, agent Agent, o Options) *Cache {
	if folder.Path == "" || o.Count != nil && o.Tokenizer == "" {
		return nil
	}
	c := &Cache{folder: folder, who: string(agent) + "\x00", now: time.Now()}
	if o.Count != nil {
		c.who += o.Tokenizer
	}
	if folder.Now != nil {
		c.now = folder.Now()
	}
	return c
}

// Now returns the time of the run.
func (c *Cache) Now() time.Time { return c.now }

// key returns the key of a log; ok is false for a path that has none.
//
// SECURITY: the cache has no paths, which say what the user works on.
func (c *Cache) key(path string) (key newfile.CacheKey, ok bool) {
	path, err := filepath.Abs(path)
	return c.folder.KeyOf([]byte(version), []byte(c.who), []byte(path)), err == nil
}

// Find returns the entry that an earlier run put for a log; nil when there is none.
func (c *Cache) Find(path string) *CacheEntry {
	if c == nil || c.distrusted {
		return nil
	}
	key, ok := c.key(path)
	if !ok {
		return nil
	}
	data := c.folder.Read(kind, key)
	if data == nil {
		return nil
	}
	e, err := readEntry(data)
	if err != nil {
		return nil
	}
	return e
}

// readEntry returns the entry that some bytes are.
//
// SECURITY: the bytes may be anybody's. gob returns an error for nearly all that is no
// entry, and takes memory in proportion to them.
func readEntry(data []byte) (*CacheEntry, error) {
	e := new(CacheEntry)
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(e)
	if err == nil && (e.Offset < 0 || e.Offset > e.Size || e.Number < 0 || e.Whole < 0 || e.Count < e.Whole) {
		err = ErrDamaged
	}
	return e, err
}

// Put keeps an entry of a log. What cannot be written is read the next time.
func (c *Cache) Put(path string, e *CacheEntry) {
	key, ok := c.key(path)
	var out bytes.Buffer
	if ok && gob.NewEncoder(&out).Encode(e) == nil {
		_ = c.folder.Add(kind, key, out.Bytes())
	}
}

// Distrust makes Find find nothing from now on.
func (c *Cache) Distrust() { c.distrusted = true }

// Sweep removes entries that are old or too many.
func (c *Cache) Sweep() {
	if c != nil {
		c.folder.Sweep()
	}
}
