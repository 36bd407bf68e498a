package logs

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxWindow is the window of the frames that are unpacked: 8 MiB, which RFC 8878
	// asks of every decoder. Codex packs with 2 MiB.
	maxWindow = 8 << 20

	// A log may be unpacked to this many times its size, and some: logs shrink to a
	// quarter, to a twentieth if they repeat themselves, a bomb to a thousandth.
	maxRatio = 100
	freeSize = 64 << 20
)

// errBomb is why the rest of a log is not unpacked.
var errBomb = errors.New("unpacks to more than a log does")

// unpacker unpacks one file after the other, in one goroutine and in constant memory.
type unpacker struct{ decoder *zstd.Decoder }

// unpack returns the content of a packed file of some size.
//
// SECURITY: neither the window nor the unpacked size is the file's to choose.
func (u *unpacker) unpack(in io.Reader, size int64) (io.Reader, error) {
	if u.decoder == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeBuffersBelow(0))
		if err != nil {
			return nil, err
		}
		u.decoder = d
	}
	if err := u.decoder.Reset(in); err != nil {
		return nil, err
	}
	return &bounded{u.decoder, maxRatio*size + freeSize}, nil
}

// close frees what the unpacker has.
func (u *unpacker) close() {
	if u.decoder != nil {
		u.decoder.Close()
	}
}

// bounded reads as many bytes as are left, and fails behind them.
type bounded struct {
	in   io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errBomb
	}
	return n, err
}
