package kept

import (
	"io"
	"os"
	"slices"
)

// scratchBuffer is how many bytes wait until they are written.
const scratchBuffer = 256 << 10

// scratch is a temporary file, for what would take too much memory until it is needed
// again. Its name is removed as soon as it is made, so that the system frees it when the
// process ends, however that is. The zero value is ready.
type scratch struct {
	file    *os.File
	waiting []byte // what is not written yet
	back    []byte // what was read back last
	written int64  // bytes in the file
	full    bool   // nothing is written any more
}

// put writes some bytes, and returns where they are. ok is false where a file cannot be
// without a name, or cannot be written: the caller keeps them.
func (f *scratch) put(data []byte) (from int64, ok bool) {
	if f.file == nil && !f.full {
		f.begin()
	}
	if f.full {
		return 0, false
	}
	if len(f.waiting)+len(data) > scratchBuffer {
		if !f.write(f.waiting) {
			return 0, false // what waits stays where it is
		}
		f.waiting = f.waiting[:0]
	}
	from = f.written + int64(len(f.waiting))
	if len(data) > scratchBuffer {
		return from, f.write(data)
	}
	f.waiting = append(f.waiting, data...)
	return from, true
}

// write writes bytes to the end of the file.
func (f *scratch) write(data []byte) bool {
	if _, err := f.file.WriteAt(data, f.written); err != nil {
		f.full = true
		return false
	}
	f.written += int64(len(data))
	return true
}

// read returns bytes that were put. They are valid until the next call of read or put.
func (f *scratch) read(from int64, size int) ([]byte, error) {
	if from >= f.written {
		at := int(from - f.written)
		if at+size > len(f.waiting) {
			return nil, io.ErrUnexpectedEOF
		}
		return f.waiting[at : at+size], nil
	}
	f.back = slices.Grow(f.back[:0], size)[:size]
	_, err := f.file.ReadAt(f.back, from)
	return f.back, err
}

// begin makes the file.
//
// SECURITY: it has what users wrote: it is for its owner alone and nobody can find it.
func (f *scratch) begin() {
	file, err := os.CreateTemp("", "caliper-sessions-")
	if err != nil {
		f.full = true
		return
	}
	if os.Remove(file.Name()) != nil { // an open file has to keep its name on this system
		_ = file.Close()
		_ = os.Remove(file.Name())
		f.full = true
		return
	}
	f.file = file
}

// end frees the file, and forgets what is in it.
func (f *scratch) end() {
	if f.file != nil {
		_ = f.file.Close() // nobody reads it again
	}
	*f = scratch{}
}
