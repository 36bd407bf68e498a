package report

import (
	"encoding/json"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Describe returns the report of one tool as the session sees it.
func Describe(s *engine.Snapshot, t *model.Tool) (*Report, error) {
	r := new(Report)
	r.Line(Strong("%s", t.ShownName))
	r.Line(Faint("%s, %s, %s in session %s, %s (%s)", t.ShownToolset(), engine.SourceOf(t.Toolset),
		s.Status(t), Name(s.Session.Name), Count(s.ToolTokens(t), "token"), s.Tokenizer))
	if t.Override != "" {
		r.Line(Faint("description from %s, in place of its own", t.Override))
	}
	if text := strings.TrimSpace(safetext.Lines(t.Description)); text != "" {
		r.Blank()
		r.Say("%s", text)
	}
	schema, err := model.ParseSchema(t.Parameters)
	if err != nil {
		return nil, err
	}
	r.Blank()
	r.Table(schemaTree(schema))
	return r, nil
}

// Taught returns the report of what labelled queries taught of a tool, and of how far they
// help.
func Taught(t engine.Taught, support learned.Support) *Report {
	r := new(Report)
	r.Head("learned", "from %s that name the tool", LabelledQueries(len(t.Lessons)))
	r.Say("%s", Learning(support))
	if len(t.Words) > 0 {
		words := Columns("word", ">weight", "from…")
		for _, w := range t.Words {
			var ids []string
			for _, at := range w.Lessons {
				ids = append(ids, t.Lessons[at].ID)
			}
			words.Row(Name(w.Stem), Textf("%.2f", w.Weight), Name(strings.Join(ids, ", ")))
		}
		r.Table(words)
		queries := Columns("query", "text…")
		for _, l := range t.Lessons {
			queries.Row(Name(l.ID), Name(l.Text))
		}
		r.Table(queries)
	}
	return r
}

// Refusal returns the report of why a tool is not shown.
func Refusal(f *engine.Fault) *Report {
	r := new(Report)
	r.Say("%s: %s", f.Code, f.Message)
	if len(f.Suggestions) > 0 {
		r.Blank()
		r.Line(Faint("Did you mean"))
		suggest(r, f.Suggestions)
	}
	return r
}

// The largest width of the columns of a schema, and the smallest width of its
// text.
const (
	schemaNameWidth = 32
	schemaKindWidth = 22
	schemaTextWidth = 24
)

// schemaTree returns a schema as an indented tree: the name of each node with *
// when it is required, its kind, and its description.
func schemaTree(root *model.Schema) *Table {
	t := Columns("", "", "¶")
	t.flush, t.least = true, schemaTextWidth
	t.columns[0].most, t.columns[1].most = schemaNameWidth, schemaKindWidth
	addNode(t, root, 0)
	return t
}

// addNode adds a node and all below it.
func addNode(t *Table, s *model.Schema, depth int) {
	name := ui.Spaces(2*depth) + s.Key
	if s.Required {
		name += " *"
	}
	var text []string
	if d := strings.TrimSpace(s.Description); d != "" {
		text = append(text, d)
	}
	if len(s.Enum) > 0 {
		text = append(text, "one of "+strings.Join(s.Enum, ", "))
	}
	t.Row(name, s.Kind, strings.Join(append(text, s.NoteTexts()...), "\n"))
	for _, c := range s.Children {
		addNode(t, c, depth+1)
	}
}

// Assembly returns the report of the tools array that the model would get: a
// line for every definition, and their total.
func Assembly(s *engine.Snapshot, b engine.Budget) (*Report, error) {
	r := new(Report)
	definitions := s.Assembly().Definitions()
	verdict := TextOf("search is not active")
	switch {
	case b.Active:
		verdict = Textf("search is active and hides %s", Count(b.DeferredCount, "tool"))
	case b.Unreachable > 0:
		verdict = Textf("search is off and %s cannot be reached", Count(b.Unreachable, "tool"))
	}
	r.Head(Count(len(definitions), "tool"), "%s (%s) in session %s, %s; %s", Count(b.AfterTokens, "token"), b.Tokenizer, Name(b.Session), agentOf(b), verdict)
	sentFor(r, b)
	if !b.Measured() {
		r.Say("What this agent sends beside its search is not measured: the tools of the bridge are the reference agent's.")
	}
	if len(definitions) == 0 {
		return r, nil
	}
	r.Blank()
	t := Columns(">tokens", "tool", "toolset", "description…")
	for _, tool := range s.Assembly().Tools {
		t.Row(s.ToolTokens(tool), tool.ShownName, tool.ShownToolset(), firstLine(tool.ShownDescription()))
	}
	if b.Active {
		for _, raw := range definitions[len(definitions)-3:] {
			var d struct{ Function map[string]any }
			if err := json.Unmarshal(raw, &d); err != nil {
				return nil, err
			}
			t.Row(s.Tokenizer.Tokens(s.Tokenizer.Units(raw)), d.Function["name"], "(bridge)", d.Function["description"])
		}
	}
	t.Ruler("total")
	t.Row(b.AfterTokens, "", "", "")
	r.Table(t)
	return r, nil
}
