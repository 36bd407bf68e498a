package replay

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model/require"
	_ "caliper/model/require"
)

// prose returns an example that has nothing but prose.
func prose(chars, tokens int) Sample {
	e := Sample{Tokens: tokens}
	e.Chars[transcript.Prose] = chars
	return e
}

func TestFitExample(t *testing.T) {
	// The example of the package comment.
	got, ok := FitTokenizer([][]Sample{{prose(1000, 600), prose(1400, 700), prose(2000, 850)}}, nil)
	if !ok || math.Abs(got.PerChar[transcript.Prose]-0.25) > 1e-6 || math.Abs(got.Overhead-350) > 0.01 {
		t.Errorf("%+v, %v", got, ok)
	}
	if got.Requests != 3 || math.Abs(got.CharsPerToken-4) > 1e-4 {
		t.Errorf("%+v", got)
	}
}

func TestFitTellsNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		contexts [][]Sample
	}{
		{"nothing", nil},
		{"one request", [][]Sample{{prose(100, 50)}}},
		{"requests that are alike", [][]Sample{{prose(100, 50), prose(100, 51)}}},
		{"more text, fewer tokens", [][]Sample{{prose(100, 50), prose(200, 40)}}},
		{"between contexts only", [][]Sample{{prose(100, 50)}, {prose(200, 75)}}},
	} {
		if got, ok := FitTokenizer(c.contexts, nil); ok {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestLaw draws a law and conversations that follow it but for a noise of three
// in a thousand, with an intercept for each: the error on requests held out is a
// few times the noise at most. That holds of conversations that say enough, ten
// requests of 100 characters and more of each class: of less, the rounding to
// whole tokens and what was assumed before weigh more than the law.
func TestLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slope := func(name string) float64 { return rapid.Float64Range(0.2, 0.35).Draw(t, name) }
		law := [textClasses]float64{slope("schema"), slope("prose"), slope("output")}
		var contexts [][]Sample
		for range rapid.IntRange(2, 6).Draw(t, "contexts") {
			hidden := rapid.Float64Range(0, 9000).Draw(t, "hidden")
			var c []Sample
			var chars [textClasses]int
			for range rapid.IntRange(10, 30).Draw(t, "requests") {
				for i := range chars {
					chars[i] += rapid.IntRange(100, 900).Draw(t, "chars")
				}
				e := Sample{Chars: chars}
				noise := 1 + rapid.Float64Range(-0.003, 0.003).Draw(t, "noise")
				e.Tokens = int((hidden + weigh(law, e)) * noise)
				c = append(c, e)
			}
			contexts = append(contexts, c)
		}
		got, ok := FitTokenizer(contexts, nil)
		if !ok {
			return // the noise was larger than what was said
		}
		if got.HeldOut == 0 || got.ErrorPct > 2 {
			t.Fatalf("error %v %% on %d held out, law %v, got %v", got.ErrorPct, got.HeldOut, law, got.PerChar)
		}
		for _, s := range got.PerChar {
			if !(s >= 0) || math.IsInf(s, 0) {
				t.Fatalf("slopes %v", got.PerChar)
			}
		}
	})
}

// TestInterceptsDiffer holds the slopes against contexts whose intercepts would
// turn the slope around if they were one.
func TestInterceptsDiffer(t *testing.T) {
	got, ok := FitTokenizer([][]Sample{
		{prose(100, 1025), prose(200, 1050), prose(300, 1075)},
		{prose(1100, 275), prose(1200, 300), prose(1300, 325)},
	}, nil)
	if !ok || math.Abs(got.PerChar[transcript.Prose]-0.25) > 1e-6 {
		t.Errorf("%+v, %v", got, ok)
	}
}

// TestToolsThatDiffer: tools never change inside a context, and are told from the
// intercept by contexts that have others. Where all have the same, the error says that
// they are not.
func TestToolsThatDiffer(t *testing.T) {
	conversations := func(tools func(context int) int) [][]Sample {
		var contexts [][]Sample
		for g := range 8 {
			var c []Sample
			for i := range 12 {
				e := Sample{}
				e.Chars[transcript.Schema] = tools(g) + 5*i
				e.Chars[transcript.Prose] = 300 + 400*i + 7*(i*i%11)
				e.Chars[transcript.Output] = 900*i + 150*(i*i%7)
				sum := weigh([textClasses]float64{0.31, 0.235, 0.28}, e) + 300 + float64(10*(g*g%5))
				e.Tokens = int(sum * (1 + 0.002*float64((5*g+3*i)%7-3)/2))
				c = append(c, e)
			}
			contexts = append(contexts, c)
		}
		return contexts
	}
	apart, ok := FitTokenizer(conversations(func(g int) int { return 2000 + 9000*(g%3) }), nil)
	if s := apart.PerChar[transcript.Schema]; !ok || math.Abs(s-0.31) > 0.02*0.31 || apart.ErrorPct > 1 {
		t.Errorf("%+v", apart)
	}
	alike, ok := FitTokenizer(conversations(func(int) int { return 20000 }), nil)
	off := math.Abs(alike.PerChar[transcript.Schema]-0.31) * 20000
	if all := weigh(alike.PerChar, Sample{Chars: [textClasses]int{20000, 2500, 5500}}); !ok || alike.ErrorPct < 3 || alike.ErrorPct < 50*off/all {
		t.Errorf("%+v", alike)
	}
	// Sums of other sessions tell the tools of these.
	var means []SampleMean
	for _, schema := range []float64{1000, 5000, 9000, 30000} {
		means = append(means, SampleMean{Requests: 10, Chars: [textClasses]float64{schema, 2000, 5000}, Tokens: 310 + 0.31*schema + 0.235*2000 + 0.28*5000})
	}
	told, ok := FitTokenizer(conversations(func(int) int { return 20000 }), means)
	if s := told.PerChar[transcript.Schema]; !ok || math.Abs(s-0.31) > 0.02*0.31 || told.ErrorPct > 1 {
		t.Errorf("%+v", told)
	}
}

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

// TestTokenizerOf: a definition costs what its method counts, and a tokenizer has the name
// of the method that was asked for.
func TestTokenizerOf(t *testing.T) {
	s := workshop(t, 3)
	for _, m := range append(tokens.Methods(), "") {
		of := TokenizerOf(m)
		if want := string(m); of.Name != want && (m != "" || of.Name != string(tokens.Chars4)) {
			t.Errorf("%q is called %s", m, of.Name)
		}
		def := tokens.Compact(nil, tokens.Definition(s.Registry.Tools[0]))
		if got, want := of.of(of.definition(def)), float64(m.Units(def)); got != want && got != want/4 {
			t.Errorf("%s: a definition of %v tokens, want %v or a quarter", of.Name, got, want)
		}
		const text = "namespace and the type of text"
		if got, want := of.of(of.measure([]byte(text), transcript.Prose)), TokenizerOf(m.Base()); got != want.of(want.measure([]byte(text), transcript.Prose)) {
			t.Errorf("%s: a text of %v tokens", of.Name, got)
		}
	}
}

// TestRendered: a replay by the form of a provider has definitions in this form, which are
// fewer tokens than their JSON, and what was logged under eager to the token.
func TestRendered(t *testing.T) {
	const lathe = "mcp__shop__polish_lathe0"
	s := workshop(t, 12)
	schema := func(m tokens.Method) float64 {
		w := tell()
		w.user("polish the lathe0")
		w.answer(9000, 0, use(lathe))
		rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: s, Prices: sable(t), Tokenizer: TokenizerOf(m)})
		require.NoError(t, err)
		if eager := rep.Totals.Strategies[0]; rep.Tokenizer != string(m) || rep.Sessions[0].Tokenizer != string(m) || eager.Tokens.Input != 9000 {
			t.Errorf("%s: counted by %s, %v under eager", m, rep.Tokenizer, eager.Tokens.Input)
		}
		return rep.Eager.Tools[0].SchemaTokens
	}
	for _, m := range []tokens.Method{tokens.RenderedOpenAI, tokens.RenderedAnthropic} {
		if got, json := schema(m), schema(m.Base()); got <= 0 || got >= json {
			t.Errorf("%s: a definition of %v tokens, %v as JSON", m, got, json)
		}
	}
}

// TestSumsAlone: where only sums are known, what a session costs beyond its tools and
// messages is learnt from the others: an intercept for each kind, and for each agent and
// model how far the tokenizer is off. A session that is alone of its kind stays unknown.
func TestSumsAlone(t *testing.T) {
	eager := kind{transcript.Hermes, "drift", selection.Eager}
	search := kind{transcript.Hermes, "drift", selection.ToolSearch}
	other := kind{transcript.Hermes, "lumen", selection.Eager}
	r := &run{report: new(Report)}
	add := func(k kind, requests, messages, intercept, slope float64) {
		s := summed{session: len(r.summed), kind: k, requests: requests, messages: messages, carried: messages + 3000*requests}
		total := s.carried + intercept*requests + slope*messages
		s.logged = float64(round(total))
		r.summed = append(r.summed, s)
		r.report.Sessions = append(r.report.Sessions, Session{Logged: &transcript.Usage{Input: round(total)}})
	}
	add(eager, 10, 5_000, 400, 0.2)
	add(eager, 12, 20_000, 400, 0.2)
	add(eager, 30, 50_000, 400, 0.2)
	add(search, 10, 90_000, 250, 0.2)
	add(search, 11, 6_000, 250, 0.2)
	add(other, 10, 10_000, 100, -0.1)
	r.recomputeSummed()
	for i, s := range r.report.Sessions[:5] {
		if s.ErrorPct == nil || *s.ErrorPct > 0.01 || *s.Recomputed < s.Logged.Total()-5 {
			t.Errorf("session %d: error %v", i, s.ErrorPct)
		}
	}
	if s := r.report.Sessions[5]; s.ErrorPct != nil {
		t.Errorf("alone of its kind: error %v, want none", *s.ErrorPct)
	}
}

// TestErrorOfTheLog is in percent of what was logged, without a sign.
func TestErrorOfTheLog(t *testing.T) {
	for _, x := range []struct {
		logged, sum int
		total, want float64
	}{{200, 220, 220.4, 10.2}, {200, 150, 150, 25}, {200, 200, 200, 0}, {0, 7, 7, 0}} {
		s := Session{Logged: &transcript.Usage{Input: x.logged}}
		if s.recomputed(x.total); *s.Recomputed != x.sum || math.Abs(*s.ErrorPct-x.want) > 1e-9 {
			t.Errorf("%v of %d: %d, %v%% off, want %d and %v%%", x.total, x.logged, *s.Recomputed, *s.ErrorPct, x.sum, x.want)
		}
	}
}

// TestManyKinds: the figures learnt for a session do not depend on how many others there are
// of other kinds, and neither does the work for it: 40,000 sessions in kinds of two would
// take minutes if each looked at all.
func TestManyKinds(t *testing.T) {
	r := &run{report: new(Report)}
	for i := range 40_000 {
		n := float64(10 + i%2)
		k := kind{transcript.Hermes, strconv.Itoa(i / 2), selection.Eager}
		r.summed = append(r.summed, summed{session: i, kind: k, requests: n, messages: 500 * n, carried: 600 * n, logged: 700 * n})
		r.report.Sessions = append(r.report.Sessions, Session{Logged: &transcript.Usage{Input: int(700 * n)}})
	}
	r.recomputeSummed()
	for i, s := range r.report.Sessions {
		if s.ErrorPct == nil || !(*s.ErrorPct <= 1e-9) {
			t.Fatalf("session %d: error %v", i, s.ErrorPct)
		}
	}
}
