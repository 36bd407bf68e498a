package embed

import (
	"encoding/binary"
	"math"
)

// rows is a matrix as its file holds it. It is kept in the file's type, since
// a model has up to hundreds of megabytes, and a text touches a few rows.
type rows struct {
	data    []byte // little-endian, row by row
	add     func(sum []float64, row []byte, weight float64)
	width   int // bytes in a row
	columns int
}

// row returns the bytes of a row, which must exist.
func (r *rows) row(number int32) []byte {
	at := int(number) * r.width
	return r.data[at : at+r.width]
}

// adders add a row of a type, times weight, to sum. Whole numbers are taken
// as they are: model2vec stores them without the scale they were made with,
// which normalizing makes up for.
var adders = map[string]func(sum []float64, row []byte, weight float64){
	"F32": func(sum []float64, row []byte, weight float64) {
		row = row[:4*len(sum)]
		for i := range sum {
			sum[i] += weight * float64(math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:])))
		}
	},
	"F16": func(sum []float64, row []byte, weight float64) {
		row = row[:2*len(sum)]
		for i := range sum {
			sum[i] += weight * half(binary.LittleEndian.Uint16(row[2*i:]))
		}
	},
	"BF16": func(sum []float64, row []byte, weight float64) {
		row = row[:2*len(sum)]
		for i := range sum {
			sum[i] += weight * float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(row[2*i:]))<<16))
		}
	},
	"F64": func(sum []float64, row []byte, weight float64) {
		row = row[:8*len(sum)]
		for i := range sum {
			sum[i] += weight * math.Float64frombits(binary.LittleEndian.Uint64(row[8*i:]))
		}
	},
	"I8": func(sum []float64, row []byte, weight float64) {
		row = row[:len(sum)]
		for i := range sum {
			sum[i] += weight * float64(int8(row[i]))
		}
	},
}

// half returns the value of a number of 16 bits: one of sign, five of
// exponent, ten of fraction (IEEE 754, binary16). Put in the places of a
// float32, the number is too small by the difference of the exponents' biases,
// 127 - 15, subnormal ones too.
func half(b uint16) float64 {
	bits := uint32(b&0x8000)<<16 | uint32(b&0x7fff)<<13
	if b&0x7c00 == 0x7c00 { // infinite, or not a number
		return float64(math.Float32frombits(bits | 0x7f800000))
	}
	return float64(math.Float32frombits(bits) * 0x1p112)
}

// decodeFloats returns the numbers of an array of type F64, F32, F16 or BF16,
// and false for any other type.
func decodeFloats(dtype string, data []byte) ([]float32, bool) {
	add := adders[dtype]
	if add == nil || dtype == "I8" {
		return nil, false
	}
	width := int(elementSize[dtype])
	numbers := make([]float32, len(data)/width)
	var sum [1]float64
	for i := range numbers {
		sum[0] = 0
		add(sum[:], data[i*width:(i+1)*width], 1)
		numbers[i] = float32(sum[0])
	}
	return numbers, true
}

// decodeIntegers returns the numbers of an array of type I32 or I64, and
// false for any other type.
func decodeIntegers(dtype string, data []byte) ([]int64, bool) {
	switch dtype {
	case "I32":
		numbers := make([]int64, len(data)/4)
		for i := range numbers {
			numbers[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
		return numbers, true
	case "I64":
		numbers := make([]int64, len(data)/8)
		for i := range numbers {
			numbers[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
		return numbers, true
	}
	return nil, false
}
