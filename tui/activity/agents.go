package activity

import (
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/serving"
	"caliper/tui/ui"
)

// agents returns the connections as rows, the newest first, with negative numbers.
func (s *Served) agents() []pastEvent {
	list := s.feed.Connections()
	out := make([]pastEvent, 0, len(list))
	for i, c := range list {
		number := -(s.feed.Forgotten + len(list) - i)
		title, details := connectionLines(c)
		row := pastEvent{number: number, clock: s.clock(c.Since)}
		row.title, row.details = bounded(title, details)
		out = append(out, row)
	}
	return out
}

// connectionLines returns a connection in words.
func connectionLines(c *serving.Connection) (title report.Line, details []report.Line) {
	saved := ""
	if c.EagerSchemas > 0 {
		saved = "  " + ui.Thousands(c.Served) + " tok, eager " + ui.Thousands(c.Eager)
	}
	gone := ""
	if c.Ended {
		gone = "  gone"
	}
	title.Text = agentWords(c.Client.Name, c.Client.Version) + ", session " + safetext.Line(c.Session) + "  " + ui.Count(c.Requests(), "request") + saved + gone
	say := func(text string) { details = append(details, report.Line{Text: text}) }
	if c.Tools > 0 {
		say("lists " + ui.Count(c.Tools, "tool") + ", " + ui.Thousands(c.Schemas) + " tok; all of the session would be " + ui.Thousands(c.EagerSchemas))
	} else {
		say("has listed no tools yet")
	}
	spent := func(on string, x serving.Spent) {
		if x.Requests > 0 {
			say(on + "  " + ui.Thousands(x.Requests) + "  " + ui.Thousands(x.Tokens) + " tok")
		}
	}
	spent("searches", c.Search)
	spent("descriptions", c.Describe)
	spent("calls", c.Call)
	spent("slices of kept results", c.Fetch)
	if c.Refused > 0 {
		say(ui.Thousands(c.Refused) + " refused")
	}
	if c.EagerSchemas > 0 && c.Requests() > 0 {
		say("sent by now, one turn a request: " + ui.Thousands(c.Served) + " tok; eager " + ui.Thousands(c.Eager) + " (" + ui.Count(c.Call.Requests+c.Fetch.Requests, "turn") + ")")
	}
	return title, append(details, report.Line{Text: "connection " + safetext.Line(c.ID)})
}

// agentWords returns a client's words about itself, safe for a terminal.
func agentWords(name, version string) string {
	if name == "" {
		return "a client without a name"
	}
	if version != "" {
		name += " " + version
	}
	return safetext.Line(ui.OneLine(name))
}

// nobody tells why the view of the agents is empty; nil in the view of the events.
func (s *Served) nobody() []string {
	switch {
	case s.view != viewAgents:
		return nil
	case len(s.feed.Connections()) > 0:
		return []string{"no agent contains " + safetext.Line(s.filter), "esc clears the filter"}
	case s.serving.Record != "":
		return []string{"no agent in " + safetext.Line(s.serving.Record) + " yet"}
	}
	return []string{"no agent has connected yet"}
}

// howToAttach draws how an agent is attached, until one is.
func (s *Served) howToAttach(t *ui.Theme, w, h int) []string {
	if s.serving.Entry == nil || len(s.feed.Connections()) > 0 {
		return nil
	}
	if w < 60 {
		return ui.Steps(t, w, h, "no agent has connected yet", "", "y u: the entry for the agent", "put it in its configuration", "start it: its calls appear here")
	}
	return ui.Steps(t, w, h, "No agent has connected yet:", safetext.Line(s.serving.Address(s.session)),
		"y u copies the entry for the agent's configuration: the address and the token of this session",
		"put it where the agent has its MCP servers, such as .mcp.json",
		"start the agent: each search and each call becomes a row here, and enter shows the search in Explore")
}

// agentOf returns the agent of an event in words, with its session.
func agentOf(e transcript.Event) string {
	words := ""
	if e.Client != nil {
		words = agentWords(e.Client.Name, "") + ", "
	}
	return words + safetext.Line(e.Session)
}
