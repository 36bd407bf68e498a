package yamltext

import (
	"math"
	"strings"
	"testing"
)

func TestPlainScalars(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  Kind
		float float64
	}{
		{"", Null, 0}, {"~", Null, 0}, {"NULL", Null, 0}, {"nULL", Text, 0},
		{"yes", Boolean, 0}, {"Off", Boolean, 0}, {"y", Text, 0}, {"oN", Text, 0}, {"TRUE", Boolean, 0},
		{"0", Integer, 0}, {"-0", Integer, 0}, {"+6", Integer, 6}, {"12_3", Integer, 123},
		{"010", Integer, 8}, {"-010", Integer, -8}, {"0_7", Integer, 7}, {"09", Text, 0}, {"0o7", Text, 0}, {"00", Integer, 0},
		{"0x1F", Integer, 31}, {"-0x1f", Integer, -31}, {"0X1F", Text, 0}, {"0b101", Integer, 5},
		{"1:30", Integer, 90}, {"-1:30", Integer, -90}, {"1:60", Text, 0}, {"0:30", Text, 0}, {"190:20:30", Integer, 685230},
		{"-1.5", Decimal, -1.5}, {"1:30.5", Decimal, 90.5}, {"0:30.5", Decimal, 30.5},
		{"1.5", Decimal, 1.5}, {"1.", Decimal, 1}, {".5", Decimal, .5}, {"-.5", Text, 0}, {"1_0._5", Decimal, 10.5},
		{"1e1", Text, 0}, {"1.0e1", Text, 0}, {"1.0e+1", Decimal, 10}, {"1.e-1", Decimal, .1}, {"1.0e+400", Decimal, math.Inf(1)},
		{".inf", Decimal, math.Inf(1)}, {"-.INF", Decimal, math.Inf(-1)}, {"inf", Text, 0}, {".nAn", Text, 0},
		{"2026-01-02", Date, 0}, {"2026-1-2", Text, 0}, {"2026-1-2 3:04:05", Date, 0}, {"2026-01-02T03:04:05.6Z", Date, 0},
		{"<<", Special, 0}, {"=", Special, 0}, {"-", Text, 0}, {"_1", Text, 0}, {"1 2", Text, 0},
		{"9223372036854775807", Integer, math.MaxInt64}, {strings.Repeat("9", 309), Integer, math.Inf(1)},
		{"-" + strings.Repeat("9", 4300), Integer, math.Inf(-1)}, {"0x" + strings.Repeat("f", 5000), Integer, math.Inf(1)},
		{"1" + strings.Repeat(":0", 5000), Integer, math.Inf(1)}, {"0" + strings.Repeat("0", 5000) + "7", Integer, 7},
	} {
		v, problem := Plain(c.text)
		if v.Kind != c.kind || v.Float != c.float || problem != "" {
			t.Errorf("%.40s: kind %d, %v, %q; want kind %d, %v", c.text, v.Kind, v.Float, problem, c.kind, c.float)
		}
	}
	if v, _ := Plain(".nan"); v.Kind != Decimal || !math.IsNaN(v.Float) {
		t.Errorf(".nan: %+v", v)
	}
	for _, s := range []string{"yes", "On", "TRUE"} {
		if v, _ := Plain(s); !v.Yes {
			t.Errorf("%s is not true", s)
		}
	}
}

func TestIntegersSaturate(t *testing.T) {
	for text, want := range map[string]int64{
		"9223372036854775806": math.MaxInt64 - 1, "9223372036854775808": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"-9223372036854775809": math.MinInt64, "0xFFFFFFFFFFFFFFFFFFFF": math.MaxInt64, "9007199254740993": 9007199254740993,
	} {
		if v, _ := Plain(text); v.Int != want {
			t.Errorf("%s: %d, want %d", text, v.Int, want)
		}
	}
}

func TestTruthy(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "~": false, "no": false, "yes": true, "0": false, "2": true, "0.0": false, ".nan": true, "''": false, "'no'": true,
		"x": true, "2026-01-02": true, "[]": false, "[a]": true, "{}": false, "{a: 1}": true, "!!binary ''": false, "!!binary aGk=": true,
	} {
		d, err := Load("", []byte("a: "+text))
		if err != nil {
			t.Fatal(text, err)
		}
		if v, problem := Resolve(Entries(d.Root)[0].Val); v.Truthy() != want || problem != "" {
			t.Errorf("%s is truthy: %t, %s; want %t", text, v.Truthy(), problem, want)
		}
	}
}

func TestTimeOfDay(t *testing.T) {
	for text, good := range map[string]bool{"0001-01-01": true, "0000-01-01": false, "2026-02-29": false, "2024-02-29": true, "2026-00-01": false} {
		if _, problem := Plain(text); (problem == "") != good {
			t.Errorf("%s: %q", text, problem)
		}
	}
	for text, good := range map[string]bool{
		"23:59:59": true, "24:00:00": false, "00:60:00": false, "00:00:60": false, "10:00:00 +23:59": true, "10:00:00 +24:00": false, "10:00:00 +23:60": false, "10:00:00 +00:99": true,
	} {
		if _, problem := Plain("2026-01-02 " + text); (problem == "") != good {
			t.Errorf("%s: %q", text, problem)
		}
	}
}
