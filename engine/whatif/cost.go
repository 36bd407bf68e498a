package whatif

import (
	"context"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model/jsontree"
)

// Cost returns the tokens of the definitions that edits change, before and after, as
// the Tokens of their Trial do. Every edit is of another tool. A registry of many tools takes an edit of each when a
// word is taken out of all descriptions, so Cost reads no more of a definition than
// it must. The error is ctx's, or says which edit makes no definition.
func Cost(ctx context.Context, s *engine.Snapshot, edits ...Edit) (before, after int, err error) {
	var was, is int // units
	for _, e := range edits {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		units := s.ToolUnits(e.Tool)
		was += units
		if changed, ok := unitsByText(s, e); ok {
			is += changed
			continue
		}
		tried, err := Try(ctx, s, e)
		if err != nil {
			return 0, 0, err
		}
		is += tried.after
	}
	return s.Tokenizer.Tokens(was), s.Tokenizer.Tokens(is), nil
}

// unitsByText returns the units of a definition whose description alone is edited.
// Code points can be added up, so that the old text's are exchanged for the ones
// of the new one. ok is false for another edit and for another tokenizer.
func unitsByText(s *engine.Snapshot, e Edit) (units int, ok bool) {
	if e.Remove || e.Name != nil || e.Parameters != nil || e.Description == nil ||
		s.Tokenizer != "" && s.Tokenizer != tokens.Chars4 {
		return 0, false
	}
	sk := jsontree.Skimmer{Data: e.Tool.Function}
	found := 0
	sk.Members(func(name []byte) {
		value := sk.Skip()
		if string(name) != `"description"` {
			return
		}
		found++
		units = s.ToolUnits(e.Tool) - tokens.Chars(value) + tokens.Chars(jsontree.Encode(*e.Description))
	})
	return units, found == 1
}
