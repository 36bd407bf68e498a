package lint

import (
	"sync/atomic"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model/require"
)

// Plans, which hold whole texts and schemas, are made for a batch of findings at a time:
// when the first remedy is tried, no more of them are there.
func TestPlansInBatches(t *testing.T) {
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, fixture.Entry("weigh", "Weigh gold.", "mcp-a")), Config: config.Default()})
	require.NoError(t, err)
	c, err := newCheck(t.Context(), s)
	require.NoError(t, err)
	var made, first atomic.Int64
	drafts := make([]draft, 3*batch)
	for i := range drafts {
		drafts[i] = found(WeightlessWord, Info, nil, "%d", i)
		drafts[i].plans = func() []plan { made.Add(1); return nil }
	}
	p := newProgress(func(int, int) { first.CompareAndSwap(0, made.Load()) }, len(drafts))
	p.split(len(drafts), len(drafts))
	findings, _, err := c.remedy(t.Context(), drafts, 0, p)
	if err != nil || len(findings) != len(drafts) || made.Load() != int64(len(drafts)) {
		t.Fatalf("%d findings, %d plans: %v", len(findings), made.Load(), err)
	}
	if first.Load() > batch {
		t.Errorf("%d plans were there at once", first.Load())
	}
}
