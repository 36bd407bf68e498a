package lint_test

import (
	"reflect"
	"testing"

	"caliper/config"
	"caliper/engine/internal/synthetic"
	"caliper/engine/lint"
	"caliper/tui/demo"
)

// TestReportFromBytes: a report from bytes is the same, with every finding, remedy
// and reach.
func TestReportFromBytes(t *testing.T) {
	for name, dump := range map[string][]byte{"demo": demo.Registry(), "synthetic": synthetic.Dump(60, 1), "nothing": []byte(`{"tools":[]}`)} {
		c := config.Default()
		if name == "demo" {
			c = demoConfig(t)
		}
		s := snapshot(t, dump, c)
		want, err := lint.Run(t.Context(), s, lint.Options{MaxRanked: 5})
		if err != nil {
			t.Fatal(err)
		}
		data := want.Bytes(s.Registry)
		if data == nil {
			t.Fatalf("%s: the bytes are not those of the report", name)
		}
		got, err := lint.ReadReport(s.Registry, data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another report, %v", name, err)
		}
		for i := 0; i < len(data); i += 1 + len(data)/200 {
			if _, err := lint.ReadReport(s.Registry, data[:i]); err == nil {
				t.Fatalf("%s: cut to %d bytes: no error", name, i)
			}
		}
	}
}

// TestReportOfOtherTools: bytes that name a tool which the registry does not have
// are refused.
func TestReportOfOtherTools(t *testing.T) {
	s := snapshot(t, synthetic.Dump(2, 1), config.Default())
	for _, data := range []string{
		`{"Findings":[{"Tool":2}]}`, `{"Findings":[{"Tool":-2}]}`, `{"Findings":[{"Tool":0,"Remedy":{"Subject":2}}]}`,
		`{"Findings":[{"Tool":0,"Remedy":{"Edits":[{"Tool":5}]}}]}`, `{"Reach":[{"Tool":-1}]}`,
		`{"Reach":[{"Tool":1,"Name":{"Shadows":[7]}}]}`, `{"Reach":[{"Tool":1,"Name":{"Shadows":[-1]}}]}`, `[]`, ``,
	} {
		if _, err := lint.ReadReport(s.Registry, []byte(data)); err == nil {
			t.Errorf("%s: no error", data)
		}
	}
}

func FuzzReadReport(f *testing.F) {
	s := snapshot(f, synthetic.Dump(3, 1), config.Default())
	r, err := lint.Run(f.Context(), s, lint.Options{MaxRanked: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(r.Bytes(s.Registry))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := lint.ReadReport(s.Registry, data)
		if err != nil {
			return
		}
		again, err := lint.ReadReport(s.Registry, r.Bytes(s.Registry))
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("read again, it is another report: %v", err)
		}
	})
}
