package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"caliper/engine/trial"
	"caliper/model"
)

// noTool is the place of no tool.
const noTool = -1

// The types below are those of a report with a tool's place in its registry instead
// of the tool.
type (
	keptReport struct {
		Findings []keptFinding
		Reach    []keptReach
		Limit    int
		Untried  int
	}
	keptFinding struct {
		Code     Code
		Severity Severity
		Tool     int
		Message  string
		Remedy   *keptRemedy
	}
	keptRemedy struct {
		Change                    string
		Edits                     []keptEdit
		Query                     string
		Subject                   int
		RankBefore, RankAfter     int
		Enters                    bool
		Displaced                 int
		TokensBefore, TokensAfter int
	}
	keptEdit struct {
		Tool              int
		Name, Description *string
		Parameters        []byte // as bytes, for JSON within JSON would lose its white space
		Remove            bool
	}
	keptReach struct {
		Tool                       int
		Name, Sentence, Parameters keptProbe
	}
	keptProbe struct {
		Query   string
		Rank    int
		Found   bool
		Shadows []int
	}
)

// place returns the place of a tool in its registry.
func place(t *model.Tool) int {
	if t == nil {
		return noTool
	}
	return t.Index
}

// Bytes returns the report about a registry as bytes, from which ReadReport makes
// it again; nil when it would be another.
func (r Report) Bytes(of *model.Registry) []byte {
	k := keptReport{Findings: mapped(r.Findings, keepFinding), Reach: mapped(r.Reach, keepReach), Limit: r.Limit, Untried: r.Untried}
	data, err := json.Marshal(k)
	if err != nil {
		return nil
	}
	if again, err := ReadReport(of, data); err != nil || !reflect.DeepEqual(again, r) {
		return nil // a text that is not UTF-8, say
	}
	return data
}

// mapped returns what f makes of every element; nil of nil.
func mapped[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

func keepFinding(f Finding) keptFinding {
	k := keptFinding{Code: f.Code, Severity: f.Severity, Tool: place(f.Tool), Message: f.Message}
	if m := f.Remedy; m != nil {
		k.Remedy = &keptRemedy{
			Change: m.Change, Query: m.Query, Subject: place(m.Subject),
			RankBefore: m.RankBefore, RankAfter: m.RankAfter, TokensBefore: m.TokensBefore, TokensAfter: m.TokensAfter,
			Enters: m.Enters, Displaced: place(m.Displaced),
			Edits: mapped(m.Edits, func(e trial.Edit) keptEdit {
				return keptEdit{place(e.Tool), e.Name, e.Description, e.Parameters, e.Remove}
			}),
		}
	}
	return k
}

func keepReach(r Reach) keptReach {
	probe := func(p Probe) keptProbe { return keptProbe{p.Query, p.Rank, p.Found, mapped(p.Shadows, place)} }
	return keptReach{place(r.Tool), probe(r.Name), probe(r.Sentence), probe(r.Parameters)}
}

// errNoReport reports bytes that are not those of a report.
var errNoReport = errors.New("not the bytes of a report")

// ReadReport returns the report from the bytes that Bytes returned for the same
// registry. It does not trust them: a report that it returns names tools of the
// registry only.
func ReadReport(of *model.Registry, data []byte) (Report, error) {
	var k keptReport
	if err := json.Unmarshal(data, &k); err != nil {
		return Report{}, fmt.Errorf("%w: %w", errNoReport, err)
	}
	r := reportReader{of: of}
	report := Report{Findings: mapped(k.Findings, r.finding), Reach: mapped(k.Reach, r.reach), Limit: k.Limit, Untried: k.Untried}
	if r.failed {
		return Report{}, errNoReport
	}
	return report, nil
}

// reportReader finds tools by their places. It has failed when there is none at one.
type reportReader struct {
	of     *model.Registry
	failed bool
}

// tool returns the tool at a place; nil for noTool.
func (r *reportReader) tool(at int) *model.Tool {
	if at < noTool || at >= len(r.of.Tools) {
		r.failed = true
		return nil
	}
	if at == noTool {
		return nil
	}
	return r.of.Tools[at]
}

func (r *reportReader) finding(k keptFinding) Finding {
	f := Finding{Code: k.Code, Severity: k.Severity, Tool: r.tool(k.Tool), Message: k.Message}
	if m := k.Remedy; m != nil {
		f.Remedy = &Remedy{
			Change: m.Change, Query: m.Query, Subject: r.tool(m.Subject),
			RankBefore: m.RankBefore, RankAfter: m.RankAfter, TokensBefore: m.TokensBefore, TokensAfter: m.TokensAfter,
			Enters: m.Enters, Displaced: r.tool(m.Displaced),
			Edits: mapped(m.Edits, func(e keptEdit) trial.Edit {
				return trial.Edit{Tool: r.tool(e.Tool), Name: e.Name, Description: e.Description, Parameters: e.Parameters, Remove: e.Remove}
			}),
		}
	}
	return f
}

func (r *reportReader) reach(k keptReach) Reach {
	tool := r.tool(k.Tool)
	r.failed = r.failed || tool == nil
	probe := func(p keptProbe) Probe {
		return Probe{p.Query, p.Rank, p.Found, mapped(p.Shadows, func(at int) *model.Tool {
			r.failed = r.failed || at == noTool
			return r.tool(at)
		})}
	}
	return Reach{tool, probe(k.Name), probe(k.Sentence), probe(k.Parameters)}
}
