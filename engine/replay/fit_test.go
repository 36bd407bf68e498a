package replay

import (
	"math"
	"testing"

	"caliper/engine/transcript"
	_ "caliper/model/require"

	"pgregory.net/rapid"
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
