package activity

import (
	"strconv"
	"strings"

	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/serving"
	"caliper/tui/ui"
)

// remedies say what to do about refused clients, by the code of the refusal.
var remedies = map[string]string{
	"no_token":        "its configuration needs the header Authorization: Bearer TOKEN",
	"wrong_token":     "tokens are new at each start, unless --token-file FILE keeps them",
	"unknown_session": "the path is /mcp/ and the name of a session that is served",
	"foreign_host":    "a client on this machine asks for 127.0.0.1 or localhost; --public lets others in",
	"foreign_origin":  "pages of a browser are refused, since any page could use your tools",
}

// happened returns an event in one line.
func happened(e transcript.Event) string {
	agent := "  " + agentOf(e)
	price := "  " + ui.Thousands(e.Tokens.Request+e.Tokens.Response) + " tok  " + millis(e.TotalMS)
	switch e.Kind {
	case transcript.EventConnect:
		client := transcript.EventClient{}
		if e.Client != nil {
			client = *e.Client
		}
		return agentWords(client.Name, client.Version) + " connected, session " + safetext.Line(e.Session)
	case transcript.EventDisconnect:
		return "disconnected" + agent
	case transcript.EventList:
		return "list  " + ui.Count(e.Tools, "tool") + "  " + ui.Thousands(e.Tokens.Schemas) + " tok" + agent
	case transcript.EventSearch:
		if e.Verdict == transcript.VerdictDenied {
			return "search  FAULT " + safetext.Line(e.Code) + price + agent
		}
		var queriesOf string
		if e.Request != nil {
			var out []string
			for _, q := range e.Request.Queries {
				out = append(out, quoted(q))
			}
			queriesOf = strings.Join(out, ", ")
		}
		return "search " + queriesOf + "  " + ui.Count(len(e.Hits), "hit") + price + agent
	case transcript.EventDescribe:
		name := ""
		if e.Request != nil {
			name = safetext.Line(strings.Join(e.Request.Names, ", "))
		}
		if e.Verdict == transcript.VerdictDenied {
			name += "  FAULT " + safetext.Line(e.Code)
		}
		return "describe " + name + price + agent
	case transcript.EventCall:
		tool := e.RealName
		if r := e.Request; r != nil && tool == "" {
			if tool = r.Called; tool == "" {
				tool = r.Name
			}
		}
		return "call " + safetext.Line(tool) + "  " + outcome(e) + price + agent
	case transcript.EventFetch:
		return "fetch of a kept result" + price + agent
	case transcript.EventApprove:
		said := "the client withdrew the call"
		switch e.Verdict {
		case transcript.VerdictApproved:
			said = "approved"
		case transcript.VerdictRefused:
			said = "refused"
		case transcript.VerdictTimedOut:
			said = "nobody answered in time, which is a no"
		}
		return "approval of " + safetext.Line(e.RealName) + ": " + said + agent
	case transcript.EventUpstream:
		if e.Error != "" {
			return "server " + safetext.Line(e.RealName) + ": " + safetext.Line(e.Error)
		}
		return "server " + safetext.Line(e.RealName) + " lists its tools"
	case transcript.EventRefuse:
		return serving.Refusal(e)
	case transcript.EventReload:
		return "what is served changed: session " + safetext.Line(e.Session) + "  " + ui.Thousands(e.Tokens.Schemas) + " tok listed"
	}
	return safetext.Line(string(e.Kind)) + " " + safetext.Line(e.Error) + agent
}

// quoted returns foreign text in quotes, on one line.
func quoted(text string) string { return `"` + safetext.Line(ui.OneLine(text)) + `"` }

// outcome returns how a call ended.
func outcome(e transcript.Event) string {
	switch e.Verdict {
	case transcript.VerdictOK:
		return "RAN"
	case transcript.VerdictDryRun:
		return "ALLOWED, not executed"
	case transcript.VerdictFailed:
		return "RAN and failed"
	case transcript.VerdictGone:
		return "WITHDRAWN"
	case transcript.VerdictDenied:
		text := "DENIED " + safetext.Line(e.Code)
		if n := len(e.Trace); n > 0 {
			text += " at gate " + safetext.Line(e.Trace[n-1].Gate)
		}
		return text
	}
	return safetext.Line(e.Verdict)
}

// levelOf returns how an event is drawn.
func levelOf(e transcript.Event) report.Level {
	switch {
	case e.Verdict == transcript.VerdictDenied, e.Kind == transcript.EventUpstream && e.Verdict == transcript.VerdictGone:
		return report.Bad
	case e.Verdict == transcript.VerdictFailed, e.Verdict == transcript.VerdictTimedOut, e.Verdict == transcript.VerdictGone, e.Kind == transcript.EventUpstream && e.Error != "":
		return report.Warn
	case e.Kind == transcript.EventCall && e.Verdict == transcript.VerdictOK:
		return report.Good
	}
	return report.Info
}

// millis returns a time in milliseconds.
func millis(ms float64) string {
	if ms >= 100 {
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
}

// alarmLines returns in words that an agent goes in circles.
func alarmLines(e transcript.Event, a serving.Alarm) (title report.Line, details []report.Line) {
	title.Level = report.Warn
	if a.Cause == serving.RefusedAgain {
		title.Text = "loop: " + safetext.Line(a.Tool) + " was refused again for the same reason, " + safetext.Line(a.Code) + "  " + agentOf(e)
		return title, []report.Line{{Text: "the answer names the next call; the dry run of the tool in Explore shows it"}}
	}
	title.Text = "loop: third search without a call  " + agentOf(e)
	for _, q := range a.Queries {
		details = append(details, report.Line{Text: quoted(q)})
	}
	return title, append(details, report.Line{Text: "w in Explore, on the first of them, says why the tool that was wanted is not found"})
}
