package cli

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveTools is the program mcpserver of the scripts, an MCP server over
// standard input and output that does what its first argument says:
//
//	tools NAME...      has these tools, on pages of two
//	environment        has a tool for each variable of its environment
//	die, rubbish, mute fails in this way, and tells what it knows of secrets
//	gone               ends at once, and tells what it knows of secrets in its own words
//	deaf               hears nothing once it has answered initialize, and ends
//	odd                has four entries, of which two have a name, and that is the same
//	hold ADDRESS       never answers, has a child that nothing but a kill ends, and
//	                   both keep a connection to ADDRESS for as long as they live
//	hold ADDRESS apart the same with the child in a session of its own
//	grip ADDRESS       that child
//	touch FILE         makes FILE, to show that it was started
func serveTools() {
	mode, rest := os.Args[1], os.Args[2:]
	switch mode {
	case "tools":
		answerAsServer(rest)
	case "environment":
		var names []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		answerAsServer(names)
	case "gone":
		fmt.Fprintf(os.Stderr, "Error: no rights with %s\n    at x:1\n\n%s is bad\nNode.js v20.20.2\n",
			strings.ToUpper(os.Getenv("SECRET")), base64.StdEncoding.EncodeToString([]byte(os.Getenv("SECRET"))))
		os.Exit(1)
	case "touch":
		_ = os.WriteFile(rest[0], nil, 0o600)
		answerAsServer([]string{"touched"})
	case "hold", "grip":
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		c, err := net.Dial("tcp", rest[0])
		if err != nil {
			os.Exit(9)
		}
		fmt.Fprintln(c, mode)
		if mode == "hold" {
			child := exec.Command(os.Args[0], "grip", rest[0])
			if len(rest) > 1 {
				leaveSession(child)
			}
			if child.Start() != nil {
				os.Exit(9)
			}
		}
		_, _ = io.Copy(io.Discard, c) // until the test lets go
		os.Exit(7)
	default:
		misbehave(mode, strings.Join(append(rest, os.Getenv("SECRET"), os.Getenv("HTTP_PROXY")), " "))
	}
}

// leaveSession makes a command begin a session of its own, where there are
// sessions.
var leaveSession = func(*exec.Cmd) {}

// answerAsServer answers with tools of these names.
func answerAsServer(names []string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "own", Title: "Our own", Version: "1.2.3"},
		&mcp.ServerOptions{Instructions: "Ask politely, and only once.", PageSize: 2})
	for _, name := range names {
		addTool(s, name)
	}
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// callable and asks are the tools that tests call. The second asks the client's user.
const (
	callable = "moor"
	asks     = "ask"
)

// addTool adds a tool that has everything a dump keeps.
func addTool(s *mcp.Server, name string) {
	s.AddTool(&mcp.Tool{
		Name: name, Title: "T", Description: "does " + name,
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if name == asks {
			return ask(ctx, r.Session), nil
		}
		if name != callable {
			panic("called")
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "called with " + string(r.Params.Arguments)}}, StructuredContent: map[string]any{}}, nil
	})
}

// ask asks the client's user and returns what is heard, or why nothing is.
func ask(ctx context.Context, client *mcp.ServerSession) *mcp.CallToolResult {
	text := ""
	answer, err := client.Elicit(ctx, &mcp.ElicitParams{Message: "which berth?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"berth":{"type":"string"}}}`)})
	if err != nil {
		text = err.Error()
	} else {
		text = fmt.Sprint(answer.Content["berth"])
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: map[string]any{}}
}

// misbehave answers initialize and then fails.
func misbehave(mode, secrets string) {
	if mode == "rubbish" {
		fmt.Println("listening \x1b[31mwith " + secrets)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			os.Exit(8)
		}
		switch {
		case mode == "mute":
		case mode == "deaf":
			os.Stdin.Close()
			fmt.Fprintln(os.Stderr, "error: no key")
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", m.ID)
			os.Exit(4)
		case mode == "odd" && m.Method == "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a"},{"name":""},{"description":"d"},{"name":"a"}]}}`+"\n", m.ID)
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", m.ID)
		case m.Method == "tools/list":
			fmt.Fprintln(os.Stderr, "\x1b[2Jno rights with "+secrets)
			os.Exit(3)
		}
	}
}
