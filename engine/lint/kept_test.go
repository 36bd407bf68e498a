package lint_test

import (
	"bytes"
	"reflect"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/tui/demo"
)

// kept returns a report as it is kept; nil when it cannot be.
func kept(r lint.Report, of *model.Registry) []byte {
	var b bytes.Buffer
	if n, err := r.Kept(of).WriteTo(&b); err != nil || n != int64(b.Len()) {
		return nil
	}
	return b.Bytes()
}

// TestReportFromBytes: a report from bytes is the same, with every finding, remedy
// and reach.
func TestReportFromBytes(t *testing.T) {
	for name, dump := range map[string][]byte{"demo": demo.Registry(), "synthetic": fixture.Dump(60, 1), "nothing": []byte(`{"tools":[]}`)} {
		c := config.Default()
		if name == "demo" {
			c = demoConfig(t)
		}
		s := snapshot(t, dump, c)
		want, err := lint.Run(t.Context(), s, lint.Options{MaxRanked: 5})
		if err != nil {
			t.Fatal(err)
		}
		data := kept(want, s.Registry)
		if data == nil {
			t.Fatalf("%s: the bytes are not those of the report", name)
		}
		got, err := lint.ReadReport(s.Registry, bytes.NewReader(data))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another report, %v", name, err)
		}
		for i := 0; i < len(data); i += 1 + len(data)/200 {
			if _, err := lint.ReadReport(s.Registry, bytes.NewReader(data[:i])); err == nil {
				t.Fatalf("%s: cut to %d bytes: no error", name, i)
			}
		}
	}
}

// TestReportOfOtherTools: bytes that name a tool which the registry does not have
// are refused.
func TestReportOfOtherTools(t *testing.T) {
	s := snapshot(t, fixture.Dump(2, 1), config.Default())
	for _, data := range []string{
		`{"Findings":[{"Tool":2}]}`, `{"Findings":[{"Tool":-2}]}`, `{"Findings":[{"Tool":0,"Remedy":{"Subject":2}}]}`,
		`{"Findings":[{"Tool":0,"Remedy":{"Edits":[{"Tool":5}]}}]}`, `{"Reach":[{"Tool":-1}]}`,
		`{"Reach":[{"Tool":1,"Name":{"Shadows":[7]}}]}`, `{"Reach":[{"Tool":1,"Name":{"Shadows":[-1]}}]}`, `[]`, ``,
	} {
		if _, err := lint.ReadReport(s.Registry, bytes.NewReader([]byte(data))); err == nil {
			t.Errorf("%s: no error", data)
		}
	}
}

// TestReportThatCannotBeKept: there are no bytes of a report that would be another one
// when it is read.
func TestReportThatCannotBeKept(t *testing.T) {
	s := snapshot(t, fixture.Dump(2, 1), config.Default())
	other := snapshot(t, fixture.Dump(3, 1), config.Default()).Registry.Tools
	tool, bad := s.Registry.Tools[0], "\xff"
	finding := func(m lint.Remedy) lint.Report {
		return lint.Report{Findings: []lint.Finding{{Tool: tool, Remedy: &m}}}
	}
	edit := func(e whatif.Edit) lint.Report { return finding(lint.Remedy{Edits: []whatif.Edit{e}}) }
	if kept(finding(lint.Remedy{}), s.Registry) == nil {
		t.Error("a report without anything odd has no bytes")
	}
	for name, r := range map[string]lint.Report{
		"message":            {Findings: []lint.Finding{{Message: bad}}},
		"tool":               {Findings: []lint.Finding{{Tool: other[0]}}},
		"tool behind":        {Findings: []lint.Finding{{Tool: other[2]}}},
		"change":             finding(lint.Remedy{Change: bad}),
		"query":              finding(lint.Remedy{Query: bad}),
		"subject":            finding(lint.Remedy{Subject: other[1]}),
		"displaced":          finding(lint.Remedy{Displaced: other[1]}),
		"edited tool":        edit(whatif.Edit{Tool: other[0]}),
		"edited name":        edit(whatif.Edit{Tool: tool, Name: &bad}),
		"edited description": edit(whatif.Edit{Tool: tool, Description: &bad}),
		"reach of no tool":   {Reach: []lint.Reach{{}}},
		"reach of another":   {Reach: []lint.Reach{{Tool: other[0]}}},
		"query of a probe":   {Reach: []lint.Reach{{Tool: tool, Sentence: lint.Probe{Query: bad}}}},
		"shadow":             {Reach: []lint.Reach{{Tool: tool, Name: lint.Probe{Shadows: other[:1]}}}},
	} {
		if data := kept(r, s.Registry); data != nil {
			t.Errorf("%s: kept as %s", name, data)
		}
	}
}

func FuzzReadReport(f *testing.F) {
	s := snapshot(f, fixture.Dump(3, 1), config.Default())
	r, err := lint.Run(f.Context(), s, lint.Options{MaxRanked: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept(r, s.Registry))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := lint.ReadReport(s.Registry, bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := lint.ReadReport(s.Registry, bytes.NewReader(kept(r, s.Registry)))
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("read again, it is another report: %v", err)
		}
	})
}
