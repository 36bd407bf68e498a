package connect

import (
	"caliper/engine/export"
	"caliper/engine/serve"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// mostClientLines is how many tools ClientLines names, and how many sentences
// warnOfRefusals writes.
const mostClientLines = 5

// ClientLines says which tools agents are not listed as their servers say them, and which
// providers and clients refuse.
func ClientLines(list []serve.Listed) (lines []string) {
	for i, l := range list {
		subject := "the list"
		if l.Tool != nil {
			subject = "tool " + l.Tool.ShownName
			if i >= mostClientLines {
				continue
			}
		}
		for _, c := range l.Changes {
			lines = append(lines, subject+": "+safetext.Line(c.Message()))
		}
		for _, b := range l.Refused {
			lines = append(lines, subject+": "+safetext.Line(b.String()))
		}
	}
	tools := len(list)
	if tools > 0 && list[tools-1].Tool == nil {
		tools--
	}
	if more := tools - mostClientLines; more > 0 {
		lines = append(lines, words.CountThousands(more, "more tool")+" are listed in another form than their servers have, or refused by a provider: lint names them")
	}
	return lines
}

// warnOfRefusals adds warnings of what providers and clients refuse of the tools of a
// registry, and cut: one for all tools with the same warning, at the first of them. Those
// of a server's instructions have no place.
func warnOfRefusals(r *model.Registry) {
	for _, s := range r.Toolsets {
		for _, b := range export.InstructionBreaches(s.Instructions) {
			r.Warnings = append(r.Warnings, model.Diagnostic{Code: "refused", Message: s.ShownName + ": " + b.String()})
		}
	}
	first, count := map[string]*model.Tool{}, map[string]int{}
	var order []string
	for _, t := range r.Tools {
		for _, b := range export.Told(export.Defined(r, t)) {
			says := b.String()
			if count[says]++; first[says] == nil {
				first[says] = t
				order = append(order, says)
			}
		}
	}
	for i, says := range order {
		t := first[says]
		message := t.Name
		if n := count[says] - 1; n > 0 {
			message += " and " + words.CountThousands(n, "other")
		}
		if message += ": " + says; i == mostClientLines {
			message = words.CountThousands(len(order)-i, "more refusal") + ", the next of " + t.Name + ": caliper lint names all"
		}
		s := r.Sources[t.At.Source]
		r.Warnings = append(r.Warnings, model.DiagnosticAt(s, jsontree.NewLines(s.Data), jsontree.Fault{At: int(t.At.Byte), Code: "refused", Message: safetext.Line(message)}))
		if i == mostClientLines {
			return
		}
	}
}
