package kept

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
)

// kind is what a file of the index is called in the cache.
const kind diskcache.Kind = "sessions"

// version is that of everything that is kept. Another build of the program has
// another index in any case (diskcache.Folder.Build); within one build under
// development it changes when what a reader makes of a line does.
const version = "6"

// The files of the index: few, so that each may be large enough for one log of 500 MB of most
// agents, of which up to 10 MB are kept, and no more than 96 MB in all.
const (
	shards    = 8        // files that the entries are in
	shardSize = 12 << 20 // bytes of a file
)

// Index is the index of a run. It is for one goroutine.
type Index struct {
	folder diskcache.Folder
	who    string // who is said to have written the logs, and what counts their tokens
	now    time.Time
	shards [shards]*shard // as they were, where they are known

	fresh  map[Digest]record // what was put and is not written
	size   int               // bytes of fresh
	failed error             // why something is not written

	distrusted bool // an entry was damaged, so that none is used
}

// most is how many bytes of entries wait in memory until they are written: those of 500 MB
// of logs are 40 MB.
const most = 6 << 20

// shard is a file of the index.
type shard struct{ records map[Digest]record }

// record is an entry in a file.
type record struct {
	used int64 // when it was used last, in seconds since 1970
	data []byte
}

// Open returns the index in a cache folder of logs that were written by an agent,
// empty where their content tells, and are measured with some options. It returns
// nil, which keeps nothing, when the folder keeps nothing, and for options that do
// not name what counts.
func Open(folder diskcache.Folder, agent transcript.Agent, o transcript.Options) *Index {
	if folder.Path == "" || o.Count != nil && o.Tokenizer == "" {
		return nil
	}
	x := &Index{folder: folder, who: string(agent) + "\x00", now: time.Now()}
	if o.Count != nil {
		x.who += o.Tokenizer
	}
	if folder.Now != nil {
		x.now = folder.Now()
	}
	return x
}

// Now returns the time of the run.
func (x *Index) Now() time.Time { return x.now }

// key returns the key of a log; ok is false for a path that has none.
//
// SECURITY: the index has no paths, which say what the user works on.
func (x *Index) key(path string) (key Digest, ok bool) {
	path, err := filepath.Abs(path)
	if err != nil {
		return key, false
	}
	whole := x.folder.KeyOf([]byte(version), []byte(x.who), []byte(path))
	copy(key[:], whole[:])
	return key, true
}

// Find returns the entry of a log; nil when there is none. It finds each once, and may not
// find what was put in this run.
func (x *Index) Find(path string) *Entry {
	if x == nil || x.distrusted {
		return nil
	}
	key, ok := x.key(path)
	if !ok {
		return nil
	}
	r, ok := x.fresh[key]
	if !ok {
		s := x.shard(key)
		if r, ok = s.records[key]; !ok {
			return nil
		}
		s.records[key] = record{used: x.now.Unix()} // the caller has the data alone, which is freed with its log
	}
	e, ok := readEntry(r.data)
	if !ok {
		return nil
	}
	return &e
}

// Put keeps an entry of a log.
func (x *Index) Put(path string, e Entry) {
	key, ok := x.key(path)
	if !ok {
		return
	}
	if x.fresh == nil {
		x.fresh = map[Digest]record{}
	}
	r := record{x.now.Unix(), e.bytes()}
	x.size += len(r.data) - len(x.fresh[key].data)
	if x.fresh[key] = r; x.size > most {
		x.write()
	}
}

// Distrust makes Find find nothing from now on.
func (x *Index) Distrust() { x.distrusted = true }

// Save writes what has changed. The error says what is not kept.
func (x *Index) Save() error {
	if x == nil {
		return nil
	}
	x.write()
	return x.failed
}

// write adds what was put to the files, one after the other, and forgets it.
func (x *Index) write() {
	var of [shards][]Digest
	for key := range x.fresh {
		n := int(key[0]) % shards
		of[n] = append(of[n], key)
	}
	for n, keys := range of {
		if len(keys) == 0 {
			continue
		}
		s := &shard{records: readShard(x.folder.Read(kind, x.shardKey(n)))}
		if known := x.shards[n]; known != nil {
			for key, r := range s.records {
				r.used = max(r.used, known.records[key].used)
				s.records[key] = r
			}
		}
		for _, key := range keys {
			s.records[key] = x.fresh[key]
		}
		x.failed = errors.Join(x.failed, x.folder.Write(kind, x.shardKey(n), s.bytes()))
	}
	x.fresh, x.size = nil, 0
}

// shardKey returns the key of a file of the index.
func (x *Index) shardKey(number int) diskcache.Key {
	return x.folder.KeyOf([]byte(version), []byte{byte(number)})
}

// shard returns the file that has the entry of a key.
func (x *Index) shard(key Digest) *shard {
	number := int(key[0]) % shards
	if x.shards[number] == nil {
		x.shards[number] = &shard{records: readShard(x.folder.Read(kind, x.shardKey(number)))}
		for key, r := range x.shards[number].records {
			r.data = bytes.Clone(r.data)
			x.shards[number].records[key] = r
		}
	}
	return x.shards[number]
}

// bytes returns the content of the file: the records by their keys, without those
// that were used longest ago where all together are too large.
func (s *shard) bytes() []byte {
	keys := slices.SortedFunc(maps.Keys(s.records), func(a, b Digest) int {
		return cmp.Or(cmp.Compare(s.records[b].used, s.records[a].used), bytes.Compare(a[:], b[:]))
	})
	size, fit := 0, keys[:0]
	for _, key := range keys {
		more := len(s.records[key].data) + recordHead
		if size+more <= shardSize {
			size += more
			fit = append(fit, key)
		}
	}
	slices.SortFunc(fit, func(a, b Digest) int { return bytes.Compare(a[:], b[:]) })
	w := Encoder{Data: make([]byte, 0, size)}
	for _, key := range fit {
		r := s.records[key]
		w.Data = append(w.Data, key[:]...)
		w.Int(int(r.used))
		w.Uint(uint64(len(r.data)))
		w.Data = append(w.Data, r.data...)
	}
	return w.Data
}

// recordHead is more than the bytes in front of the data of a record.
const recordHead = len(Digest{}) + 16

// readShard returns the records of a file, up to the first that is cut.
func readShard(data []byte) map[Digest]record {
	records := map[Digest]record{}
	for d := NewDecoder(data); d.More(); {
		var key Digest
		copy(key[:], d.bytes(len(key)))
		used := d.Int()
		if content := d.bytes(d.Len()); d.err == nil {
			records[key] = record{int64(used), content}
		}
	}
	return records
}
