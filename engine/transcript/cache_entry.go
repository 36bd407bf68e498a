package transcript

import (
	"crypto/sha256"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
	"time"
)

// ErrDamaged is the error of an entry that is damaged.
var ErrDamaged = errors.New("an entry of the cache is damaged")

// CacheEntry is the kept facts of a log.
type CacheEntry struct {
	// Format is a number of the caller's.
	Format int
	// Size, Changed (in nanoseconds since 1970) and File tell the log from the
	// same log later.
	Size, Changed int64
	File          uint64
	// Settled: the log was not changed in the seconds before it was read.
	Settled bool
	// Head and Tail are the digests of the first bytes and of those before Offset.
	Head, Tail Digest
	// Beside is the state of the files beside a database.
	Beside []byte
	Lines
}

// Digest is the beginning of a SHA-256.
type Digest [16]byte

// DigestOf returns the digest of some bytes.
func DigestOf(data []byte) (d Digest) {
	sum := sha256.Sum256(data)
	copy(d[:], sum[:])
	return d
}

const (
	guard = 1 << 10 // bytes that Head digests, and Tail

	// Settling is the age from which a log is settled: file systems round times,
	// up to two seconds.
	Settling = 3 * time.Second
)

// CacheEntryOf returns the entry of a log that was read from r, without its digests;
// info is its earlier state.
func CacheEntryOf(format int, info fs.FileInfo, now time.Time, k *Lines) *CacheEntry {
	return &CacheEntry{Format: format, Size: info.Size(), Changed: info.ModTime().UnixNano(), File: FileNumber(info),
		Settled: now.Sub(info.ModTime()) >= Settling, Lines: *k}
}

// Unchanged reports whether a log is as it was when the entry was made.
func (e *CacheEntry) Unchanged(info fs.FileInfo) bool {
	return e.Settled && e.Size == info.Size() && e.Changed == info.ModTime().UnixNano() && e.File == FileNumber(info)
}

// Seal sets the digests of the entry.
func (e *CacheEntry) Seal(log io.ReaderAt) (err error) {
	e.Head, e.Tail, err = digests(log, e.Offset)
	return err
}

// Begins reports whether the log begins with what the entry was made of, so that
// reading can continue at Offset.
func (e *CacheEntry) Begins(log io.ReaderAt, info fs.FileInfo) bool {
	if e.Offset <= 0 || e.Offset > info.Size() || e.File != FileNumber(info) {
		return false
	}
	head, tail, err := digests(log, e.Offset)
	return err == nil && head == e.Head && tail == e.Tail
}

// digests returns the digests of the bytes of a log before an offset: of the first
// ones and of the last ones.
func digests(log io.ReaderAt, offset int64) (head, tail Digest, err error) {
	buffer := make([]byte, min(guard, offset))
	if _, err := log.ReadAt(buffer, 0); err != nil {
		return head, tail, err
	}
	head = DigestOf(buffer)
	_, err = log.ReadAt(buffer, offset-int64(len(buffer)))
	return head, DigestOf(buffer), err
}

// TextSum returns what tells a long text from others that nobody made to look like it: its
// length and its CRC-32C. It takes a tenth of the time of a Digest.
func TextSum(text []byte) uint64 {
	return uint64(len(text))<<32 | uint64(crc32.Checksum(text, castagnoli()))
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })
