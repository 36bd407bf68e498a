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
	_ "caliper/model/require"
	"caliper/tui/ui"
)

// However findings come, those that are listed are in order, and no more wait than an
// eighth of them, and none when another share of the work is done.
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
			if rapid.IntRange(0, 9).Draw(rt, "step") == 0 {
				a.step(a.share+1, shares)
				if len(a.list()) != len(all) {
					rt.Fatalf("%d of %d have arrived at a share of the work", len(a.list()), len(all))
				}
			}
		}
	})
}

// What a cancelled run of lint found says so, and does not stand among what the next one
// finds, however little that is.
func TestFindingsOfCancelledRun(t *testing.T) {
	t.Parallel()
	d := onDemo(t).Press("v").Hold("v").Settle()
	d.S.found, d.S.rows[viewFindings], *d.S.Tabs[viewFindings].Cursor = found{}, nil, ui.Cursor{}
	steps := make(chan bool)
	findings := func(word string, n int) {
		arriving := d.S.arriving
		d.Begin(d.S.linting.Start(d.Context(), d.State, func(ctx context.Context, p ui.Progress) (lint.Report, error) {
			for i := range n {
				arriving.add(lint.Finding{Code: lint.WeightlessWord, Severity: lint.Info, Message: fmt.Sprint(word, " ", i)})
			}
			arriving.step(1, 1)
			p(1, 3)
			select {
			case <-steps:
			case <-ctx.Done():
			}
			return lint.Report{}, ctx.Err()
		}))
		d.Deliver("stepped")
	}
	d.S.begin(viewFindings, true) // whose command nobody runs
	findings("first", 30)
	d.Hold("l").Hold("j").Hold("j").Wants("first 1", "remedies are tried when all is found")
	d.Hold("esc").Wants("first 1", "remedies are not known: linting did not end").Lacks("remedies are tried")
	d.S.begin(viewFindings, true)
	if d.Picture(); len(d.S.rows[viewFindings]) > 0 {
		t.Errorf("%d rows when the next run begins", len(d.S.rows[viewFindings]))
	}
	findings("second", 3)
	d.Picture()
	d.Wants("second 0").Lacks("first")
	if at, _ := d.S.Row(int(viewFindings)); len(d.S.rows[viewFindings]) != 4 || at != 0 { // and the header
		t.Errorf("%d rows, on row %d", len(d.S.rows[viewFindings]), at)
	}
	close(steps)
	d.Settle()
}

// Findings are listed as they are found. A cursor that was moved stays on its finding
// when others come before it and when remedies are known; one that was not is on top.
func TestFindingsArrive(t *testing.T) {
	t.Parallel()
	for _, moved := range []bool{false, true} {
		d := onDemo(t).Press("v").Hold("v").Settle()
		whole := d.S.found.report
		for i := range 40 { // so that all are listed at the steps
			whole.Findings = append(whole.Findings, lint.Finding{Code: lint.WeightlessWord, Severity: lint.Info, Message: fmt.Sprint("word ", i)})
		}
		d.S.found, d.S.rows[viewFindings], *d.S.Tabs[viewFindings].Cursor = found{}, nil, ui.Cursor{}
		late := whole.Findings[:5] // errors and warnings
		steps := make(chan bool)
		d.S.begin(viewFindings, true) // whose command nobody runs
		arriving := d.S.arriving
		d.Begin(d.S.linting.Start(d.Context(), d.State, func(_ context.Context, p ui.Progress) (lint.Report, error) {
			for _, f := range whole.Findings[5:] {
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
		d.Deliver("stepped").Wants("linting 1 of 3").Lacks(late[0].Tool.ShownName + " ")
		if moved {
			d.Hold("l").Hold("j").Wants("as found", "remedies are tried when all is found")
		}
		key, tool := d.S.Tabs[viewFindings].Cursor.ID, d.S.Tool()
		steps <- true
		d.Deliver("stepped").Wants("linting 2 of 3")
		n := 0
		for _, g := range d.S.groups {
			n += g.count
			if g.severity == lint.Info && d.S.isFolded(g.kind) == (moved && g.code == lint.CutDescription) {
				t.Errorf("moved %t: what arrives changes whether %s is folded", moved, g.code)
			}
		}
		if n < len(whole.Findings)-len(whole.Findings)/8 {
			t.Errorf("%d findings", n)
		}
		c := d.S.Tabs[viewFindings].Cursor
		if at := c.At(d.S.listed(viewFindings)); moved != (at > 0) || c.ID != key || moved && d.S.Tool() != tool {
			t.Errorf("moved %t: on row %d, %q", moved, at, c.ID)
		}
		steps <- true
		d.Settle().Lacks("linting", "remedies are tried")
		if at := c.At(d.S.listed(viewFindings)); moved && (c.ID != key || d.S.Tool() != tool) || !moved && at != 0 {
			t.Errorf("moved %t: at the end on row %d, %q", moved, at, c.ID)
		}
	}
}
