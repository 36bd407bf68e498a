package lazy

import "testing"

func TestRegexp(t *testing.T) {
	digits := Regexp(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("x") {
		t.Error("another expression")
	}
	if first, again := digits(), digits(); first != again {
		t.Error("compiled twice")
	}
	wrong := Regexp(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression passes")
		}
	}()
	wrong()
}
