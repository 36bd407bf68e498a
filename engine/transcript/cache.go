package transcript

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"caliper/model/newfile"
)

// kind is the name of an entry in the cache folder.
const kind newfile.CacheKind = "logs"

// version is the version of everything that is kept. Another build of the program has
// other entries in any case (newfile.CacheFolder.Build); within one build under
// development it changes when what a reader makes of a line does.
const version = "17"

// settling is the age from which a log is kept: file systems round times, up to two
// seconds, so that a younger one may change again at the same time.
const settling = 3 * time.Second

// ErrDamaged is the error of an entry that is damaged.
var ErrDamaged = errors.New("an entry of the cache is damaged")

// Cache has the lines of logs that were read, an entry a log. It is for one goroutine; nil
// keeps nothing.
type Cache struct {
	folder     newfile.CacheFolder
	who        string // who is said to have written the logs, and what counts their tokens
	now        time.Time
	distrusted bool // an entry was damaged, so that none is used
}

// CacheEntry is the kept lines of a log.
type CacheEntry struct {
	Format int // a number of the caller's
	// Size, Changed (in nanoseconds since 1970) and File tell the log from itself later.
	Size, Changed int64
	File          uint64
	Lines
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

// key returns the key of a log; ok is false for a path that has none.
//
// SECURITY: the cache has no paths, which say what the user works on.
func (c *Cache) key(path string) (key newfile.CacheKey, ok bool) {
	path, err := filepath.Abs(path)
	return c.folder.KeyOf([]byte(version), []byte(c.who), []byte(path)), err == nil
}

// Find returns the entry of a log that is as it was when it was read; nil when there is none.
//
// SECURITY: the bytes may be anybody's. gob returns an error for nearly all that is no
// entry, and takes memory in proportion to them.
func (c *Cache) Find(path string) *CacheEntry {
	if c == nil || c.distrusted {
		return nil
	}
	key, ok := c.key(path)
	info, err := os.Stat(path)
	if !ok || err != nil {
		return nil
	}
	e := new(CacheEntry)
	data := c.folder.Read(kind, key)
	if gob.NewDecoder(bytes.NewReader(data)).Decode(e) != nil || e.Size != info.Size() || e.Changed != info.ModTime().UnixNano() || e.File != FileNumber(info) {
		return nil
	}
	return e
}

// Put keeps the lines of a log that was like info before it was read, unless it is too young
// or they are too many. What cannot be written is read the next time.
func (c *Cache) Put(path string, format int, info fs.FileInfo, k *Lines) {
	key, ok := c.key(path)
	var out bytes.Buffer
	e := CacheEntry{format, info.Size(), info.ModTime().UnixNano(), FileNumber(info), *k}
	if ok && !k.over && c.now.Sub(info.ModTime()) >= settling && gob.NewEncoder(&out).Encode(&e) == nil {
		_ = c.folder.Add(kind, key, out.Bytes())
	}
}

// Distrust makes Find find nothing from now on.
func (c *Cache) Distrust() { c.distrusted = true }

// Sweep removes entries that are old or too many.
func (c *Cache) Sweep() {
	if c != nil {
		c.folder.Sweep("")
	}
}
