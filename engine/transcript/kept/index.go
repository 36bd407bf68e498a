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
const version = "11"

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

	fresh   map[Digest]aside // what was put and is not written
	scratch scratch          // has the data of those, and of what was there: of 500 MB of logs it is 40 MB
	room    []byte           // for one of those

	distrusted bool // an entry was damaged, so that none is used
}

// shard is a file of the index.
type shard struct {
	records map[Digest]record // while it is read or written
	stored  map[Digest]aside  // as it was; each until it is found
}

// record is an entry in a file.
type record struct {
	used int64 // when it was used last, in seconds since 1970
	data []byte
}

// aside is an entry outside of the files of the index: its data, or where in the scratch file
// that is.
type aside struct {
	data  []byte
	from  int64
	size  int
	found bool // it was found: it is used in this run
}

// setAside puts an entry into the scratch file, if it can.
func (x *Index) setAside(data []byte) aside {
	if from, ok := x.scratch.put(data); ok {
		return aside{from: from, size: len(data)}
	}
	return aside{data: bytes.Clone(data)}
}

// taken returns the data of an entry. The error is that of the scratch file.
func (x *Index) taken(p aside) ([]byte, error) {
	if p.data != nil {
		return p.data, nil
	}
	data, err := x.scratch.read(p.from, p.size)
	return bytes.Clone(data), err
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

// Find returns the entry that an earlier run put for a log; nil when there is none, or when
// it was found already in this run.
func (x *Index) Find(path string) *Entry {
	if x == nil || x.distrusted {
		return nil
	}
	key, ok := x.key(path)
	if !ok {
		return nil
	}
	s := x.shard(key)
	p, ok := s.stored[key]
	if !ok || p.found {
		return nil
	}
	s.stored[key] = aside{found: true} // the caller has the data alone, which is freed with its log
	data, err := x.taken(p)
	if err != nil {
		return nil
	}
	e, ok := readEntry(data)
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
		x.fresh = map[Digest]aside{}
	}
	data := e.appendTo(x.room[:0])
	if cap(data) <= scratchBuffer {
		x.room = data
	}
	x.fresh[key] = x.setAside(data)
}

// Distrust makes Find find nothing from now on.
func (x *Index) Distrust() { x.distrusted = true }

// Save writes what was put to the files, one after the other, and forgets it. The error
// says what is not kept.
func (x *Index) Save() (err error) {
	if x == nil {
		return nil
	}
	var of [shards][]Digest
	for key := range x.fresh {
		n := int(key[0]) % shards
		of[n] = append(of[n], key)
	}
	for n, keys := range of {
		if len(keys) > 0 {
			err = errors.Join(err, x.save(n, keys))
		}
	}
	x.scratch.end()
	x.fresh = nil
	return err
}

// save writes what was put under some keys, all of one file.
func (x *Index) save(number int, keys []Digest) error {
	s := &shard{records: readShard(x.folder.Read(kind, x.shardKey(number)))}
	if known := x.shards[number]; known != nil {
		for key, r := range s.records {
			if known.stored[key].found {
				r.used = x.now.Unix()
				s.records[key] = r
			}
		}
	}
	for _, key := range keys {
		data, err := x.taken(x.fresh[key])
		if err != nil {
			return err
		}
		s.records[key] = record{x.now.Unix(), data}
	}
	return x.folder.Write(kind, x.shardKey(number), s.bytes())
}

// shardKey returns the key of a file of the index.
func (x *Index) shardKey(number int) diskcache.Key {
	return x.folder.KeyOf([]byte(version), []byte{byte(number)})
}

// shard returns the file that has the entry of a key.
func (x *Index) shard(key Digest) *shard {
	number := int(key[0]) % shards
	if x.shards[number] == nil {
		s := &shard{stored: map[Digest]aside{}} // of which most memory would be for logs that are not read
		for key, r := range readShard(x.folder.Read(kind, x.shardKey(number))) {
			s.stored[key] = x.setAside(r.data)
		}
		x.shards[number] = s
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
