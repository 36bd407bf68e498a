package whatif

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model/jsontree"
)

// Sessions are offered by how few tools they are granted, never the one asked
// in, and no more than three.
func TestWhyNotSessions(t *testing.T) {
	in := whyNotInputs(t)
	in.Config.Sessions = nil
	for _, s := range []struct{ name, toolsets string }{
		{"asked", "ships"}, {"wide", "light ships"}, {"one", "light"}, {"two", "light"}, {"other", "ships"}, {"three", "light"}, {"four", "light"},
	} {
		in.Config.Sessions = append(in.Config.Sessions, config.Session{Name: s.name, Enabled: strings.Fields(s.toolsets)})
	}
	in.Session = "asked"
	want := []Remedy{{RemedySession, "one", 1, false, nil}, {RemedySession, "two", 1, false, nil}, {RemedySession, "three", 1, false, nil}}
	for _, query := range []string{"turn", "bearing"} { // wide finds it by the second
		if w := whyNot(t, in, query, "zz_beam", 1); !slices.Equal(w.Remedies, want) {
			t.Errorf("%s: %+v", query, w)
		}
	}
	if w := whyNot(t, in, "lamp", "zz_beam", 1); len(w.Remedies) != 0 || w.Advice() != "No other session finds it by this query within the limit." {
		t.Errorf("%+v: %s", w, w.Advice())
	}
}

// lighthouse is a fleet in which auto searches among all tools, and sends the
// few of one toolset.
func lighthouse(t testing.TB) engine.Inputs {
	in := whyNotInputs(t)
	context := 3000
	in.Config.ToolSearch.Enabled, in.Config.ContextLength = config.Auto, &context
	in.Config.Sessions = []config.Session{
		{Name: "none", Enabled: []string{}}, {Name: "small", Enabled: []string{"light"}}, {Name: "big"},
	}
	return in
}

// Of sessions that find the tool, those that search come first; those that are
// sent it anyway are offered, and said to be.
func TestWhyNotSessionsWithoutSearch(t *testing.T) {
	in := lighthouse(t)
	small, big := Remedy{RemedySession, "small", 1, true, nil}, Remedy{RemedySession, "big", 1, false, nil}
	for query, want := range map[string][]Remedy{"bearing": {big, small}, "turn": {small}} {
		if w := whyNot(t, in, query, "zz_beam", 1); !slices.Equal(w.Remedies, want) || w.Direct {
			t.Errorf("%s: %+v, want %v", query, w, want)
		}
	}
	if got := string(jsontree.Encode(small)); got != `{"kind":"session","change":"small","new_rank":1,"direct":true}` {
		t.Error(got)
	}
	// However many small sessions there are, the one that searches is tried, and
	// however many search in vain, one that is sent the tool.
	for i := range 3 * maxSessionTrials {
		in.Config.Sessions = append(in.Config.Sessions, config.Session{Name: fmt.Sprint(i), Enabled: [][]string{{"light"}, nil}[i%2]})
	}
	if w := whyNot(t, in, "bearing", "zz_beam", 1); len(w.Remedies) != maxSessions || w.Remedies[0] != big {
		t.Errorf("%v", w.Remedies)
	}
	if w := whyNot(t, in, "turn", "zz_beam", 1); len(w.Remedies) != maxSessions || w.Remedies[0] != small {
		t.Errorf("%v", w.Remedies)
	}
}

// Where search is not active, the stage belongs to the search which a person
// makes, and the answer tells that the model has the tool anyway.
func TestWhyNotWithoutSearch(t *testing.T) {
	in := lighthouse(t)
	in.Session = "small"
	const sent = " Search is not active in this session: the model is sent the tool in full, and searches for nothing."
	for query, want := range map[string]Stage{"bearing": StageFound, "lamp": StageNoMatch} {
		w := whyNot(t, in, query, "zz_beam", 1)
		if w.Stage != want || !w.Direct || !strings.HasSuffix(w.String(), sent) || !strings.HasSuffix(string(jsontree.Encode(w)), `,"direct":true}`) {
			t.Errorf("%s: %+v: %s", query, w, w)
		}
	}
	in.Session = "big"
	if w := whyNot(t, in, "bearing", "zz_beam", 1); w.Direct || strings.Contains(w.String(), sent) {
		t.Errorf("%+v: %s", w, w)
	}
}
