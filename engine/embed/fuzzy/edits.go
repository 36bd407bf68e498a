package fuzzy

// oneEdit tells whether one letter left out, added or replaced, or one swap of
// neighbours, makes b of a (optimal string alignment at distance 1).
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	for len(a) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch len(b) {
	case 1:
		return true
	case 2:
		return len(a) == 2 && a[0] == b[1] && a[1] == b[0]
	}
	return false
}
