package words

import "testing"

func TestLazyRegexp(t *testing.T) {
	digits := LazyRegexp(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("x") {
		t.Error("another expression")
	}
	if first, again := digits(), digits(); first != again {
		t.Error("compiled twice")
	}
	wrong := LazyRegexp(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression passes")
		}
	}()
	wrong()
}
