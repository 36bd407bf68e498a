package kept

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"io/fs"
	"time"
)

// Entry is what is kept of a log.
type Entry struct {
	// Format is a number of the caller's.
	Format int
	// Size, Changed (in nanoseconds since 1970) and File tell the log from the
	// same log later.
	Size, Changed int64
	File          uint64
	// Settled says that the log was not changed in the seconds before it was read.
	Settled bool
	// Head and Tail are the digests of the first bytes and of those before Offset.
	Head, Tail Digest
	Lines
}

// Digest is the beginning of a SHA-256.
type Digest [16]byte

const (
	guard = 1 << 10 // bytes of which Head is the digest, and Tail

	// Settling is the age from which a log is settled: file systems round times,
	// up to two seconds.
	Settling = 3 * time.Second
)

// EntryOf returns the entry of a log that was read from r, without its digests;
// info is what it was like before. A Lines of nil stands for a log of which nothing
// counts.
func EntryOf(format int, info fs.FileInfo, now time.Time, k *Lines) Entry {
	e := Entry{Format: format, Size: info.Size(), Changed: info.ModTime().UnixNano(), File: fileOf(info)}
	e.Settled = now.Sub(info.ModTime()) >= Settling
	if k != nil {
		e.Lines = *k
	}
	return e
}

// Unchanged reports whether a log is as it was when the entry was made.
func (e Entry) Unchanged(info fs.FileInfo) bool {
	return e.Settled && e.Size == info.Size() && e.Changed == info.ModTime().UnixNano() && e.File == fileOf(info)
}

// Seal sets the digests of the entry.
func (e *Entry) Seal(log io.ReaderAt) (err error) {
	e.Head, e.Tail, err = digests(log, e.Offset)
	return err
}

// Begins reports whether the log begins with what the entry was made of, so that
// reading can continue at Offset.
func (e Entry) Begins(log io.ReaderAt, info fs.FileInfo) bool {
	if e.Offset <= 0 || e.Offset > info.Size() || e.File != fileOf(info) {
		return false
	}
	head, tail, err := digests(log, e.Offset)
	return err == nil && head == e.Head && tail == e.Tail
}

// digests returns the digests of the bytes of a log before an offset: of the first
// ones and of the last ones.
func digests(log io.ReaderAt, offset int64) (head, tail Digest, err error) {
	buffer := make([]byte, min(guard, offset))
	for _, part := range []struct {
		at  int64
		sum *Digest
	}{{0, &head}, {offset - int64(len(buffer)), &tail}} {
		if _, err := log.ReadAt(buffer, part.at); err != nil {
			return head, tail, err
		}
		sum := sha256.Sum256(buffer)
		copy(part.sum[:], sum[:])
	}
	return head, tail, nil
}

// appendTo appends the entry as it is kept.
func (e *Entry) appendTo(data []byte) []byte {
	w := Encoder{Data: data}
	settled := uint64(0)
	if e.Settled {
		settled = 1
	}
	for _, n := range []uint64{uint64(e.Format), uint64(e.Size), uint64(e.Changed), e.File, settled, uint64(e.Number), uint64(e.Offset), uint64(e.Whole)} {
		w.Uint(n)
	}
	w.Uint(uint64(len(e.Recent)))
	for _, key := range e.Recent {
		w.Data = binary.LittleEndian.AppendUint64(w.Data, key)
	}
	w.Data = append(append(w.Data, e.Head[:]...), e.Tail[:]...)
	return append(w.Data, e.Data...)
}

// readEntry reads an entry; ok is false for what is none. Its Data is a slice of
// the bytes.
func readEntry(data []byte) (e Entry, ok bool) {
	d := NewDecoder(data)
	e.Format, e.Size, e.Changed, e.File, e.Settled = int(d.Uint()), int64(d.Uint()), int64(d.Uint()), d.Uint(), d.Uint() == 1
	e.Number, e.Offset, e.Whole = int(d.Uint()), int64(d.Uint()), int(d.Uint())
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		if key := d.bytes(8); d.err == nil {
			e.Recent = append(e.Recent, binary.LittleEndian.Uint64(key))
		}
	}
	copy(e.Head[:], d.bytes(len(e.Head)))
	copy(e.Tail[:], d.bytes(len(e.Tail)))
	e.Data = d.data
	ok = d.err == nil && e.Number >= 0 && e.Offset >= 0 && e.Offset <= e.Size && e.Whole >= 0 && e.Whole <= len(e.Data)
	return e, ok
}
