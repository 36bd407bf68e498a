package strategies

import (
	"strings"
	"testing"

	"caliper/engine/selection"
)

// A filter leaves of the tools of the strategy those with its text, says when there is none,
// and is not offered where it would do nothing.
func TestFilter(t *testing.T) {
	t.Parallel()
	d := onDemo(t, "refund a payment").onto(selection.Keyword)
	d.s.Filter("REFUND")
	if d.wants("mcp_payments_refund_batch"); strings.Contains(d.picture(), "contains") || !d.s.Filtered() {
		t.Error(d.picture())
	}
	d.s.Filter("Zzz")
	if d.wants("no tool contains zzz; esc clears the filter"); strings.Contains(d.picture(), "mcp_payments_refund_batch") {
		t.Error(d.picture())
	}
	tools := d.s.pick(selection.Keyword).Tools
	for v := range viewCount {
		d.s.view = v
		if left := len(d.s.filtered(tools)); (left < len(tools)) != (v == viewComparison) {
			t.Errorf("%s: %d of %d tools are left", v, left, len(tools))
		}
		if offered := d.s.noFilter() == ""; offered != (v == viewComparison) || offered != d.s.Filtered() {
			t.Errorf("%s: a filter is offered: %v, and said to hide rows: %v", v, offered, d.s.Filtered())
		}
	}
}
