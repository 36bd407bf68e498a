// Package jsonnumber tells the numbers of JSON (RFC 8259, section 6) byte by
// byte, for scanners that see their text in windows. It does not read their
// values.
package jsonnumber

// Place is a place inside a number.
type Place uint8

const (
	// End is where Next leads with a byte that is no part of the number.
	End Place = iota
	// Start is before the first byte.
	Start

	minus    // behind the minus
	zero     // behind a leading 0
	whole    // behind a digit of the whole part
	point    // behind the point
	fraction // behind a digit of the fraction
	e        // behind the e
	sign     // behind the sign of the exponent
	exponent // behind a digit of the exponent
	places
)

// Next returns the place behind c.
func (p Place) Next(c byte) Place { return steps[p][c] }

// Whole reports whether what is before p is a number.
func (p Place) Whole() bool { return p == zero || p == whole || p == fraction || p == exponent }

var steps = func() (t [places][256]Place) {
	digits := func(from Place, first byte, to Place) {
		for c := first; c <= '9'; c++ {
			t[from][c] = to
		}
	}
	t[Start]['-'] = minus
	for _, from := range []Place{Start, minus} {
		t[from]['0'] = zero
		digits(from, '1', whole)
	}
	digits(whole, '0', whole)
	for _, from := range []Place{zero, whole} {
		t[from]['.'] = point
	}
	digits(point, '0', fraction)
	digits(fraction, '0', fraction)
	for _, from := range []Place{zero, whole, fraction} {
		t[from]['e'], t[from]['E'] = e, e
	}
	t[e]['+'], t[e]['-'] = sign, sign
	for _, from := range []Place{e, sign, exponent} {
		digits(from, '0', exponent)
	}
	return t
}()
