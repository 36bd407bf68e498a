package selection

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func conversed(t *testing.T, x *Selector, messages ...string) map[string]Thread {
	t.Helper()
	threads, err := x.Converse(t.Context(), messages, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Thread{}
	var order []string
	for _, thread := range threads {
		key := fmt.Sprint(thread.Strategy, " ", thread.Sticky)
		out[key] = thread
		order = append(order, key)
	}
	want := "eager false,lazy false,tool_search false,keyword true,keyword false,semantic true,semantic false,hybrid true,hybrid false"
	if got := strings.Join(order, ","); got != want {
		t.Fatalf("threads %s", got)
	}
	return out
}

func TestConversation(t *testing.T) {
	s := session(t, office)
	one := func(k *Settings) { k.K = 1 }
	x := selector(t, s, knobs(Eager, one), &scripted{})
	threads := conversed(t, x, "lawn", "letter", "letter")
	sticky, not := threads["keyword true"], threads["keyword false"]
	for i, want := range []string{
		"terminal=core mow_lawn=ranked",
		"terminal=core mow_lawn=sticky send_mail=ranked",
		"terminal=core mow_lawn=sticky send_mail=ranked",
	} {
		wantShown(t, sticky.Turns[i].Selection, want)
	}
	wantShown(t, not.Turns[1].Selection, "terminal=core send_mail=ranked")
	if got := strings.Join(names(not.Turns[1].Added), " ") + "/" + strings.Join(names(not.Turns[1].Dropped), " "); got != "send_mail/mow_lawn" {
		t.Errorf("added and dropped %s", got)
	}
	if got := strings.Join(names(sticky.Turns[0].Added), " "); got != "terminal mow_lawn" || len(sticky.Turns[1].Dropped) > 0 {
		t.Errorf("the first turn adds %s, the second drops %v", got, names(sticky.Turns[1].Dropped))
	}

	// The growing one loses the bridge alone, whose count of deferred tools
	// changes; the other one loses the tool before it as well, and the bridge
	// although that is the same, because a prefix is all that is kept.
	tokens := func(name string) int { return s.ToolTokens(s.Registry.Lookup(name)[0]) }
	bridge := x.bridge.units
	if got, want := sticky.LostTokens, s.Tokenizer.Tokens(bridge(6)); got != want {
		t.Errorf("sticky loses %d, want the bridge's %d", got, want)
	}
	if got, want := not.LostTokens, tokens("mow_lawn")+s.Tokenizer.Tokens(bridge(6)); got < want-1 || got > want {
		t.Errorf("not sticky loses %d, want about %d", got, want)
	}
	if sticky.Stability != 0.5 || not.Stability != 0.5 || not.Turns[2].LostTokens != 0 || not.Turns[2].KeptBytes != not.Turns[2].PreviousBytes {
		t.Errorf("the turn that repeats: %+v", not.Turns[2])
	}
	sum := 0
	for _, turn := range sticky.Turns {
		sum += turn.Selection.SchemaTokens
	}
	if sum != sticky.SchemaTokens {
		t.Errorf("%d tokens, turns have %d", sticky.SchemaTokens, sum)
	}
	for _, name := range []string{"eager false", "lazy false", "tool_search false", "semantic true"} {
		if th := threads[name]; th.LostTokens != 0 || th.Stability != 1 {
			t.Errorf("%s loses %d", name, th.LostTokens)
		}
	}
}

// TestConversationIsSelectInTurn checks that a conversation is what a session
// gets that asks turn by turn.
func TestConversationIsSelectInTurn(t *testing.T) {
	sim := &scripted{scores: map[string]float64{"bake_bread": 1}}
	messages := []string{"lawn", "a letter", "read_file", "hello"}
	x := selector(t, session(t, office), knobs(Eager), sim)
	for key, thread := range conversed(t, x, messages...) {
		one := x.With(knobs(thread.Strategy, func(k *Settings) { k.Sticky = thread.Sticky }))
		var history []string
		for i, m := range messages {
			want := selecting(t, one, m, history...)
			history = want.History()
			got := thread.Turns[i].Selection
			if string(got.Bytes) != string(want.Bytes) || shown(got) != shown(want) || codes(got) != codes(want) || got.SchemaTokens != want.SchemaTokens || got.Message != m {
				t.Errorf("%s, turn %d: %s, asked alone %s", key, i, shown(got), shown(want))
			}
		}
	}
}

func TestConversationEnds(t *testing.T) {
	x := selector(t, session(t, office), knobs(Eager), nil)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := x.Converse(ctx, []string{"a", "b", "c"}, func(done, total int) {
		if calls++; total != 3 || done != calls {
			t.Errorf("progress %d of %d", done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("error %v after %d turns", err, calls)
	}
}

// TestWholeStrategies checks what is sent whatever the message is.
func TestWholeStrategies(t *testing.T) {
	s := session(t, office)
	x := selector(t, s, knobs(Lazy), nil)
	lazy := selecting(t, x, "letter")
	if got := string(lazy.Bytes); got != `["terminal","send_mail","send_parcel","paint_fence","mow_lawn","read_file","mcp_hub_create_issue","bake_bread"]` {
		t.Errorf("lazy sends %s", got)
	}
	if lazy.SchemaTokens != s.Tokenizer.Tokens(s.Tokenizer.Units(lazy.Bytes)) || lazy.RoundTrips != 1 || lazy.Deferred != 8 {
		t.Errorf("lazy: %+v", lazy)
	}
	search := selecting(t, x.With(knobs(ToolSearch)), "letter")
	wantShown(t, search, "terminal=core read_file=core")
	if !search.Bridge || search.Deferred != 6 || string(search.Bytes) != string(array(s.Assembly())) || len(x.Deferred(search)) != 6 {
		t.Errorf("tool_search: %+v", search)
	}
	eager := selecting(t, x.With(knobs(Eager)), "letter")
	if len(eager.Tools) != 8 || eager.SavedPct != 0 || eager.Strategy != Eager || !strings.HasPrefix(string(eager.Bytes), `[{"type":"function","function":{"name":"terminal"`) {
		t.Errorf("eager: %+v", eager)
	}
	none := selector(t, session(t, nil), knobs(Hybrid), &scripted{})
	for _, strategy := range Strategies {
		if got := selecting(t, none.With(knobs(strategy)), "x"); string(got.Bytes) != "[]" || got.SavedPct != 0 && strategy != Lazy {
			t.Errorf("%s of an empty registry: %+v", strategy, got)
		}
	}
}
