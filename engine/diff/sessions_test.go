package diff

import (
	"reflect"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
)

func TestSessionChanges(t *testing.T) {
	june := SessionSide{Active: false, SentTokens: 900, Deferred: 0}
	september := SessionSide{Active: true, SentTokens: 700, Listing: tokens.ListNames, Deferred: 12}
	for _, tt := range []struct {
		name     string
		old, new *SessionSide
		want     []SessionFact
	}{
		{"nothing differs", &june, &june, nil},
		{"all but the unreachable", &june, &september, []SessionFact{
			{"active", false, true}, {"sent_tokens", 900, 700}, {"listing", nil, "names"}, {"deferred_tools", 0, 12}}},
		{"a session that is new", nil, &june, []SessionFact{
			{"active", nil, false}, {"sent_tokens", nil, 900}, {"deferred_tools", nil, 0}, {"unreachable_tools", nil, 0}}},
		{"a session that is gone", &june, nil, []SessionFact{
			{"active", false, nil}, {"sent_tokens", 900, nil}, {"deferred_tools", 0, nil}, {"unreachable_tools", 0, nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (SessionChange{Name: "ops", Old: tt.old, New: tt.new}).Changes(); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %v\nwant %v", got, tt.want)
			}
		})
	}
}

// TestSideOf: what a session sends is what its budget says.
func TestSideOf(t *testing.T) {
	for _, generation := range config.Generations {
		for _, mode := range []config.Mode{config.On, config.Off} {
			s := built(t, fixture.Registry(t, doors(4)...), func(c *config.Config) {
				c.ToolSearch.Generation, c.ToolSearch.Enabled = config.Generation(generation), mode
			})
			b, side := s.Budget(false), SideOf(s)
			if side.Active != b.Active || side.Active != (mode == config.On) || side.SentTokens != b.AfterTokens || side.Unreachable != b.Unreachable || (side.Deferred > 0) != side.Active || side.Deferred > 4 {
				t.Errorf("%s, %s: %+v, budget %+v", generation, mode, side, b)
			}
			if (side.Listing != "") != (b.Listing != nil) || b.Listing != nil && side.Listing != b.Listing.Form {
				t.Errorf("%s, %s: lists %q", generation, mode, side.Listing)
			}
		}
	}
}
