package meaning

import (
	"math"
	"math/bits"
)

// Vector is the direction of a word's meaning.
type Vector struct {
	row    string   // two numbers a byte
	planes []uint64 // the same, see appendPlanes
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
	sum = sum[:2*len(v.row)]
	for i := range len(v.row) {
		sum[2*i] += times[v.row[i]&15]
		sum[2*i+1] += times[v.row[i]>>4]
	}
}

// appendPlanes appends the bits of a row, so that dot can multiply 64 numbers at a time:
// of each 64 numbers their lowest bits, then the next, and the last their signs. The
// numbers of one word are in no order, but in the same one in all rows.
func appendPlanes(dst []uint64, row string) []uint64 {
	const lowest = 0x1111_1111_1111_1111 // of the 16 numbers in 8 bytes
	const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	for len(row) > 0 {
		if len(row) < len(zeros) {
			row += zeros[len(row):]
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
		row = row[len(zeros):]
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
		for bit, weight := range [...]int{1, 2, 4, -8} {
			plane := b[bit]
			sum += weight * (bits.OnesCount64(a[0]&plane) + 2*bits.OnesCount64(a[1]&plane) +
				4*bits.OnesCount64(a[2]&plane) - 8*bits.OnesCount64(a[3]&plane))
		}
		a, b = a[4:], b[4:]
	}
	return int32(sum)
}
