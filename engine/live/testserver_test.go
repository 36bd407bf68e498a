package live

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model/require"
)

// The test binary is also the server: with modeVariable set it does what the
// mode says instead of running tests.
const (
	modeVariable   = "CALIPER_LIVE_MODE"
	tetherVariable = "CALIPER_LIVE_TETHER" // address to hold a connection to for as long as the process lives
	wireVariable   = "CALIPER_LIVE_WIRE"   // file that gets every line the server reads
	secretVariable = "CALIPER_LIVE_SECRET"
	listedVariable = "CALIPER_LIVE_LISTED" // mode of the server that a lister lists
	secretValue    = "hunter2-and-more"
)

func TestMain(m *testing.M) {
	if code, ok := Supervise(os.Args[1:], os.Environ()); ok {
		os.Exit(code)
	}
	mode := os.Getenv(modeVariable)
	if mode == "" {
		flag.Parse()
		_ = flag.Set("test.parallel", "16") // they wait for processes most of the time
		os.Exit(m.Run())
	}
	if address := os.Getenv(tetherVariable); address != "" {
		c, err := net.Dial("tcp", address)
		if err != nil {
			os.Exit(9)
		}
		fmt.Fprintln(c, mode)
		// It is closed by the kernel when the process is killed, and by the test
		// when that is over.
		go func() {
			_, _ = io.Copy(io.Discard, c)
			os.Exit(7)
		}()
	}
	os.Exit(serve(mode))
}

// serve is the test server.
func serve(mode string) int {
	var in io.Reader = os.Stdin
	if file := os.Getenv(wireVariable); file != "" {
		w, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return 9
		}
		in = io.TeeReader(in, w)
	}
	switch mode {
	case "hold": // a grandchild that nothing but a kill ends
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		os.NewFile(3, "ready").Write([]byte{1}) // tied to the tether: the parent may go on
		forever()
	case "lister": // keeps a session with a server, as import --watch does
		s := Stdio("x", os.Args[0]).WithEnv(modeVariable, os.Getenv(listedVariable)).WithEnv(tetherVariable, os.Getenv(tetherVariable))
		_ = Watch(context.Background(), s, Options{Supervise: true}, func(Listing) {})
		return 0
	case "sdk":
		if err := sdkServer(5).Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(in), Writer: os.Stdout}); err != nil {
			return 1
		}
		return 0
	case "stateless", "stateless-revision", "stateless-meta", "no-method":
		for lines := bufio.NewScanner(in); lines.Scan(); {
			code := map[string]int{"stateless": -32601, "stateless-revision": -32022, "stateless-meta": -32602}[mode]
			id, _, answer := statelessAnswer(lines.Text(), code)
			if mode == "no-method" {
				answer = `"error":{"code":-32601,"message":"no"}`
			}
			if id != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", id, answer)
			}
		}
		return 0
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "rubbish":
		fmt.Println("\x1b[31mServer is running\x1b[0m on port 3000 with " + os.Getenv(secretVariable))
	case "parent", "parent-inherits", "parent-escapes", "orphans", "escaped-parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), modeVariable+"="+map[bool]string{true: "escaped-parent", false: "hold"}[mode == "orphans"])
		if mode == "parent-escapes" || mode == "orphans" || mode == "escaped-parent" {
			escape(child)
		}
		if mode != "parent" {
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
		}
		read, write, err := os.Pipe()
		if err != nil {
			return 9
		}
		child.ExtraFiles = []*os.File{write}
		if child.Start() != nil {
			return 9
		}
		if _, err := read.Read(make([]byte, 1)); err != nil {
			return 9
		}
		if mode == "escaped-parent" { // its child becomes an orphan in a session of its own
			os.NewFile(3, "ready").Write([]byte{1})
			return 0
		}
	}
	return answerLines(mode, in)
}

// forever never returns. It reads from a pipe, as a select without cases would
// be taken for a deadlock.
func forever() {
	read, _, err := os.Pipe()
	if err == nil {
		_, _ = read.Read(make([]byte, 1))
	}
}

// sdkServer returns a server of n tools on pages of two, built with the SDK.
func sdkServer(n int) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "own", Title: "Our own", Version: "1.2.3"},
		&mcp.ServerOptions{Instructions: "Ask politely.", PageSize: 2})
	for i := range n {
		addTool(s, fmt.Sprintf("tool_%d", i))
	}
	return s
}

func addTool(s *mcp.Server, name string) {
	s.AddTool(&mcp.Tool{Name: name, Description: "does " + name, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("called") })
}

// oddTool is a tool that no decoder and encoder gives back as it is.
const oddTool = `{ "name":"odd",  "inputSchema":{"type":"object","properties":{"z":{"maximum":9007199254740993},"a":{"default":-0.0,"minimum":1e308}}},"description":"a\u003cb \ud83d\ude00","annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"} }`

// oddResult is a result that no decoder and encoder gives back as it is.
const oddResult = `{ "content":[{"text":"a\u003cb","type":"text","n":9007199254740993}],  "isError":false,"x":{"z":1,"a":2} }`

// answerLines reads requests and answers them as the mode says.
func answerLines(mode string, in io.Reader) int {
	lists := 0
	var reporter func(string) // answers the call that has reported its progress
	var asker func(string)    // answers the call that has asked the client
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Cursor, Name string
				Meta         struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return 8
		}
		id := string(m.ID)
		answer := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result) }
		if mode == "refuses" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad \u001b[2J %s"}}`+"\n", m.ID, os.Getenv(secretVariable))
			continue
		}
		switch m.Method {
		case "initialize":
			version, capabilities := "2025-06-18", `{"tools":{"listChanged":true}}`
			switch mode {
			case "silent":
				continue
			case "other":
				fmt.Println("\n \n" + `{"some":"thing","secret":"` + os.Getenv(secretVariable) + `"}`)
			case "protocol":
				version = "1999-01-01"
			case "none", "none-fails":
				capabilities = "{}"
			case "repeats-environment":
				proxy := os.Getenv("HTTP_PROXY")
				_, short, _ := strings.Cut(proxy, "://")
				fmt.Fprintln(os.Stderr, "error: no way through "+proxy+", that is "+short+"\nerror: postgres://me:their-own@db/x is refused for "+"sesame-pass")
				os.Stderr.Close()
				return 3
			case "shut": // nothing more can be written to it once this is read
				os.Stdin.Close()
				fmt.Fprintln(os.Stderr, "error: no key")
				os.Stderr.Close()
				answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"0"}}`)
				return 4
			case "list":
				answer("[]")
				continue
			case "null":
				answer("null")
				continue
			case "badinfo":
				answer(`{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":"x"}`)
				continue
			case "asks":
				fmt.Println(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
				fmt.Println(`{"jsonrpc":"2.0","id":"r","method":"roots/list"}`)
				fmt.Println(`{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
				fmt.Println(`{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"key?","requestedSchema":{"type":"object","properties":{}}}}`)
			}
			answer(`{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"serverInfo":{"name":"raw","version":"0"},"instructions":"Mind <this>."}`)
		case "tools/list":
			lists++
			switch mode {
			case "half":
				fmt.Fprintln(os.Stderr, "first\n\x1b[1mfatal\x1b[0m: no rights for "+os.Getenv(secretVariable))
				os.Stderr.Close() // where a binary that measures its coverage has a last word
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"resu`, m.ID)
				return 3
			case "mute":
				continue
			case "text":
				answer(`{"tools":"none"}`)
			case "nothing":
				answer("[]")
			case "cursor":
				answer(`{"tools":[],"nextCursor":7}`)
			case "slow":
				time.Sleep(300 * time.Millisecond)
				answer(`{"tools":[]}`)
			case "none", "none-fails", "missing":
				code := map[string]int{"none-fails": -32603}[mode]
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no such method"}}`+"\n", m.ID, cmp.Or(code, -32601))
			case "big":
				answer(`{"tools":[{"name":"big","description":"` + strings.Repeat("x", 10<<20) + `"}]}`)
			case "huge-cursor":
				answer(`{"tools":[{"name":"t"}],"nextCursor":"` + strings.Repeat("x", 60<<20) + `"}`)
			case "deep":
				answer(`{"tools":[{"name":"t","inputSchema":` + strings.Repeat(`{"a":`, 9000) + `1` + strings.Repeat(`}`, 9000) + `}]}`)
			case "deep-result":
				answer(`{"tools":[],"_meta":` + strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000) + `}`)
			case "loop":
				answer(`{"tools":[{"name":"t"}],"nextCursor":"again"}`)
			case "endless":
				answer(fmt.Sprintf(`{"tools":[{"name":"t"},{"name":"u"}],"nextCursor":"%d"}`, lists))
			case "changes":
				answer(fmt.Sprintf(`{"tools":[{"name":"t%d"}]}`, min(lists, 2)))
				for range 3 {
					fmt.Println(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
				}
			default:
				answer(`{"tools":[` + oddTool + `, {"name":"b.c"}]}`)
			}
		case "tools/call":
			if method, ok := strings.CutPrefix(m.Params.Name, "ask "); ok {
				asker = answer
				fmt.Printf(`{"jsonrpc":"2.0","id":"q","method":%q,"params":{"message":"which branch?","messages":[],"maxTokens":1,"requestedSchema":{"type":"object","properties":{}}}}`+"\n", method)
				continue
			}
			switch m.Params.Name {
			case "hang":
			case "die":
				return 3
			case "lie":
				fmt.Println(`{"jsonrpc":"2.0","id":77777,"result":{"content":[]}}`)
				fmt.Println("Listening on port 3000")
				fmt.Println(`{"level":"info"}`)
				answer(oddResult)
			case "babble":
				for range mostStray + 1 {
					fmt.Println("Listening on port 3000")
				}
			case "refuse":
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such boat %s"}}`+"\n", m.ID, os.Getenv(secretVariable))
			case "report":
				fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"total":2,"message":"half"}}`+"\n", m.Params.Meta.ProgressToken)
				reporter = answer
			case "release":
				reporter(oddResult)
				answer(oddResult)
			default:
				answer(oddResult)
			}
		case "":
			if id == `"q"` { // what it asked is answered
				text, _ := json.Marshal(lines.Text())
				asker(`{"content":[{"type":"text","text":` + string(text) + `}]}`)
			}
		case "notifications/cancelled":
			fmt.Fprintln(os.Stderr, "error: cancelled")
		}
	}
	if mode == "stubborn" {
		forever()
	}
	return 0
}

// tether waits for processes that hold a connection to it.
type tether struct {
	t        *testing.T
	listener net.Listener
	begun    chan string // the mode of each process that has dialled
	ended    chan string // the mode of each process that has ended
}

// newTether returns a tether for the processes of a test.
func newTether(t *testing.T) *tether {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	w := &tether{t, l, make(chan string, 16), make(chan string, 16)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			go func() {
				lines := bufio.NewReader(c)
				mode, _ := lines.ReadString('\n')
				w.begun <- strings.TrimSpace(mode)
				_, _ = io.Copy(io.Discard, lines) // until the process is gone
				w.ended <- strings.TrimSpace(mode)
			}()
		}
	}()
	return w
}

// gone waits until n processes have ended.
func (w *tether) gone(n int) {
	w.t.Helper()
	w.wait(w.ended, n, "a process was left behind")
}

// here waits until n processes have dialled.
func (w *tether) here(n int) {
	w.t.Helper()
	w.wait(w.begun, n, "a process has not started")
}

func (w *tether) wait(modes <-chan string, n int, otherwise string) {
	w.t.Helper()
	for range n {
		select {
		case <-modes:
		case <-time.After(30 * time.Second):
			w.t.Fatal(otherwise)
		}
	}
}

// child returns a server of a mode, tied to w.
func (w *tether) child(mode string, env ...pair) Server {
	s := Stdio(mode, os.Args[0])
	s.hidden().env = append([]pair{{name: modeVariable, value: mode}, {name: tetherVariable, value: w.listener.Addr().String()},
		{name: secretVariable, value: secretValue}}, env...)
	s.hidden().secrets = []string{secretValue}
	return s
}
