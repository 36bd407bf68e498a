package queries

import "caliper/model"

// Asked returns the query that the selected row is about, and its tool.
func (s *Screen) Asked() (query string, expected *model.Tool) {
	row, ok := s.row()
	if !ok || row.header || s.view == viewQueries && s.found.evaluated == nil {
		return "", nil
	}
	return s.question(row), s.tool()
}
