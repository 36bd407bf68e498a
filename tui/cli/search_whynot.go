package cli

import (
	"context"

	"caliper/engine"
	"caliper/model"
)

// why says why the tool of --why-not is not among the hits of a query; nil
// when the flag is not given.
func (s *searching) why(ctx context.Context, found engine.Results) (*engine.WhyNot, error) {
	if s.whyNot == "" {
		return nil, nil
	}
	w, err := s.run.bench.WhyNot(ctx, s.st, found.Query, s.whyNot, s.limit)
	if err != nil {
		return nil, err
	}
	return &w, nil
}

// whyText prints for a person why a tool is not found, and what would change
// that.
func (s *searching) whyText(w *engine.WhyNot) {
	if w == nil {
		return
	}
	p := s.run.page()
	p.blank()
	p.line(p.strong("why not "+model.Sanitize(w.Name)), p.faint("  "+string(w.Stage)))
	p.paragraph(2, w.String())
	if advice := w.Advice(); advice != "" {
		p.blank()
		p.paragraph(2, advice)
	}
	if len(w.Remedies) > 0 {
		t := table{columns: []column{{title: "rank", align: right}, {title: "with this change"}}}
		for _, r := range w.Remedies {
			t.add(grouped(r.NewRank), r.String())
		}
		t.print(p)
	}
	if len(w.Suggestions) > 0 {
		p.blank()
		p.line("  ", p.faint("Did you mean"))
		for _, name := range w.Suggestions {
			p.text("  " + model.Sanitize(name))
		}
	}
}
