package diff

import (
	"reflect"
	"testing"

	"caliper/engine/listing"
)

func TestSessionChanges(t *testing.T) {
	june := SessionSide{Active: false, SentTokens: 900, Deferred: 0}
	september := SessionSide{Active: true, SentTokens: 700, Listing: listing.Names, Deferred: 12}
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
