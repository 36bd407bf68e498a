package meaning

import (
	"math"
	"math/bits"
	"slices"
)

// Vector is the direction of a word's meaning.
type Vector struct {
	planes []uint64 // see appendPlanes
	square int32    // the product of the row with itself
}

// Similarity returns the cosine of two vectors of one table, from -1 to 1. It is 0
// when one is the zero Vector.
func (v Vector) Similarity(u Vector) float64 {
	if v.square == 0 || u.square == 0 {
		return 0
	}
	return float64(dot(v.planes, u.planes)) / math.Sqrt(float64(v.square)*float64(u.square))
}

// AddTo adds the vector, of the length 1, times a weight to a sum of as many numbers.
// The zero Vector adds nothing.
func (v Vector) AddTo(sum []float64, weight float64) {
	if v.square == 0 {
		return
	}
	by := weight / math.Sqrt(float64(v.square))
	var times [16]float64
	for n := range times {
		times[n] = float64(by * float64(int8(n<<4)>>4))
	}
	for p := v.planes; len(p) >= 4; p = p[4:] {
		for i := range 4 {
			numbers := p[0]>>i&lowest | p[1]>>i&lowest<<1 | p[2]>>i&lowest<<2 | p[3]>>i&lowest<<3
			next := sum[:min(16, len(sum))]
			sum = sum[len(next):]
			for n := range next {
				next[n] += times[numbers&15]
				numbers >>= 4
			}
		}
	}
}

// lowest has the lowest bits of the 16 numbers in 8 bytes.
const lowest = 0x1111_1111_1111_1111

// appendPlanes appends the bits of a row, so that dot can multiply 64 numbers at a time:
// of each 64 numbers their lowest bits, then the next, and the last their signs. The
// numbers of one word are in no order, but in the same one in all rows.
func appendPlanes(dst []uint64, row []byte) []uint64 {
	const size = 32 // bytes of 64 numbers
	for len(row) > 0 {
		if len(row) < size {
			row = append(slices.Clone(row), make([]byte, size-len(row))...)
		}
		var block [4]uint64
		for i := range block {
			b := row[8*i:][:8]
			numbers := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
				uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
			block[0] |= numbers & lowest << i
			block[1] |= numbers >> 1 & lowest << i
			block[2] |= numbers >> 2 & lowest << i
			block[3] |= numbers >> 3 & lowest << i
		}
		row = row[size:]
		dst = append(dst, block[:]...)
	}
	return dst
}

// dot returns the sum of the products of two rows of equal length, given as planes. It
// counts the numbers that have a bit in one row and a bit in the other: 16 counts for 64
// products. A row has at most 1,024 numbers, so that the sum fits.
func dot(a, b []uint64) int32 {
	sum := 0
	for len(a) >= 4 && len(b) >= 4 {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		sum += bits.OnesCount64(a0 & b0)
		sum += 2 * (bits.OnesCount64(a1&b0) + bits.OnesCount64(a0&b1))
		sum += 4 * (bits.OnesCount64(a2&b0) + bits.OnesCount64(a1&b1) + bits.OnesCount64(a0&b2))
		sum += 8 * (bits.OnesCount64(a2&b1) + bits.OnesCount64(a1&b2) - bits.OnesCount64(a3&b0) - bits.OnesCount64(a0&b3))
		sum += 16 * (bits.OnesCount64(a2&b2) - bits.OnesCount64(a3&b1) - bits.OnesCount64(a1&b3))
		sum -= 32 * (bits.OnesCount64(a3&b2) + bits.OnesCount64(a2&b3))
		sum += 64 * bits.OnesCount64(a3&b3)
		a, b = a[4:], b[4:]
	}
	return int32(sum)
}
