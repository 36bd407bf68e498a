package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"caliper/engine/rescue/fetch"
	"caliper/engine/tokens"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// rescue calls do with a Rescuer, the session it is asked for, and the method that tokens are
// counted with. Only deciding takes a registry, so that the other commands do not read one.
func (r *run) rescue(ctx context.Context, decides bool, do func(rescuer *workbench.Rescuer, session string, by tokens.Method) (*runner.Outcome, error)) (*runner.Outcome, error) {
	session := cmp.Or(r.Flags.Bench.Session, workbench.DefaultRescueSession)
	r.Flags.Bench.Session = "" // the configuration need not have it
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	if !decides {
		in.Registry = nil
	}
	st, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return nil, err
	}
	r.HintAtWarnings(st)
	home, _ := r.Env.Lookup("HOME")
	rescuer := workbench.NewRescuer(workbench.RescueInputs{
		Registry:  st.Snapshot.Registry,
		Config:    st.Config.Rescue,
		Tokenizer: st.Snapshot.Tokenizer,
		Store:     r.Env.Store,
		Home:      home,
	})
	defer rescuer.Close() // what was to be kept is on disk already
	return do(rescuer, session, cmp.Or(r.Flags.Bench.Tokenizer, tokens.Chars4))
}

// rescuePutRow is `rescue put`: it reads a result, keeps it if it is to be rescued, and tells
// what was done.
func (r *run) rescuePutRow() runner.Row {
	var tool string
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one FILE, or - for standard input"), Complete: runner.AnyFile,
		Flags: func(f runner.FlagSet) {
			f.Value("tool", "NAME", "tool that returned the result", func(name string) error {
				tool = strings.ToValidUTF8(name, "\ufffd")
				return runner.NotEmpty(name)
			})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if tool == "" {
				return nil, runner.Usagef("needs --tool and the name of the tool")
			}
			return r.rescue(ctx, true, func(rescuer *workbench.Rescuer, session string, by tokens.Method) (*runner.Outcome, error) {
				in, called, size, name := io.Reader(r.In), "standard input", 0, args[0]
				if name != "-" {
					f, err := os.Open(name)
					if err != nil {
						return nil, runner.FileError(name, err)
					}
					defer f.Close()
					in, called = f, name
					if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
						size = int(info.Size())
					}
				}
				x, err := rescuer.Put(ctx, session, tool, called, r.Tallied(in, size))
				if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Path == name { // a folder opens like a file
					return nil, runner.InputError(name, path.Err.Error())
				}
				value := runner.Object{ // without a handle its id, its text and its tokens are null
					{"id", runner.NullUnless(x.Rescue, x.Meta.ID)},
					{"rescued", x.Rescue},
					{"rule", x.Rule},
					{"chars", x.Meta.Chars},
					{"lines", x.Meta.Lines},
					{"type", x.Meta.Kind},
					{"handle", runner.NullUnless(x.Rescue, x.Preview.Text)},
					{"handle_tokens", runner.NullUnless(x.Rescue, x.HandleTokens)},
					{"original_tokens", x.OriginalTokens},
				}
				if x.Envelope != "" { // what is counted
					value = append(value, runner.Member{"out_of", x.Envelope})
				}
				return &runner.Outcome{Value: value, Page: report.Rescue(x, by)}, err
			})
		},
	}
}

// rescueFetchRow is `rescue fetch`: what rescuer_fetch answers.
func (r *run) rescueFetchRow() runner.Row {
	var q fetch.Request
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one ID"), Complete: r.completeResult,
		Flags: func(f runner.FlagSet) {
			text := func(name, kind, usage string, to *string) {
				f.Value(name, kind, usage, func(s string) error {
					*to = s
					return nil
				})
			}
			number := func(name, usage string, to *int64) {
				f.Value(name, "N", usage, func(s string) (err error) {
					if *to, err = strconv.ParseInt(s, 10, 64); err != nil {
						return errors.New("want a whole number")
					}
					return nil
				})
			}
			text("mode", "MODE", strings.Join(fetch.Modes, ", "), &q.Mode)
			number("start", "where to begin; 0 is the beginning", &q.Start)
			number("count", "most lines, characters, hits or the like (default 20 lines, 50 hits, else what fits)", &q.Count)
			text("unit", "UNIT", "lines or chars, for range and grep", &q.Unit)
			text("pattern", "P", "RE2 expression, for grep; case does not count", &q.Pattern)
			text("query", "Q", "question, for search", &q.Query)
			text("pointer", "P", "JSON pointer, for pointer and outline", &q.Pointer)
			f.Completed("mode", fetch.Modes)
			f.Completed("unit", []string{fetch.Lines, fetch.Chars})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if !r.Given("mode") {
				return nil, runner.Usagef("needs --mode: %s", strings.Join(fetch.Modes, ", "))
			}
			q.CountGiven = r.Given("count") // a 0 that is written is not the same as none
			return r.rescue(ctx, false, func(rescuer *workbench.Rescuer, session string, by tokens.Method) (*runner.Outcome, error) {
				a, id, err := rescuer.Fetch(ctx, session, args[0], q)
				switch code := workbench.RescueCode(err); {
				case code != "" && r.Flags.JSON:
					return &runner.Outcome{Value: runner.Object{{"error", err.Error()}, {"code", code}}, No: true}, nil
				case code != "":
					r.Complain("caliper: " + code + ": " + err.Error())
					return nil, runner.ErrNo
				case err != nil:
					return nil, err
				case r.Flags.JSON:
					return &runner.Outcome{Value: fetchedJSON{id, a}}, nil
				}
				next := ""
				if a.Next != nil {
					if session == workbench.DefaultRescueSession {
						session = ""
					}
					next = fetchLine(id, *a.Next, r.Flags.Config, session)
				}
				return &runner.Outcome{Page: report.Fetch(a, rescuer.Tokens(a.Text), by, next)}, nil
			})
		},
	}
}

// fetchedJSON is an answer for JSON.
type fetchedJSON struct {
	ID string `json:"id"`
	fetch.Answer
}

// fetchLine returns the command line of a request, and of the configuration and the session,
// empty for the usual ones, by which it finds the same store again.
func fetchLine(id string, q fetch.Request, config, session string) string {
	args := []string{"caliper", "rescue", "fetch", id}
	add := func(name, value string) {
		if value != "" {
			args = append(args, "--"+name, value)
		}
	}
	add("mode", q.Mode)
	if q.Start != 0 {
		add("start", strconv.FormatInt(q.Start, 10))
	}
	if q.Count != 0 {
		add("count", strconv.FormatInt(q.Count, 10))
	}
	add("unit", q.Unit)
	add("pattern", q.Pattern)
	add("query", q.Query)
	add("pointer", q.Pointer)
	add("config", config)
	add("session", session)
	return report.CommandLine(args...)
}

// rescueStatusRow is `rescue status`: what the store holds.
func (r *run) rescueStatusRow() runner.Row {
	return runner.Row{Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		return r.rescue(ctx, false, func(rescuer *workbench.Rescuer, _ string, _ tokens.Method) (*runner.Outcome, error) {
			st, err := rescuer.Status(ctx)
			most := rescuer.StoreCap()
			return &runner.Outcome{Page: report.Store(st, most), Value: runner.Object{
				{"store", st.Path},
				{"blobs", st.Blobs},
				{"bytes", st.Bytes},
				{"max_bytes", most},
				{"sessions", st.Sessions},
				{"references", st.References},
				{"expired", st.Expired},
				{"tombstones", st.Tombstones},
				{"quarantined", st.Quarantined},
				{"next_expiry", runner.NullUnless(!st.NextExpiry.IsZero(), st.NextExpiry.UTC().Format(time.RFC3339))},
			}}, err
		})
	}}
}

// rescueSweepRow is `rescue sweep`: removes what has expired.
func (r *run) rescueSweepRow() runner.Row {
	var dryRun bool
	return runner.Row{
		Flags: func(f runner.FlagSet) { f.On(&dryRun, "dry-run", "say what would go and leave it") },
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			return r.rescue(ctx, false, func(rescuer *workbench.Rescuer, _ string, _ tokens.Method) (*runner.Outcome, error) {
				w, err := rescuer.Sweep(ctx, dryRun)
				return &runner.Outcome{Page: report.Sweep(rescuer.Path(), w, dryRun), Value: runner.Object{
					{"dry_run", dryRun},
					{"expired", w.Expired},
					{"lost", w.Lost},
					{"blobs", w.Blobs},
					{"bytes", w.Bytes},
					{"tombstones", w.Tombstones},
					{"quarantined", w.Quarantined},
					{"abandoned", w.Abandoned},
				}}, err
			})
		},
	}
}
