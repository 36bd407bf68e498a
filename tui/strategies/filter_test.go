package strategies

import (
	"strings"
	"testing"

	"caliper/engine/selection"
)

// A filter hides the tools of the strategy that do not have its text. The screen says when
// no tool has it, and does not offer a filter where there are no tools.
func TestFilter(t *testing.T) {
	t.Parallel()
	d := onDemo(t, "refund a payment").onto(selection.Keyword)
	d.s.Filter("REFUND")
	if d.wants("mcp_payments_refund_batch"); strings.Contains(d.picture(), "contains") || !d.s.Frame().Whole {
		t.Error(d.picture())
	}
	d.s.Filter("Zzz")
	if d.wants("no tool contains zzz; esc clears the filter"); strings.Contains(d.picture(), "mcp_payments_refund_batch") {
		t.Error(d.picture())
	}
	tools := d.s.pick(selection.Keyword).Tools
	for v := range viewCount {
		d.s.Show(int(v))
		if left := len(d.s.filtered(tools)); (left < len(tools)) != (v == viewComparison) {
			t.Errorf("%s: %d of %d tools are left", v, left, len(tools))
		}
		if offered := d.s.noFilter() == ""; offered != (v == viewComparison) || offered != d.s.Frame().Whole {
			t.Errorf("%s: a filter is offered: %v, and said to hide rows: %v", v, offered, d.s.Frame().Whole)
		}
	}
}
