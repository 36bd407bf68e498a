package words_test

import (
	"math"
	"testing"

	"caliper/model/words"
)

func TestCount(t *testing.T) {
	for n, want := range map[int][2]string{
		0:    {"0 tools", "0 entries"},
		1:    {"1 tool", "1 entry"},
		2:    {"2 tools", "2 entries"},
		1000: {"1000 tools", "1000 entries"},
		-1:   {"-1 tools", "-1 entries"},
	} {
		if got := words.Count(n, "tool"); got != want[0] {
			t.Errorf("%q, want %q", got, want[0])
		}
		if got := words.CountOf(int64(n), "entry", "entries"); got != want[1] {
			t.Errorf("%q, want %q", got, want[1])
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1000000: "1,000,000",
		-1: "−1", -999: "−999", -1000: "−1,000", -123456: "−123,456", math.MinInt64: "−9,223,372,036,854,775,808",
	} {
		if got := words.Thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if one, many := words.CountThousands(1, "tool"), words.CountThousands(12345, "tool"); one != "1 tool" || many != "12,345 tools" {
		t.Error(one, many)
	}
}

func TestOr(t *testing.T) {
	for want, choices := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := words.Or(choices); got != want {
			t.Errorf("%q: %q, want %q", choices, got, want)
		}
	}
}
