// Package connect is the commands that talk to others: import, which asks servers for their
// tools or reads files of them, and serve, by which agents search and call a session's tools,
// with the flags of the explorer that serve them too (Listening). It also asks the servers
// that are chosen on the first screen.
//
// Goals: a server is started only where the user names it; a variable goes to no server that
// its configuration does not give it to; one server that fails spoils no other.
//
// Non-goals: the protocol and the clients' files (package live), the agents that are served
// (package serving).
package connect

import (
	"cmp"
	"context"
	_ "embed" // the script is a file
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caliper/engine/export"
	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"
)

// Importing is the flags of import.
type Importing struct {
	Run    *runner.Run
	file   string       // to write; "" for standard output
	Naming model.Naming // "": names of files stay, servers' names are made as the agent does
	usual  model.Naming // of the agent, by its generation

	Clients []string // configuration files of clients
	servers []string // of them, by name
	All     bool
	stdio   []string // commands of servers to start
	http    string
	sse     bool
	headers []string
	env     []string // NAME, or NAME=value
	name    string   // of the server of stdio or http
	Timeout time.Duration
	watch   bool

	capabilities []string   // that servers are told of
	signIn       signin.Way // to servers that ask for it; "": in none; signOut: what sign-ins gave is deleted, and nothing is asked
	clientID     string     // of a client that was registered for signing in; "": one is registered
	recursive    bool
	queries      string // file for the labelled queries of the sources; "" for none

	script bool              // the script that dumps a running agent is printed
	Heard  func(line string) // takes the lines in place of standard error; nil for nobody
}

// Tell writes a line to standard error, or to who hears it in its place.
func (i *Importing) Tell(line string) {
	if i.Heard != nil {
		i.Heard(safetext.Line(line))
	} else {
		i.Run.Complain(line)
	}
}

// ImportRow is `import`: any known shape, or running MCP servers, to a
// registry dump.
func ImportRow(r *runner.Run) runner.Row {
	i := &Importing{Run: r}
	return runner.Row{
		Reads: runner.NoRegistry, Args: i.check, Complete: runner.FilesOf(runner.DumpSuffixes), Flags: i.flags,
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			switch {
			case i.script:
				return nil, r.Write(HermesScript)
			case !i.live():
				return i.sources(ctx, args)
			}
			if len(i.Clients) > 0 && !i.chooses() {
				files, err := i.Configs()
				if err != nil {
					return nil, err
				}
				return i.list(files), nil
			}
			servers, err := i.Chosen()
			if err != nil {
				return nil, err
			}
			core, err := i.core(ctx)
			if err != nil {
				return nil, err
			}
			ctx, stop := i.UntilEnded(ctx)
			defer stop()
			switch {
			case i.signIn == signOut:
				any := false
				for _, s := range servers {
					expanded, err := i.expand(s)
					if err == nil && r.SignIns != nil {
						var known bool
						if known, err = live.SignOut(expanded, r.SignIns); known {
							any = true
							r.Say(report.Textf("server %s: signed out", s.Name))
						} else if err == nil {
							i.Tell("server " + s.Name + ": nobody has signed in")
						}
					}
					if err != nil {
						i.failed(err)
					}
				}
				return &runner.Outcome{No: !any}, nil
			case i.watch:
				return nil, i.keepFresh(ctx, servers, core)
			}
			return nil, i.ask(ctx, servers, core)
		},
	}
}

// flags adds the flags.
func (i *Importing) flags(f runner.FlagSet) {
	f.Out(&i.file)
	f.Value("naming", "NAMING", "single for mcp_SERVER_TOOL, double for mcp__SERVER__TOOL", func(s string) error {
		if i.Naming = model.Naming(s); s == SingleNaming {
			i.Naming = model.HermesNaming
		}
		return runner.OneOf(s, SingleNaming, string(model.DoubleNaming), string(model.HermesNaming))
	})
	f.Texts(&i.Clients, "mcp-config", "FILE", "servers of an MCP client; may be repeated")
	f.Texts(&i.servers, "server", "NAME", "ask this server of --mcp-config; may be repeated")
	f.On(&i.All, "all", "ask every enabled server of --mcp-config")
	f.Texts(&i.stdio, "stdio", "COMMAND", "start this server, without a shell; may be repeated")
	f.Text(&i.http, "http", "URL", "connect to this server")
	f.On(&i.sse, "sse", "with --http: by the older transport of events")
	f.Texts(&i.headers, "header", "NAME:VALUE", "with --http: a header; may be repeated")
	f.Texts(&i.env, "env", "NAME[=VALUE]", "with --stdio: pass a variable on, or set it")
	f.Text(&i.name, "name", "NAME", "with --stdio or --http: the server's name")
	runner.ByDefault(f.Time(&i.Timeout, "timeout", "for each server, as 30s; else as configured, or a minute", "30s"), "1m")
	f.Value("capabilities", "LIST", "tell servers of elicitation,sampling,roots, VENDOR/EXTENSION: some list more", func(s string) error {
		i.capabilities = strings.Split(s, ",")
		if slices.ContainsFunc(i.capabilities, func(what string) bool {
			return !slices.Contains(slices.Concat(Offers, live.Declarable()), what) && !live.IsExtension(what)
		}) {
			return errors.New("want " + words.Or(slices.Concat(Offers, live.Declarable())) + " or an extension such as io.modelcontextprotocol/ui, with commas between them")
		}
		return nil
	})
	f.Value("sign-in", "WAY", "to servers that ask for it: browser, device, or forget", func(s string) error {
		i.signIn = signin.Way(s)
		return runner.OneOf(s, SignInWays...)
	})
	f.Text(&i.clientID, "client-id", "ID", "with --sign-in: of a client that was registered there")
	f.On(&i.recursive, "recursive", "read the folders in a folder too")
	f.Written(&i.queries, "queries-out", "FILE", "write the labelled queries of data sets")
	f.On(&i.script, "hermes-script", "print a Python script that makes a dump in a Hermes Agent")
	f.On(&i.watch, "watch", "keep the file of -o fresh until interrupted")
}

// HermesScript dumps the registry of the agent that runs it.
//
//go:embed hermes_script.py
var HermesScript []byte

// SingleNaming is the naming mcp_SERVER_TOOL in a flag; model.HermesNaming is its
// older word.
const SingleNaming = "single"

// live reports whether servers are meant, not files.
func (i *Importing) live() bool { return len(i.Clients) > 0 || len(i.stdio) > 0 || i.http != "" }

// chooses reports whether servers of a client's configuration are named.
func (i *Importing) chooses() bool { return len(i.servers) > 0 || i.All }

// check returns which flags do not go together. It takes the files that --server or
// --all is given with for clients' configurations.
func (i *Importing) check(args []string) error {
	direct := len(i.stdio) > 0 || i.http != ""
	if !i.live() && i.chooses() && !slices.ContainsFunc(args, func(arg string) bool { return arg == "-" || isAddress(arg) }) {
		i.Clients, args = args, nil // FILE --all is --mcp-config FILE --all
	}
	for _, rule := range []struct {
		broken  bool
		problem string
	}{
		// SECURITY: no problem repeats an argument, which may be a header whose
		// quotes were forgotten, or an address that holds a key.
		{i.script && (i.live() || len(args) > 0), "--hermes-script prints a script and takes no SOURCE"},
		{i.script && i.Run.Flags.JSON, "--hermes-script prints a script in Python, and no JSON"},
		{i.Run.Flags.Bench.Overrides != "", "--overrides changes no dump that is imported: give it to export --shape hermes, which writes one with its descriptions"},
		{i.live() && len(args) > 0, "takes files or servers, not both"},
		{(i.recursive || i.queries != "") && len(args) == 0, "--recursive and --queries-out are for files and folders"},
		{slices.ContainsFunc(args, isAddress), "a SOURCE is a file or a folder; the address of a server is for --http"},
		{!i.live() && !i.script && len(args) == 0, "needs a SOURCE, or --mcp-config, --stdio or --http"},
		{len(i.stdio) > 0 && i.http != "", "--stdio and --http are two ways to reach a server; import them one by one"},
		{len(i.stdio) > 1 && (i.name != "" || len(i.env) > 0), "--name and --env are for one server of --stdio"},
		{direct && len(i.Clients) > 0, "--mcp-config goes with --server or --all, not with --stdio or --http"},
		{i.chooses() && len(i.Clients) == 0, "--server and --all need a client's configuration, as a SOURCE that is a file or with --mcp-config"},
		{len(i.servers) > 0 && i.All, "--server and --all are two ways to choose"},
		{i.name != "" && !direct, "--name is for --stdio and --http"},
		{(len(i.headers) > 0 || i.sse) && i.http == "", "--header and --sse are for --http"},
		{len(i.env) > 0 && len(i.stdio) == 0, "--env is for --stdio"},
		{(i.signIn != "" || len(i.capabilities) > 0) && !i.live(), "--sign-in and --capabilities are for servers"},
		{i.clientID != "" && (i.signIn == "" || i.signIn == signOut), "--client-id goes with --sign-in"},
		{i.watch && (i.file == "" || !direct && !i.chooses()), "--watch needs servers and the file of -o"},
	} {
		if rule.broken {
			return runner.Usagef("%s", rule.problem)
		}
	}
	return nil
}

// isAddress reports whether an argument is the address of a server.
func isAddress(arg string) bool {
	return strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://")
}

// sources imports files and folders. Those that cannot be read are named and left
// out; the answer is no then, and an error if there is no other.
func (i *Importing) sources(ctx context.Context, paths []string) (*runner.Outcome, error) {
	var list []model.Source
	var wrong runner.InputErrors
	for _, path := range paths {
		read, faults, err := i.read(path)
		if err != nil {
			return nil, err
		}
		list, wrong = append(list, read...), append(wrong, faults...)
	}
	core, coreErr := i.core(ctx)
	size := 0
	for n := range list {
		list[n].Naming = i.usual
		size += len(list[n].Data)
	}
	i.Run.Doing("reading " + words.Size(size) + " of tool definitions")
	registry, err := shapes.Parse(ctx, list...)
	if err != nil {
		if len(wrong) == 0 && i.queries == "" {
			if listed := i.sourcesAreConfigs(ctx, list); listed != nil {
				return listed, nil
			}
		}
		if list, wrong, err = i.goodOf(ctx, list, wrong, err); err != nil {
			return nil, err
		}
		registry, err = shapes.Parse(ctx, list...)
		if d := (model.Diagnostic{}); errors.As(err, &d) {
			return nil, append(wrong, d)
		} else if err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, wrong
	}
	var rename func(*model.Tool) string // gives the tools of servers other names; nil: none has another
	if i.Naming != "" {
		rename = func(t *model.Tool) string {
			if t.Server == "" || t.OriginalName == "" {
				return t.Name
			}
			return i.Naming.ToolName(t.Server, t.OriginalName)
		}
	}
	data, _, err := export.Write(export.AsHermes, registry, export.Options{Name: rename, Progress: i.Run.Tally("writing", "tool")})
	if err = cmp.Or(err, coreErr); err != nil {
		return nil, err
	}
	for _, t := range registry.Tools {
		if rename == nil {
			break
		}
		if name := rename(t); name != t.Name {
			registry.Warnings = append(registry.Warnings, shapes.NameWarnings(registry, t, name)...)
		}
	}
	if err := i.writeQueries(registry); err != nil {
		return nil, err
	}
	for _, d := range wrong {
		i.Run.Complain(d.Error())
	}
	if err := i.finish(registry, append(data, '\n'), nil, clashesIn(registry, rename, core)); err != nil || len(wrong) == 0 {
		return nil, err
	}
	i.Run.Complain("caliper: " + words.CountOf(len(wrong), "source was", "sources were") + " left out")
	return nil, runner.ErrNo
}

// writeQueries writes the labelled queries of the sources, one a line.
func (i *Importing) writeQueries(registry *model.Registry) error {
	switch {
	case i.queries == "":
		return nil
	case len(registry.Queries) == 0:
		i.Run.Complain("warning: no source has labelled queries: " + i.queries + " is not written")
		return nil
	case i.Naming != "":
		i.Run.Complain("warning: the labelled queries have the names of the sources, not those of --naming")
	}
	var out []byte
	for _, q := range registry.Queries {
		line := runner.Object{{"id", q.ID}, {"query", q.Text}, {"relevant", q.Relevant}}
		if len(q.Groups) > 0 {
			line = append(line, runner.Member{"groups", q.Groups})
		}
		if q.Category != "" {
			line = append(line, runner.Member{"category", q.Category})
		}
		out = append(append(out, jsontree.Encode(line)...), '\n')
	}
	return i.Run.WriteFile(i.queries, out)
}

// goodOf returns the sources that can be read by themselves, and what is wrong with the
// others beside what is known to be: reading all of them together has ended with err.
func (i *Importing) goodOf(ctx context.Context, list []model.Source, wrong runner.InputErrors, err error) ([]model.Source, runner.InputErrors, error) {
	var d model.Diagnostic
	if !errors.As(err, &d) {
		return nil, nil, err
	}
	var good []model.Source
	for _, s := range list {
		var d model.Diagnostic
		switch _, err := shapes.Parse(ctx, s); {
		case err == nil, errors.As(err, &d) && d.Code == shapes.CodeElsewhere: // which another source may have
			good = append(good, s)
		case d.Code != "":
			wrong = append(wrong, d)
		default:
			return nil, nil, err
		}
	}
	return good, wrong, nil
}

// clashesIn returns the names that several tools of servers would bear, or
// that a tool of a server would take from one without a server.
func clashesIn(registry *model.Registry, rename func(*model.Tool) string, core []string) []live.Clash {
	var own, tools []live.Bearer
	for _, t := range registry.Tools {
		name := t.Name
		if rename != nil {
			name = rename(t)
		}
		claim := live.Claim{Server: t.Server, Tool: cmp.Or(t.OriginalName, t.Name)}
		if t.Server == "" {
			claim.File = safetext.Line(registry.Sources[t.At.Source].Name)
			own = append(own, live.Bearer{Name: name, Claim: claim})
			continue
		}
		tools = append(tools, live.Bearer{Name: name, Claim: claim})
	}
	return live.ClashesAmong(append(own, tools...), core)
}

// read reads a file, a folder or standard input. The fault of a file is no error.
func (i *Importing) read(path string) (list []model.Source, wrong runner.InputErrors, err error) {
	if path == "-" {
		data, err := io.ReadAll(i.Run.In)
		if err != nil {
			return nil, nil, fmt.Errorf("reading standard input: %w", err)
		}
		return []model.Source{{Name: path, Data: data}}, nil, nil
	}
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		i.Run.Complain(path + ": a pipe; waiting for what is written to it")
	}
	var told []string // about sources that are not read
	switch {
	case folder && i.recursive:
		told = workbench.SkippedBelow(path)
	case folder:
		told = workbench.SkippedYAML([]string{path}, i.Run.Flags.Config)
	}
	files, wrong := i.filesOf(path)
	if folder && !i.recursive && wrong == nil {
		told = append(told, workbench.InnerUnread([]string{path})...)
	}
	for _, line := range told {
		i.Tell(line)
	}
	for _, f := range files {
		s := model.Source{Name: f.Name, Data: f.Data}
		if f.InFolder {
			s.Toolset = shapes.ToolsetName(f.Name)
		}
		if f.Err != nil {
			wrong = append(wrong, runner.FileError(f.Name, f.Err)...)
		} else {
			list = append(list, s)
		}
	}
	return list, wrong, nil
}

// lookedFor says which files of a folder import reads.
const lookedFor = "looked for *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, *.csv, and *.yaml with an API or tools"

// filesOf returns what a path leads to: a file, the files of a folder, or with
// --recursive those of the folders in it too.
func (i *Importing) filesOf(path string) (files []watch.File, wrong runner.InputErrors) {
	info, err := os.Stat(path)
	where, folders := " in this folder: ", false
	switch {
	case i.recursive:
		where = " in this folder and those in it: "
		files, err = workbench.ReadBelow(path, importFile)
	case err == nil && info.IsDir():
		files, folders, err = workbench.ReadFolder(path, importFile)
	default:
		return []watch.File{watch.Read(path)}, nil // which names its fault
	}
	switch d := (model.Diagnostic{}); {
	case errors.As(err, &d):
		return nil, runner.InputErrors{d}
	case err != nil:
		return nil, runner.FileError(path, err)
	case files == nil && folders:
		return nil, runner.InputError(path, "no file of tools in this folder, but folders: --recursive reads those in it too; "+lookedFor)
	case files == nil:
		return nil, runner.InputError(path, "no file of tools"+where+lookedFor)
	}
	return files, nil
}

// importFile reports whether a file of a folder is read, by its name: registry
// dumps, and tables of labelled queries.
func importFile(name string) bool {
	return workbench.RegistryFile(name) || !strings.HasPrefix(name, ".") && strings.ToLower(filepath.Ext(name)) == ".csv"
}

// finish writes a dump of a registry, and its warnings and clashes.
func (i *Importing) finish(registry *model.Registry, data []byte, servers []ServerJSON, clashes []live.Clash) error {
	r := i.Run
	warnOfRefusals(registry)
	if i.file != "" {
		write := r.WriteFile
		if len(servers) > 0 { // SECURITY: it has what servers say to this user
			write = r.WriteOwnFile
		}
		if err := write(i.file, data); err != nil {
			return err
		}
	}
	if !r.Flags.JSON || i.file == "" {
		for _, w := range registry.Warnings {
			r.Complain(runner.WarningLine(w))
		}
		for _, c := range clashes {
			r.Complain("warning: " + c.String())
		}
	}
	tools, toolsets := len(registry.Tools), len(registry.Toolsets)
	switch {
	case i.file == "":
		return r.WriteJSON(data)
	case r.Flags.JSON:
		return i.printOutcome(i.file, tools, toolsets, servers, clashes, registry.Warnings)
	}
	r.Say(report.Textf("%s is written: %s in %s", i.file, report.Count(tools, "tool"), report.Count(toolsets, "toolset")))
	return nil
}

// printOutcome prints what an import wrote as JSON: one that is kept fresh on
// one line each time. The file is "" when no server could be listed, so that nothing was written.
func (i *Importing) printOutcome(file string, tools, toolsets int, servers []ServerJSON, clashes []live.Clash, warnings []model.Diagnostic) error {
	o := runner.Object{{"file", file}, {"tools", tools}, {"toolsets", toolsets}}
	if len(servers) > 0 {
		o = append(o, runner.Member{"servers", servers})
	}
	o = append(o, runner.Member{"clashes", runner.NotNull(clashes)}, runner.Member{"warnings", runner.DiagnosticsJSON(warnings)})
	if i.watch {
		return i.Run.PrintJSONLine(o)
	}
	return i.Run.PrintJSON(o)
}
