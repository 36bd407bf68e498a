package queries

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/lint"
	"caliper/model"
	"caliper/tui/job"
)

// However findings come, those that have arrived are in order, and all but the last
// few are there.
func TestArrivalsAreInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tools := []*model.Tool{nil, {Index: 1}, {Index: 2}, {Index: 3}}
		var a arrivals
		var all []lint.Finding
		for i := range rapid.IntRange(0, 200).Draw(rt, "findings") {
			f := lint.Finding{
				Severity: rapid.SampledFrom(lint.Severities()).Draw(rt, "severity"), Code: rapid.SampledFrom(lint.Codes()).Draw(rt, "code"),
				Tool: rapid.SampledFrom(tools).Draw(rt, "tool"), Message: fmt.Sprint(i),
			}
			all = append(all, f)
			a.add(f)
			want := slices.Clone(all[:len(a.list())])
			slices.SortStableFunc(want, lint.Compare)
			if !reflect.DeepEqual(a.list(), want) || len(all)-len(want) > len(want)/8 {
				rt.Fatalf("%d of %d have arrived: %v", len(want), len(all), a.list())
			}
		}
	})
}

// Findings are listed as they are found. A cursor that was moved stays on its finding
// when others come before it and when remedies are known; one that was not is on top.
func TestFindingsArrive(t *testing.T) {
	t.Parallel()
	for _, moved := range []bool{false, true} {
		d := onDemo(t).press("v").hold("v").settle()
		whole := d.s.found.report
		for i := range 40 { // so that all are listed at the steps
			whole.Findings = append(whole.Findings, lint.Finding{Code: lint.WeightlessWord, Severity: lint.Info, Message: fmt.Sprint("word ", i)})
		}
		d.s.found, d.s.lists[viewFindings] = found{}, list{}
		late := whole.Findings[:3]
		steps := make(chan bool)
		d.s.begin(viewFindings, true) // whose command nobody runs
		arriving := d.s.arriving
		d.run(d.s.linting.Start(d.ctx, d.state, func(_ context.Context, p job.Progress) (lint.Report, error) {
			for _, f := range whole.Findings[3:] {
				f.Remedy, f.Message = nil, "as found"
				arriving.add(f)
			}
			p(1, 3)
			<-steps
			for i := range 20 {
				f := late[i%len(late)]
				f.Remedy = nil
				arriving.add(f)
			}
			p(2, 3)
			<-steps
			return whole, nil
		}))
		d.deliver("stepped").wants("linting 1 of 3", "as found").lacks(late[0].Tool.ShownName + " ")
		if moved {
			d.hold("j").wants("remedies are tried when all is found")
		}
		key, tool := d.s.lists[viewFindings].key, d.s.tool()
		steps <- true
		d.deliver("stepped").wants("linting 2 of 3")
		if n := len(d.s.lists[viewFindings].rows); n < len(whole.Findings)-len(whole.Findings)/8 {
			t.Errorf("%d rows", n)
		}
		if l := &d.s.lists[viewFindings]; moved != (l.cursor() > 0) || l.key != key || moved && d.s.tool() != tool {
			t.Errorf("moved %t: on row %d, %q", moved, l.cursor(), l.key)
		}
		steps <- true
		d.settle().lacks("linting", "remedies are tried")
		if l := &d.s.lists[viewFindings]; moved && (l.key != key || d.s.tool() != tool) || !moved && l.cursor() != 0 {
			t.Errorf("moved %t: at the end on row %d, %q", moved, l.cursor(), l.key)
		}
	}
}
