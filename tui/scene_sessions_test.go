package tui

import (
	"bytes"
	"caliper/engine/transcript/logs"
	"context"
	"strings"

	"caliper/engine/transcript"
	"caliper/tui/demo"
)

// replays gives an explorer what reads the sessions of the demo. With "given" they
// were named at the start, with "found" they wait for the user, with "" there are none. The
// others are given: the texts of "hostile" ones act on a terminal, "growing" ones are half
// there at the first read, "torn" ones end in the middle of a line, "unknown" ones have no
// usage, and "empty" is a folder without any.
func (a *sceneApp) replays(opt *Options) {
	reads := 0
	opt.ReadSessions = func(ctx context.Context, _ []string, _ transcript.Agent, o transcript.Options) (transcript.Log, error) {
		reads++
		var all transcript.Log
		for _, name := range demo.SessionFiles {
			if a.sessions == "empty" {
				break
			}
			data := demo.Session(name)
			if a.sessions == "growing" && reads == 1 {
				data = data[:bytes.LastIndexByte(data[:len(data)/2], '\n')+1]
			}
			if a.sessions == "torn" {
				data = data[:len(data)*3/4]
			}
			in := bytes.NewReader(data)
			var log transcript.Log
			var err error
			switch {
			case strings.Contains(name, ".claude."):
				r := logs.ClaudeReader{Options: o}
				err = r.Read(ctx, in, name)
				log = r.Log()
			case strings.Contains(name, ".codex."):
				r := logs.CodexReader{Options: o}
				err = r.Read(ctx, in, name)
				log = r.Log()
			default:
				r := transcript.HermesReader{Options: o}
				err = r.Read(ctx, in, name)
				log = r.Log()
			}
			if err != nil {
				return all, err
			}
			all.Sessions = append(all.Sessions, log.Sessions...)
			all.Skipped = append(all.Skipped, log.Skipped...)
		}
		switch a.sessions {
		case "hostile":
			makeHostile(&all)
		case "unknown":
			forgetUsage(&all)
		}
		return all, nil
	}
	switch a.sessions {
	case "": // none is named, and none is found
	case "found":
		opt.FoundSessions = []string{"sessions"}
	default:
		opt.Sessions = []string{"sessions"}
	}
}

// forgetUsage takes every usage out of a log.
func forgetUsage(log *transcript.Log) {
	for i := range log.Sessions {
		log.Sessions[i].Sums = nil
		for _, c := range log.Sessions[i].Contexts {
			for _, e := range c.Entries {
				if e.Request != nil {
					e.Request.Usage = nil
				}
			}
		}
	}
}

// makeHostile puts texts that act on a terminal wherever a log has texts.
func makeHostile(log *transcript.Log) {
	const bad = "\x1b[2J\x1b]0;owned\x07\u202e\r"
	log.Skipped = append(log.Skipped, transcript.Skipped{File: bad + "file", What: bad + "kind", Count: 1})
	for i := range log.Sessions {
		s := &log.Sessions[i]
		s.ID, s.Model = bad+s.ID, s.Model+bad
		for c := range s.Contexts {
			for e := range s.Contexts[c].Entries {
				entry := &s.Contexts[c].Entries[e]
				if entry.Words != "" {
					entry.Words = bad + entry.Words
				}
				if entry.Request == nil {
					continue
				}
				entry.Request.Calls = append(entry.Request.Calls, transcript.Call{Tool: bad + "tool", Answered: true})
				for k := range entry.Request.Calls {
					asked := entry.Request.Calls[k].Asked()
					for q := range asked.Queries {
						asked.Queries[q] = bad + asked.Queries[q]
					}
				}
			}
		}
	}
}
