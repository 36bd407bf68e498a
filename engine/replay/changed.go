package replay

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"caliper/engine/transcript"
)

// compare returns the break of a request that lost what it could have read, with its cause.
func (f *prefixes) compare(l *line, before, q *request) Break {
	old, now := &l.history.entries[before.entry], &l.history.entries[q.entry]
	b := Break{Entry: q.entry, Cause: UnknownCause}
	if !old.Time.IsZero() && now.Time.After(old.Time) {
		b.Pause = now.Time.Sub(old.Time)
	}
	was, is := f.settings(old.Request), f.settings(now.Request)
	kept, stated := keeps[was["cache"]]
	if stated && b.Pause >= kept {
		b.Cause = TimedOut // whatever else changed
		return b
	}
	if from, to := old.Request.Model, now.Request.Model; from != to && from != "" && to != "" {
		b.Cause, b.Setting = ModelChanged, to
		return b
	}
	if before.logged != nil && q.logged != nil {
		f.compareTools(&b, before.logged.list, q.logged.list)
	}
	if b.Cause == UnknownCause && was != nil && is != nil && old.Request.Settings != now.Request.Settings {
		f.compareSettings(&b, was, is)
	}
	if b.Cause != UnknownCause {
		b.Server = f.serverOf(b.Tool)
		return b
	}
	switch {
	case !stated && b.Pause >= mayExpire:
		b.Cause = TimedOut
	case before.logged == nil || q.logged == nil:
		b.Gap = ToolsUnlogged
	default:
		b.Gap = NothingSeen
	}
	return b
}

// settings returns the settings of a request; nil where the log does not say.
func (f *prefixes) settings(r *transcript.Request) map[string]string {
	n := r.Settings
	if n <= 0 || n > len(f.session.Settings) {
		return nil
	}
	if f.stated[n] == nil {
		f.stated[n] = f.session.Settings[n-1].Values()
	}
	return f.stated[n]
}

// sent returns the tools in the prefix of a request: those that the log has, or, where it has
// their names alone, the registry's of these names.
func (f *prefixes) sent(l *line, q *request) []sentTool {
	if q.logged != nil {
		return q.logged.list
	}
	n := l.history.entries[q.entry].Request.Settings
	list, known := f.named[n]
	if known {
		return list
	}
	for name, value := range f.settings(l.history.entries[q.entry].Request) {
		if tool, ok := strings.CutPrefix(name, transcript.ToolSetting); ok {
			if t := f.run.catalog.find(tool); t != nil {
				list = append(list, sentTool{name: tool, sum: transcript.TextSum([]byte(tool + value)), size: f.run.definition(t)})
			}
		}
	}
	slices.SortFunc(list, func(a, b sentTool) int { return strings.Compare(a.name, b.name) })
	f.named[n] = list
	return list
}

// compareTools sets the cause where two lists of tools differ: what stands at the first place at
// which they do.
func (f *prefixes) compareTools(b *Break, old, now []sentTool) {
	at := 0
	for at < len(old) && at < len(now) && old[at].sum == now[at].sum {
		at++
	}
	if at == len(old) && at == len(now) {
		return
	}
	was, is := byName(old), byName(now)
	has := func(in map[string]sentTool, list []sentTool) bool {
		if at == len(list) {
			return false
		}
		_, ok := in[list[at].name]
		return ok
	}
	switch {
	case at < len(old) && at < len(now) && old[at].name == now[at].name:
		b.Cause, b.Tool = ToolEdited, now[at].name
		if old[at].bare == now[at].bare {
			b.Cause = NumberInTool
		}
		b.More = count(was, is, func(t, u sentTool, both bool) bool { return both && t.sum != u.sum }) - 1
	case at < len(now) && !has(was, now):
		b.Cause, b.Tool = ToolLoaded, now[at].name
		b.More = count(is, was, func(_, _ sentTool, both bool) bool { return !both }) - 1
	case at < len(old) && !has(is, old):
		b.Cause, b.Tool = ToolGone, old[at].name
		b.More = count(was, is, func(_, _ sentTool, both bool) bool { return !both }) - 1
	default: // what stands here is elsewhere in the other list
		b.Cause = ToolsReordered
		if at < len(now) {
			b.Tool = now[at].name
		} else {
			b.Tool = old[at].name // a name that is there twice
		}
	}
}

// byName returns the tools of a list by their names.
func byName(list []sentTool) map[string]sentTool {
	out := make(map[string]sentTool, len(list))
	for _, t := range list {
		out[t.name] = t
	}
	return out
}

// count returns how many tools of one list are so beside those of another, which may have a
// tool of the name.
func count(list, other map[string]sentTool, is func(t, u sentTool, both bool) bool) (n int) {
	for name, t := range list {
		if u, both := other[name]; is(t, u, both) {
			n++
		}
	}
	return n
}

// compareSettings sets the cause where two requests have other settings: tools first.
func (f *prefixes) compareSettings(b *Break, was, is map[string]string) {
	names := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is)))
	slices.SortFunc(names, func(a, b string) int {
		first := func(name string) int {
			switch {
			case strings.HasPrefix(name, transcript.ToolSetting):
				return 0
			case name == "system":
				return 1
			}
			return 2
		}
		return cmp.Or(first(a)-first(b), strings.Compare(a, b))
	})
	for _, name := range slices.Compact(names) {
		old, had := was[name]
		now, has := is[name]
		if old == now && had == has {
			continue
		}
		tool, ofTool := strings.CutPrefix(name, transcript.ToolSetting)
		switch {
		case !ofTool:
			if b.Cause == UnknownCause {
				b.Cause, b.Setting = SettingChanged, name
			}
			return
		case b.Cause != UnknownCause:
			b.More++
			continue
		case !had:
			b.Cause = ToolLoaded
		case !has:
			b.Cause = ToolGone
		default:
			b.Cause = ToolEdited
		}
		b.Tool = tool
	}
}

// serverOf returns the server of a logged tool: its toolset in the registry, else the part that
// its name has for it; "" where neither tells.
func (f *prefixes) serverOf(tool string) string {
	if t := f.run.catalog.find(tool); t != nil {
		return t.Toolset
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		return "mcp-" + server
	}
	return ""
}
