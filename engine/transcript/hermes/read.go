package hermes

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/model/jsontree"
)

// mostBytes bounds a log that is held in memory while it is read.
//
// SECURITY: a log is foreign, and may be of any size.
const mostBytes = 128 << 20

// Read returns the sessions of an export or of a gateway's log. It returns an
// error when the log cannot be read, is larger than 128 MB, or ctx ends.
func Read(ctx context.Context, r io.Reader, path string, o transcript.Options) (transcript.Log, error) {
	var log transcript.Log
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return log, fmt.Errorf("%s: %w", path, err)
	}
	if len(data) > mostBytes {
		return log, fmt.Errorf("%s: larger than %d bytes", path, mostBytes)
	}
	if o.Progress != nil {
		o.Progress(len(data))
	}
	var gateway []row
	var arrays []transcript.ToolArray
	skipped := transcript.Skipped{File: path, What: "unknown"}
	lost := transcript.Skipped{File: path, What: "result without a call"}
	add := func(n *jsontree.Node, line int) {
		switch {
		case n.Member("messages").Is(jsontree.Array) && n.Member("id").Is(jsontree.String):
			s, k := session(n, path, o.Count)
			log.Sessions = append(log.Sessions, s)
			lost.Count += k
		case text(n.Member("role")) == "session_meta":
			arrays = append(arrays, array(n.Member("tools")))
		case n.Member("role").Is(jsontree.String):
			gateway = append(gateway, row{message: n, at: timeOf(n.Member("timestamp")), active: true})
		default:
			skipped.Count++
			if skipped.Line == 0 {
				skipped.Line = line
			}
		}
	}
	err = dialogue.EachValue(ctx, data, add, func(line int) {
		log.Skipped = append(log.Skipped, transcript.Skipped{File: path, Line: line, What: "not JSON", Count: 1})
	})
	if err != nil {
		return log, err
	}
	if len(gateway) > 0 {
		tools := transcript.None
		if len(arrays) > 0 {
			tools = 0
		}
		c, k := contextOf("", gateway, tools, "", o.Count)
		lost.Count += k
		id := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		log.Sessions = append(log.Sessions, transcript.Session{ID: id, Agent: transcript.Hermes, File: path,
			Started: gateway[0].at, Contexts: []transcript.Context{c}, Arrays: arrays})
	}
	for _, s := range []transcript.Skipped{skipped, lost} {
		if s.Count > 0 {
			log.Skipped = append(log.Skipped, s)
		}
	}
	return log, nil
}

// session returns one exported session, and how many results it lost.
func session(n *jsontree.Node, path string, count transcript.Counter) (transcript.Session, int) {
	s := transcript.Session{ID: text(n.Member("id")), Agent: transcript.Hermes, File: path,
		Model: text(n.Member("model")), Started: timeOf(n.Member("started_at"))}
	u := transcript.Usage{Input: number(n.Member("input_tokens")), Output: number(n.Member("output_tokens")),
		CacheRead: number(n.Member("cache_read_tokens")), CacheWrite: number(n.Member("cache_write_tokens"))}
	s.Sums = &u
	var rows []row
	for _, m := range n.Member("messages").Elements() {
		if text(m.Member("role")) == "session_meta" {
			continue
		}
		rows = append(rows, row{message: m.Node, at: timeOf(m.Member("timestamp")),
			active: m.Member("active") == nil || number(m.Member("active")) != 0, compacted: number(m.Member("compacted")) != 0})
	}
	c, lost := contextOf(text(n.Member("system_prompt")), rows, transcript.None, s.Model, count)
	s.Contexts = []transcript.Context{c}
	return s, lost
}

func array(tools *jsontree.Node) transcript.ToolArray {
	var a transcript.ToolArray
	for _, t := range tools.Elements() {
		a.Definitions = append(a.Definitions, jsontree.Compact(t.Raw))
	}
	return a
}

// timeOf returns a time in seconds since 1970, or in RFC 3339 with or without
// a zone; zero for anything else.
func timeOf(n *jsontree.Node) time.Time {
	if n == nil {
		return time.Time{}
	}
	if n.Is(jsontree.Number) {
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || f < 0 || f > 1e11 {
			return time.Time{}
		}
		return time.UnixMicro(int64(f * 1e6)).UTC()
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, n.Text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// number returns a count; 0 for what is none.
func number(n *jsontree.Node) int {
	if !n.Is(jsontree.Number) {
		return 0
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || f < 0 || f > 1e15 {
		return 0
	}
	return int(f)
}

func text(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return n.Text
	}
	return ""
}
