package serving

import "io"

// Input returns a stream that can be closed while somebody reads it: the reader then gets
// its end, although the stream itself may stay open, as standard input does.
func Input(in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err) // never fails
	}()
	return r
}
