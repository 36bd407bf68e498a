package diff

import (
	"context"
	"slices"

	"caliper/engine"
)

// judgeSessions compares what each session of both sides reaches, and whether it
// searches.
func (j *judging) judgeSessions(ctx context.Context) error {
	for _, was := range j.was.audit.Sessions {
		at := slices.IndexFunc(j.is.audit.Sessions, func(s engine.SessionAudit) bool { return s.Name == was.Name })
		if at < 0 {
			j.fail(Reason{Kind: KindSession, Session: was.Name})
			continue
		}
		j.out.ComparedSessions++
		is := j.is.audit.Sessions[at]
		if on := j.is.active[is.Name]; on != j.was.active[is.Name] {
			j.fail(Reason{Kind: KindActivation, Session: is.Name, On: on})
		}
		widened, err := j.widened(ctx, was, is)
		if err != nil {
			return err
		}
		j.reach(is.Name, PathGranted, widened)
		// Tools that the policy protects less than the base's did: free are those whose call it denied
		// or kept for approval and which nothing of the head refuses, asked those whose call it denied
		// and which an approval now lets pass.
		var free, asked []string
		for _, d := range was.Denied {
			_, granted := slices.BinarySearch(is.Granted, d.Tool)
			ruled := d.Code == engine.CodeDenied || d.Code == engine.CodeNeedsApproval // at any stage
			now, refused := is.Denial(d.Tool)
			switch {
			case !ruled || !granted:
			case !refused:
				free = append(free, d.Tool)
			case d.Final && !now.Final:
				asked = append(asked, d.Tool)
			}
		}
		j.reach(is.Name, PathPolicy, free)
		j.reach(is.Name, PathAsked, asked)
	}
	for _, is := range j.is.audit.Sessions { // violations that the base does not have, by their paths
		known := map[engine.Violation]bool{}
		for _, was := range j.was.audit.Sessions {
			for _, v := range was.Violations {
				known[v] = known[v] || was.Name == is.Name
			}
		}
		for _, path := range []string{engine.PathSearch, engine.PathDescribe, engine.PathCall, engine.PathDirect} {
			var tools []string
			for _, v := range is.Violations {
				if v.Path == path && !known[v] {
					tools = append(tools, v.Tool)
				}
			}
			j.reach(is.Name, path, tools)
		}
	}
	return nil
}

// reach adds what a session reaches and must not.
func (j *judging) reach(session, path string, tools []string) {
	if len(tools) > 0 {
		j.out.ScopeViolations += len(tools)
		j.fail(Reason{Kind: KindScope, Session: session, Path: path, Tools: tools})
	}
}

// widened returns the tools, sorted, that a session is granted by the head and not by
// the base: tools of both registries that it was not granted, and others that the lists
// of the base do not grant. It leaves out tools whose availability check has changed.
//
// SECURITY: the lists of the base are read with the registry of the head, so that a tool
// that moves into a granted toolset is seen, and one that is new there is expected.
func (j *judging) widened(ctx context.Context, was, is engine.SessionAudit) ([]string, error) {
	in := j.new.Inputs()
	in.Config.Sessions, in.Config.Policy = j.old.Config.Sessions, j.old.Config.Policy
	in.Session, in.OnDemand, in.Began = was.Name, true, nil
	expected, err := j.builder.Build(ctx, in)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range is.Granted {
		if _, before := slices.BinarySearch(was.Granted, name); before {
			continue
		}
		old, now := j.old.Registry.Named(name), j.new.Registry.Named(name)
		switch {
		case old != nil && !old.Available, now == nil:
		case old == nil && expected.Granted(now):
		default:
			out = append(out, name)
		}
	}
	return out, nil
}
