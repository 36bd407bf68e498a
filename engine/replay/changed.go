package replay

import (
	"maps"
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/model"
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
	told := was != nil && is != nil
	if (before.logged == nil) == (q.logged == nil) && (q.logged != nil || told) {
		b.compareTools(f.sent(l, before), f.sent(l, q))
	}
	if b.Cause == UnknownCause && told {
		all := maps.Clone(was)
		maps.Copy(all, is)
		for _, name := range append([]string{"system"}, slices.Sorted(maps.Keys(all))...) { // the system prompt first, then by name
			old, had := was[name]
			now, has := is[name]
			if (old != now || had != has) && !strings.HasPrefix(name, transcript.ToolSetting) {
				b.Cause, b.Setting = SettingChanged, name
				break
			}
		}
	}
	switch {
	case b.Cause != UnknownCause:
		if t := f.run.catalog.find(b.Tool); t != nil {
			b.Server = t.Toolset
		} else if rest, ok := strings.CutPrefix(b.Tool, "mcp__"); ok {
			server, _, _ := strings.Cut(rest, "__")
			b.Server = "mcp-" + server
		}
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

// sent returns the tools in the prefix of a request: those that the log has, or those of which it
// has the names alone, by name, each with the size that the registry has of it.
func (f *prefixes) sent(l *line, q *request) []sentTool {
	if q.logged != nil {
		return q.logged.list
	}
	r := l.history.entries[q.entry].Request
	list, known := f.named[r.Settings]
	if known {
		return list
	}
	for name, value := range f.settings(r) {
		if tool, ok := strings.CutPrefix(name, transcript.ToolSetting); ok {
			sum := transcript.TextSum([]byte(tool + value))
			t := sentTool{name: tool, sum: sum, bare: sum - 1}
			if known := f.run.catalog.find(tool); known != nil {
				t.size = f.run.definition(known)
			}
			list = append(list, t)
		}
	}
	model.Sort(list, func(a, b sentTool) int { return strings.Compare(a.name, b.name) })
	f.named[r.Settings] = list
	return list
}

// compareTools sets the cause where two lists of tools differ: what stands at the first place at
// which they do. Others are the tools of which the same is true, in their order.
func (b *Break) compareTools(old, now []sentTool) {
	at := 0
	for at < len(old) && at < len(now) && old[at].sum == now[at].sum {
		at++
	}
	sums := func(list []sentTool) map[string]uint64 {
		of := make(map[string]uint64, len(list))
		for _, t := range list {
			of[t.name] = t.sum
		}
		return of
	}
	was, is := sums(old), sums(now)
	all := func(cause Cause, list []sentTool, so func(t sentTool) bool) {
		b.Cause, b.Tool = cause, list[at].name
		for _, t := range list[at+1:] {
			if so(t) {
				b.Others = append(b.Others, t.name)
			}
		}
	}
	loaded := func(t sentTool) bool { return was[t.name] == 0 }
	gone := func(t sentTool) bool { return is[t.name] == 0 }
	switch {
	case at == len(old) && at == len(now):
	case at < len(old) && at < len(now) && old[at].name == now[at].name:
		cause := ToolEdited
		if old[at].bare == now[at].bare {
			cause = NumberInTool
		}
		all(cause, now, func(t sentTool) bool { return !loaded(t) && was[t.name] != t.sum })
	case at < len(now) && loaded(now[at]):
		all(ToolLoaded, now, loaded)
	case at < len(old) && gone(old[at]):
		all(ToolGone, old, gone)
	case at < len(now): // what stands here is elsewhere in the other list
		b.Cause, b.Tool = ToolsReordered, now[at].name
	default:
		b.Cause, b.Tool = ToolsReordered, old[at].name // a name that is there twice
	}
}
