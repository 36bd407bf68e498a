package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval"
	"caliper/model"
	_ "caliper/model/require"
)

func TestCommon(t *testing.T) {
	for _, tt := range []struct {
		tools, size int
		want        bool
	}{
		{100, 1000, false}, {101, 1000, true}, {3, 5, false}, {4, 5, true}, {4, 40, false}, {0, 0, false},
	} {
		if got := retrieval.Common(tt.tools, tt.size); got != tt.want {
			t.Errorf("%d of %d tools: %t, want %t", tt.tools, tt.size, got, tt.want)
		}
	}
}

func TestFiller(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "please": true, "until": true, "42": true, "": true, "invoice": false, "mp3": false} {
		if got := retrieval.Filler(word); got != want {
			t.Errorf("%q: %t, want %t", word, got, want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	tools := []*model.Tool{
		{Name: "send_invoice", Description: "Send an invoice. An invoice!", Parameters: []byte(`{"properties":{"Payer":{}}}`)},
		{Name: "list_invoices", Description: "All of them."},
	}
	words, stems := retrieval.NewVocabulary(tools, nil), retrieval.NewVocabulary(tools, retrieval.Stem)
	for _, tt := range []struct {
		word        string
		words, stem int
	}{{"invoice", 1, 2}, {"invoices", 1, 2}, {"payer", 1, 1}, {"sent", 0, 0}} {
		if w, s := words.Tools(tt.word), stems.Tools(tt.word); w != tt.words || s != tt.stem {
			t.Errorf("%s: %d tools by word and %d by stem, want %d and %d", tt.word, w, s, tt.words, tt.stem)
		}
		if words.Known(tt.word) != (tt.words > 0) {
			t.Errorf("%s is known: %t", tt.word, words.Known(tt.word))
		}
	}
}

func TestSlip(t *testing.T) {
	v := retrieval.NewVocabulary([]*model.Tool{{Name: "light_lamp"}}, nil)
	for word, want := range map[string]bool{"lmap": true, "lamps": true, "lam": true, "lump": true, "lamp": false, "pmal": false, "zebra": false} {
		if got := v.Slip(word); got != want {
			t.Errorf("%s: %t, want %t", word, got, want)
		}
	}
}

// Words come first that the fewest tools have; fillers count when there is nothing else.
// Missing are those that belong in the description of a tool which has them not, those that no
// tool has last, and no slips.
func TestMissing(t *testing.T) {
	tool := &model.Tool{Name: "pay_charge"}
	v := retrieval.NewVocabulary([]*model.Tool{tool, {Name: "charge_refund"}, {Name: "charge_lamp"}, {Name: "lamp_of"}}, nil)
	for _, tt := range []struct{ query, subjects, missing, slips string }{
		{"of the charge, refund the charge", "refund charge", "refund", ""},
		{"of the", "the of", "", ""},
		{"", "", "", ""},
		{"zebra lamp q refnud refund", "zebra q refnud refund lamp", "refund lamp zebra", "refnud"},
	} {
		missing, slips := v.Missing(tool, tt.query)
		if s, m, l := strings.Join(v.Subjects(tt.query), " "), strings.Join(missing, " "), strings.Join(slips, " "); s != tt.subjects || m != tt.missing || l != tt.slips {
			t.Errorf("%q: subjects %q, missing %q, slips %q", tt.query, s, m, l)
		}
	}
	if got := retrieval.InOrder([]string{"lamp", "zebra", "no"}, "Zebra, lamp"); !slices.Equal(got, []string{"no", "zebra", "lamp"}) {
		t.Error(got)
	}
}

// The counts do not depend on the order of the tools.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"ship", "ships", "lamp", "the", "buoy"})
		var tools []*model.Tool
		for i, text := range rapid.SliceOf(rapid.SliceOf(word)).Draw(t, "texts") {
			tools = append(tools, &model.Tool{Name: fmt.Sprint("t", i), Description: fmt.Sprint(text)})
		}
		v := retrieval.NewVocabulary(tools, retrieval.Stem)
		slices.Reverse(tools)
		w := retrieval.NewVocabulary(tools, retrieval.Stem)
		for _, word := range []string{"ship", "ships", "lamp", "the", "buoy", "none"} {
			if v.Tools(word) != w.Tools(word) || v.Common(word) != w.Common(word) {
				t.Fatalf("%s: %d and %d", word, v.Tools(word), w.Tools(word))
			}
		}
	})
}
