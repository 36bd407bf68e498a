package engine

import (
	"caliper/config"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// AnswerUnits returns the size of the answer of tool_search to a query, without what it
// lists, in units of Tokenizer. The answer with hits has this size and the HitUnits of
// each, to a few units for the commas between them.
func (s *Snapshot) AnswerUnits(query string) int {
	if s.Config.ToolSearch.Generation == config.September2026 {
		answer := batchSearchAnswer{Queries: []string{query}, TotalAvailable: len(s.Catalog()), Results: []batchResult{{Query: query, Matches: []string{}}}}
		return s.Tokenizer.Units(jsontree.Encode(answer))
	}
	return s.Tokenizer.Units(jsontree.Encode(searchAnswer{Query: query, TotalAvailable: len(s.Catalog()), Matches: []match{}}))
}

// HitUnits returns the size of one hit in the answer of tool_search, in units of
// Tokenizer.
func (s *Snapshot) HitUnits(t *model.Tool) int {
	if s.Config.ToolSearch.Generation == config.September2026 {
		name := s.ModelName(t)
		var tools named
		tools.add(name, s.found(t))
		return s.Tokenizer.Units(jsontree.Encode(name)) + s.Tokenizer.Units(jsontree.Encode(tools)) - s.Tokenizer.Units([]byte("{}"))
	}
	return s.Tokenizer.Units(jsontree.Encode(s.match(t)))
}

// match returns a tool as an answer of tool_search lists it in june-2026.
func (s *Snapshot) match(t *model.Tool) match {
	return match{
		Name:        s.ModelName(t),
		Source:      SourceOf(t.Toolset),
		SourceName:  t.Toolset,
		Description: words.First(t.Description, maxMatchDescription),
		taskNote:    noteOf(t),
	}
}

// found returns a tool as an answer of tool_search lists it in september-2026.
func (s *Snapshot) found(t *model.Tool) foundTool {
	return foundTool{
		Source: SourceOf(t.Toolset), SourceName: t.Toolset,
		Description: clipped(t.Description), Required: required(t.Parameters), taskNote: noteOf(t),
	}
}
