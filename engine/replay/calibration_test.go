package replay

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model/require"
)

// heavy is a session in which a model makes a token of two characters, and logs that.
func heavy(model string, perChar float64) transcript.Session {
	w := tell()
	chars := 0
	for _, words := range []string{"polish the kettle", "and now the lathe, please, until it shines as the kettle does", "thank you", "one more thing: what about the anvil?"} {
		w.user(words)
		chars += len(words)
		w.answer(5000+int(perChar*float64(chars)), 0)
		chars += len("Let me see.")
	}
	return w.session(model)
}

// TestCountFitted: all sessions are counted by one model's tokenizer or each by its own; a
// model that was not fitted changes nothing.
func TestCountFitted(t *testing.T) {
	models := []Model{{Name: "sable"}, {Name: "drift", FittedTokenizer: FittedTokenizer{Overhead: 3, HeldOut: 2}}}
	for _, c := range []struct {
		models    []Model
		asked     string
		ok        bool
		fitted    int
		tokenizer string
	}{
		{models, CalibratedAll, true, 2, "before"}, {nil, CalibratedAll, false, 0, "before"}, {models, CalibratedPrefix + "drift", true, 0, "calibrated:drift"},
		{models, CalibratedPrefix + "sable", true, 0, "calibrated:sable"}, {models, CalibratedPrefix + "nobody", false, 0, "before"}, {nil, CalibratedPrefix + "sable", false, 0, "before"},
	} {
		in := Inputs{Tokenizer: Tokenizer{Name: "before"}}
		if ok := in.CountFitted(c.models, c.asked); ok != c.ok || len(in.Fitted) != c.fitted || in.Tokenizer.Name != c.tokenizer || in.Tokenizer.checked != strings.HasSuffix(c.asked, "drift") {
			t.Errorf("%s of %d: %v, %d fitted, %+v", c.asked, len(c.models), ok, len(in.Fitted), in.Tokenizer)
		}
	}
}

// Each session is weighed by the tokenizer of its own model, the others by Tokenizer, and
// Calibrate returns what Run reports.
func TestFittedWeighsItsModel(t *testing.T) {
	in := Inputs{Snapshot: workshop(t, 8), Prices: sable(t), Strategies: []selection.Strategy{selection.Eager, selection.ToolSearch},
		Sessions: []transcript.Session{heavy("sable", 0.5), heavy("drift", 0.25), tell().session("nobody")}}
	fitted, err := Calibrate(context.Background(), in)
	if err != nil || len(fitted) != 2 {
		t.Fatalf("%+v, %v", fitted, err)
	}
	plain, err := Run(context.Background(), in)
	require.NoError(t, err)
	if !reflect.DeepEqual(plain.Calibration, fitted) {
		t.Errorf("Calibrate %+v, Run %+v", fitted, plain.Calibration)
	}
	in.Fitted = fitted
	rep, err := Run(context.Background(), in)
	require.NoError(t, err)
	for i, want := range []string{"calibrated:sable", "calibrated:drift", "chars4"} {
		if got := rep.Sessions[i].Tokenizer; got != want {
			t.Errorf("session %d is weighed by %s, want %s", i, got, want)
		}
	}
	// Two tokens of a character save twice what one does, where both anchors are the log.
	saved := func(r *Report, i int) int {
		rows := r.Sessions[i].Strategies
		return rows[0].Tokens.Input - rows[1].Tokens.Input
	}
	if a, b := saved(rep, 0), 2*saved(plain, 0); a < b*95/100 || a > b*105/100 {
		t.Errorf("sable saves %d, want about %d", a, b)
	}
	if a, b := saved(rep, 1), saved(plain, 1); a < b*95/100 || a > b*105/100 {
		t.Errorf("drift saves %d, want about %d", a, b)
	}
}

// Sessions that log a sum alone are taken by their mean, and whoever asks may stop it.
func TestCalibrateBySums(t *testing.T) {
	in := Inputs{Snapshot: workshop(t, 8), Prices: sable(t), Sessions: []transcript.Session{heavy("sable", 0.5)}}
	alone, err := Calibrate(context.Background(), in)
	if err != nil || len(alone) != 1 {
		t.Fatalf("%+v, %v", alone, err)
	}
	for i := range 2 * leastContexts {
		w := tell()
		w.user("polish the kettle" + strings.Repeat(" and the lathe", 300*i))
		w.answer(0, 0)
		s := w.session("sable")
		s.Sums = &transcript.Usage{Input: 4000 + 3500*i}
		in.Sessions = append(in.Sessions, s)
	}
	with, err := Calibrate(context.Background(), in)
	if err != nil || len(with) != 1 || with[0].PerChar == alone[0].PerChar {
		t.Errorf("%+v, with sums %+v, %v", alone, with, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Calibrate(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The model with most requests is the first of equals, and one whose schemas weigh something.
func TestMostRequests(t *testing.T) {
	model := func(name string, requests int, schema float64) Model {
		m := Model{Name: name}
		m.Requests, m.PerChar[transcript.Schema] = requests, schema
		return m
	}
	for want, models := range map[string][]Model{
		"": {model("a", 5, 0), model("b", 5, -1)}, "b": {model("a", 9, 0), model("b", 5, 0.2), model("c", 5, 0.3)}, "c": {model("a", 4, 0.2), model("b", 5, 0.2), model("c", 6, 0.2)},
	} {
		r, err := begin(t.Context(), Inputs{Snapshot: workshop(t, 1), Fitted: models})
		require.NoError(t, err)
		if got, fitted := strings.CutPrefix(r.reference.Name, CalibratedPrefix); fitted != (want != "") || fitted && got != want {
			t.Errorf("%+v: %q, want %q", models, got, want)
		}
	}
}
