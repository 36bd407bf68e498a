package tokens

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"caliper/model"
)

// Kept is where a Cache keeps its counts for later processes. Either function may
// be nil. They are called by the goroutine that counts.
type Kept struct {
	Load func() []byte     // returns the bytes that Save was given last, or nil
	Save func(data []byte) // keeps bytes for the next Load
}

const (
	// fewest is how many tools must have been counted before the counts are kept.
	// To count fewer costs less than to write all.
	fewest = 64
	// share is the share of all counts that must be new, as its inverse, so that
	// a registry that is edited all the time is not written all the time.
	share = 16
	// spare is how many counts are kept beside twice the last build's: of
	// other registries, or of an earlier state of this one.
	spare = 1 << 16
)

// recall loads the kept counts, once. Unreadable ones are not known.
func (c *Cache) recall() {
	c.recalled.Do(func() {
		if c.Kept.Load != nil {
			_ = c.read(c.Kept.Load())
		}
	})
}

// keep saves the counts after a build of so many tools, if enough of them are new:
// all that are remembered or, where these are many more, the build's.
func (c *Cache) keep(build uint32, tools int) {
	if fresh := int(c.fresh.Load()); c.Kept.Save == nil || fresh < max(fewest, tools/share) {
		return
	}
	c.fresh.Store(0)
	since := uint32(0)
	if c.Len() > 2*tools+spare {
		since = build
	}
	c.Kept.Save(c.bytes(since))
}

// entrySize is the size of a tool's units in bytes: its hash, and the units as
// uint32, little endian.
const entrySize = len(model.Hash{}) + 4

// bytes returns the units of the tools that a build since the given one asked for,
// sorted by hash.
func (c *Cache) bytes(since uint32) []byte {
	type pair struct {
		hash  model.Hash
		units int32
	}
	var all []pair
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for hash, known := range s.known {
			if known.build >= since {
				all = append(all, pair{hash, known.units})
			}
		}
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b pair) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	data := make([]byte, 0, len(all)*entrySize)
	for _, p := range all {
		data = binary.LittleEndian.AppendUint32(append(data, p.hash[:]...), uint32(p.units))
	}
	return data
}

// errNoCounts is the error that bytes are no counts.
var errNoCounts = errors.New("not the bytes of token counts")

// read remembers the units of bytes, which must be of the same method, as if
// the last build had asked for them. After an error it remembers nothing more than
// before.
func (c *Cache) read(data []byte) error {
	if len(data)%entrySize != 0 {
		return fmt.Errorf("%d bytes: %w", len(data), errNoCounts)
	}
	for entry := range slices.Chunk(data, entrySize) {
		if int32(binary.LittleEndian.Uint32(entry[len(model.Hash{}):])) < 0 {
			return fmt.Errorf("a tool of less than nothing: %w", errNoCounts)
		}
	}
	build := c.build.Load()
	for entry := range slices.Chunk(data, entrySize) {
		hash := model.Hash(entry)
		s := c.shard(hash)
		s.mu.Lock()
		s.known[hash] = counted{int32(binary.LittleEndian.Uint32(entry[len(hash):])), build}
		s.mu.Unlock()
	}
	return nil
}
