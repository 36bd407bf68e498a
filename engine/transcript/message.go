package transcript

import (
	"hash/maphash"
	"strings"

	"caliper/model/jsontree"
)

// MessagePart is the addition of one message, or one block of it, to a history. Nothing of it
// is measured: a log repeats a history in every request.
type MessagePart struct {
	Kind Kind
	// Text is the words of a message, or the text of a result.
	Text string
	// Calls are the calls of an answer, without sizes.
	Calls []Call
	// CallID is the id of the call that a result belongs to.
	CallID string
	// Expanded are the tools whose references a result holds.
	Expanded []string
	// Told: the result is the list of the tools that a search found.
	Told bool
	// Defines: Text is a JSON array of definitions, which a search of the provider
	// found or, where the part is no result, which the model has from then on as it has the
	// tools of the request: a server's that the provider asked, or an addition's.
	Defines bool
	// Failed: the log marks a result as failed.
	Failed bool
	sent   []sent // of each call
}

// sent is a call as it was sent.
type sent struct{ name, arguments string }

// seed is the seed of digests. A log that knew it could have two parts with one digest.
var seed = maphash.MakeSeed()

// Digest returns a number that equal parts share, in one run of the program. Where a call's
// arguments are written with other white space, it differs.
func (p MessagePart) Digest() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) { _, _ = h.WriteString(s); _ = h.WriteByte(0) } // which cannot fail
	write(string(rune('0' + p.Kind)))
	write(p.Text)
	write(p.CallID)
	for i, c := range p.Calls {
		write(c.ID)
		_, _ = h.WriteString(p.sent[i].name)
		write(p.sent[i].arguments)
	}
	return h.Sum64()
}

// JoinParts returns the parts with each run of answers made one: the items of one
// answer stand apart in the format of OpenAI responses.
func JoinParts(parts []MessagePart) []MessagePart {
	var out []MessagePart
	for len(parts) > 0 {
		run := 1
		for run < len(parts) && parts[0].Kind == Answer && parts[run].Kind == Answer {
			run++
		}
		all := parts[0]
		if run > 1 { // in memory of its own
			all.Calls, all.sent = nil, nil
			var texts []string
			for _, p := range parts[:run] {
				if p.Text != "" {
					texts = append(texts, p.Text)
				}
				all.Calls, all.sent = append(all.Calls, p.Calls...), append(all.sent, p.sent...)
			}
			all.Text = strings.Join(texts, "\n")
		}
		out = append(out, all)
		parts = parts[run:]
	}
	return out
}

// MessageParts returns the parts of a message in the order of its text. The results
// of an Anthropic message stand apart from what the user says in it.
func MessageParts(m *jsontree.Node) (parts []MessagePart) {
	role, kind := m.Member("role").AsText(), m.Member("type").AsText()
	switch {
	case strings.HasSuffix(kind, "_output") || role == "tool" || role == "function":
		id := m.Member("call_id").AsText()
		if id == "" {
			id = m.Member("tool_call_id").AsText()
		}
		p := result(id, resultText(m), false)
		p.Defines = m.Member("tools") != nil
		return []MessagePart{p}
	case kind == "mcp_list_tools", kind == "additional_tools":
		return []MessagePart{added(m, "server_label")}
	case strings.HasSuffix(kind, "_call"):
		p := MessagePart{Kind: Answer}
		p.call(m)
		parts = []MessagePart{p}
		if kind == "mcp_call" { // it has its result
			parts = append(parts, result(p.Calls[0].ID, resultText(m), present(m.Member("error"))))
		}
		return parts
	case kind == "reasoning":
		return nil
	}
	p := MessagePart{Kind: Answer}
	switch role {
	case "assistant":
	case "system", "developer":
		p.Kind = System
	default:
		p.Kind = User
	}
	if p.Kind == Answer {
		parts = append(parts, p) // results of the provider's tools stand in the answer
	}
	var said []string
	content := m.Member("content")
	if content.Is(jsontree.String) {
		said = append(said, content.Text)
	}
	for _, block := range content.Elements() {
		switch kind := block.Member("type").AsText(); {
		case strings.HasSuffix(kind, "tool_use"): // server_tool_use, mcp_tool_use
			p.call(block.Node)
		case strings.HasSuffix(kind, "tool_result"): // also tool_search_tool_result, mcp_tool_result
			q := result(block.Member("tool_use_id").AsText(), ContentText(block.Member("content")), block.Member("is_error").Is(jsontree.Boolean) && block.Member("is_error").Text == "true")
			q.Expanded = references(block.Member("content"))
			q.Told = block.Member("content").Member("tool_references").Is(jsontree.Array)
			parts = append(parts, q)
		case kind == "mcp_tool_listing":
			parts = append(parts, added(block.Node, "mcp_server_name"))
		case kind == "tool_addition":
			if d := block.Member("tool").Member("definition"); d.Is(jsontree.Object) {
				parts = append(parts, MessagePart{Kind: System, Text: "[" + string(jsontree.Compact(d.Raw)) + "]", Defines: true})
			}
		default:
			if t := block.Member("text"); t.Is(jsontree.String) {
				said = append(said, t.Text)
			}
		}
	}
	calls := m.Member("tool_calls").Elements()
	for _, c := range calls {
		p.call(c.Node)
	}
	if c := m.Member("function_call"); len(calls) == 0 && c.Is(jsontree.Object) { // OpenAI's, before tool_calls: one, without an id
		p.call(c)
	}
	p.Text = strings.Join(said, "\n")
	switch {
	case p.Kind == Answer:
		parts[0] = p
	case p.Text != "" || len(parts) == 0:
		parts = append(parts, p)
	}
	return parts
}

// added returns the tools of an item, in a namespace where they are a server's.
func added(m *jsontree.Node, server string) MessagePart {
	if !m.Member("tools").Is(jsontree.Array) {
		return MessagePart{Kind: System}
	}
	list := resultText(m)
	if name := m.Member(server).AsText(); name != "" {
		space := jsontree.AppendQuoted([]byte(`[{"type":"namespace","name":`), "mcp__"+name)
		list = string(space) + `,"tools":` + list + "}]"
	}
	return MessagePart{Kind: System, Text: list, Defines: true}
}

// references returns the names of the tools that a content refers to.
func references(content *jsontree.Node) (names []string) {
	list := content.Elements()
	if content.Is(jsontree.Object) {
		list = content.Member("tool_references").Elements()
	}
	for _, block := range list {
		if name := block.Member("tool_name").AsText(); name != "" && block.Member("type").AsText() == "tool_reference" {
			names = append(names, strings.Clone(name))
		}
	}
	return names
}

// ContentText returns the text of a content: a string, or the texts of its blocks.
func ContentText(content *jsontree.Node) string {
	if content.Is(jsontree.String) {
		return content.Text
	}
	var said []string
	for _, block := range content.Elements() {
		if t := block.Member("text"); t.Is(jsontree.String) {
			said = append(said, t.Text)
		}
	}
	return strings.Join(said, "\n")
}

// resultText returns what a result holds. The definitions that a search of
// the provider found count as their JSON.
func resultText(m *jsontree.Node) string {
	if tools := m.Member("tools"); tools != nil {
		return string(jsontree.Compact(tools.Raw))
	}
	content := m.Member("output")
	if content == nil {
		content = m.Member("content")
	}
	if content.Is(jsontree.Object) {
		return string(content.Raw)
	}
	return ContentText(content)
}

// present reports whether a member is there and is not null.
func present(n *jsontree.Node) bool { return n != nil && !n.Is(jsontree.Null) }

func result(id, said string, failed bool) MessagePart {
	return MessagePart{Kind: Result, CallID: id, Text: said, Failed: failed}
}

// refused reports whether a result says itself that the call failed: an object
// with an error, or with success false.
func refused(said string) bool {
	if !strings.HasPrefix(said, "{") || !strings.Contains(said, `"error"`) && !strings.Contains(said, `"success"`) {
		return false
	}
	o, err := jsontree.Parse(jsontree.Mend([]byte(said)), jsontree.Strict)
	if err != nil {
		return false
	}
	switch e := o.Member("error"); {
	case e == nil, e.Is(jsontree.Null), e.Is(jsontree.Boolean) && e.Text == "false", e.Is(jsontree.String) && e.Text == "":
	default:
		return true
	}
	success := o.Member("success")
	return success.Is(jsontree.Boolean) && success.Text == "false"
}

// found returns the names of the tools that a result lists, as the answer of a search:
// references to them, their definitions, or the matches of the bridge, in both of its
// generations. ok is false for any other result.
func (p *MessagePart) found() (names []string, ok bool) {
	if len(p.Expanded) > 0 || p.Told {
		return p.Expanded, true
	}
	if p.Defines {
		list, err := jsontree.Parse(jsontree.Mend([]byte(p.Text)), jsontree.Strict)
		return defined(list, ""), err == nil
	}
	if !strings.HasPrefix(p.Text, "{") || !strings.Contains(p.Text, `"matches"`) && !strings.Contains(p.Text, `"tool_references"`) {
		return nil, false
	}
	o, err := jsontree.Parse(jsontree.Mend([]byte(p.Text)), jsontree.Strict)
	if err != nil {
		return nil, false
	}
	results := o.Member("results").Elements() // one for each query
	matches := o.Member("matches")
	for _, m := range matches.Elements() {
		names = appendName(names, "", m.Member("name"))
	}
	for _, r := range results {
		for _, m := range r.Member("matches").Elements() {
			names = appendName(names, "", m.Node)
		}
	}
	return names, matches.Is(jsontree.Array) || len(results) > 0
}

// defined returns the names of definitions, with the name of their namespace before them.
func defined(list *jsontree.Node, space string) (names []string) {
	for _, t := range list.Elements() {
		name := t.Member("name")
		if inner := t.Member("tools"); inner.Is(jsontree.Array) {
			names = append(names, defined(inner, name.AsText())...)
			continue
		}
		if f := t.Member("function"); f.Is(jsontree.Object) {
			name = f.Member("name")
		}
		names = appendName(names, space, name)
	}
	return names
}

// appendName appends a copy of a name, with the namespace that it is in.
func appendName(names []string, space string, n *jsontree.Node) []string {
	name := n.AsText()
	switch {
	case name == "":
		return names
	case space != "":
		name = strings.TrimSuffix(space, "__") + "__" + name
	}
	return append(names, strings.Clone(name))
}
