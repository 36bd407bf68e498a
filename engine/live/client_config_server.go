package live

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/model/clientfile"
)

// dialects are what clients replace in their configurations, where it is not braces.
var dialects = map[string]dialect{
	"claude-code": keptBraces, "qwen": keptWords, "copilot": keptDefaults, "gemini": emptiedDefaults,
	"claude-desktop": literal, "zed": literal, "open-webui": literal, "codex": literal, "opencode": references, "crush": shellWords, "litellm": literal, clientfile.RegistryClient: literal,
}

// readServer reads an entry at some keys of a client's file. A fault of it is its Problem.
func readServer(name, at string, v clientfile.Value, client string) Server {
	h := &hidden{dialect: braces}
	if d, ok := dialects[client]; ok {
		h.dialect = d
	}
	s := Server{Name: name, At: at, Enabled: true, hidden: seal(h)}
	if client == "goose" && v.Member("config").Kind == clientfile.Object { // as older versions wrote it
		if s.Enabled = !v.Member("enabled").Says("false"); !s.Enabled {
			s.OffBy.Key = at + ".enabled"
		}
		v = v.Member("config")
	}
	s.Switch = client == "opencode" && v.Switches() || client == "pi" && v.Overrides()
	if err := s.read(v, h, client); s.Switch {
		s.Problem, s.Transport = "only switched here: its entry is in another file of the client", ""
	} else if err != nil {
		s.Problem, s.Transport = err.Error(), ""
	}
	return s
}

// read reads an entry.
//
// SECURITY: no error repeats a value.
func (s *Server) read(v clientfile.Value, h *hidden, client string) error {
	if v.Kind != clientfile.Object {
		return errors.New("not an object")
	}
	if problem := v.Member("problem").Text; client == clientfile.RegistryClient && problem != "" {
		return errors.New(problem)
	}
	command := v.Member("command")
	start := v
	if command.Kind == clientfile.Object { // older Zed: {"command":{"path","args","env"}}
		start, command = command, command.Member("path")
	}
	if client == "goose" {
		command = v.Member("cmd")
	}
	if command.Kind == clientfile.Text {
		h.command = command.Text
	}
	h.args = start.Member("args").Strings()
	if line := start.Member("args"); line.Kind == clientfile.Text && strings.TrimSpace(line.Text) != "" { // Hermes
		words, err := SplitCommand(line.Text)
		if err != nil {
			return fmt.Errorf("args: %w", err)
		}
		h.args = words
	}
	if words := command.Strings(); client == "opencode" && len(words) > 0 {
		h.command, h.args, command = words[0], words[1:], clientfile.Value{}
	}
	h.dir = firstText(v, "cwd", "working_dir") // mcpproxy
	h.url = firstText(v, "httpUrl", "url", "serverUrl", "uri")
	s.Command, s.URL = withoutUserInfo(h.command), withoutSecrets(h.url)
	s.Args, _ = shownArgs(h.args)
	s.readSent(v, start, h, client)
	s.readSwitches(v, client)
	switch m := v.Member("alwaysLoad"); {
	case m.Kind == 0, m.Kind == clientfile.Null:
	case client != "" && client != "claude-code":
		s.Foreign = append(s.Foreign, "alwaysLoad")
	case m.Kind == clientfile.Bool:
		s.Always, s.AlwaysBy.Key = m.Text == "true", s.At+".alwaysLoad"
	default:
		s.Unread = append(s.Unread, "alwaysLoad")
	}
	if v.Member("defer_loading").Kind != 0 { // of Anthropic's API
		s.Foreign = append(s.Foreign, "defer_loading")
	}
	for _, sent := range [][3]string{{"copilot", "deferTools", "never"}, {"pi", "exposure", "direct"}} {
		if client == sent[0] && v.Member(sent[1]).Says(sent[2]) {
			s.Always, s.AlwaysBy.Key = true, s.At+"."+sent[1]
		}
	}
	s.readFilters(v, client)
	h.envFile = v.Member("envFile").Text
	for _, key := range []string{"headersHelper", "http_headers_helper", "oauth", "auth", "authProviderType", "connector", "sandbox", "extra_headers", "spec_path"} {
		if v.Member(key).Kind != 0 {
			s.Unread = append(s.Unread, key)
		}
	}
	for i, key := range []string{"startup_timeout_sec", "startup_timeout_ms", "connect_timeout"} { // Codex; Hermes
		m := v.Member(key)
		switch d, ok := duration(m, [...]time.Duration{time.Second, time.Millisecond, time.Second}[i]); {
		case ok:
			s.Timeout = d
		case m.Kind != 0 && m.Kind != clientfile.Null:
			s.Unread = append(s.Unread, key)
		}
	}
	for name, unit := range map[string]time.Duration{"hermes": time.Second, "crush": time.Second, "goose": time.Second, "opencode": time.Millisecond} {
		// Hermes and Goose mean a call by it. Other clients differ in the unit.
		if t, ok := duration(v.Member("timeout"), unit); ok && s.Timeout == 0 && client == name {
			s.Timeout = t
		}
	}
	h.collectSecrets()
	return s.readTransport(v, command, h.command, client)
}

// readSent reads the environment that a server is started with, which stands beside its
// command in start, and the headers that it is sent.
func (s *Server) readSent(v, start clientfile.Value, h *hidden, client string) {
	for _, key := range []string{"env", "environment", "envs"} { // OpenCode; Goose
		for _, m := range start.Member(key).Members {
			h.env = append(h.env, given(m, client))
		}
	}
	for _, key := range []string{"env_vars", "env_keys"} { // Codex, Goose: passed on by name
		for _, item := range v.Member(key).Items {
			name, unread := item.Text, key
			if item.Kind == clientfile.Object { // Codex: {name, source}
				name = item.Member("name").Text
				if source := item.Member("source"); source.Kind != 0 && source.Text != "local" { // of another machine
					name, unread = "", key+"."+name
				}
			}
			if name == "" {
				s.Unread = append(s.Unread, unread)
				continue
			}
			h.env = append(h.env, pair{name: name, value: name, fromEnvironment: true, optional: client == "codex"})
		}
	}
	for _, headers := range []clientfile.Value{v.Member("headers"), v.Member("http_headers"), v.Member("requestOptions", "headers"), v.Member("static_headers")} { // Codex; Continue; LiteLLM
		for _, m := range headers.Members {
			h.headers = append(h.headers, given(m, client))
		}
	}
	switch client {
	case "litellm":
		s.readAuth(v, h)
	case "open-webui":
		switch key := v.Member("key").Text; v.Member("auth_type").Text {
		case "", "none":
		case "bearer":
			if key != "" {
				h.headers = append(h.headers, pair{name: "Authorization", value: "Bearer " + key})
			}
		default:
			s.Unread = append(s.Unread, "auth_type")
		}
	}
	for _, m := range v.Member("env_http_headers").Members { // Codex: header = name of a variable
		h.headers = append(h.headers, pair{name: m.Name, value: m.Value.Text, fromEnvironment: true})
	}
	if n := v.Member("bearer_token_env_var").Text; n != "" {
		h.headers = append(h.headers, pair{name: "Authorization", value: n, fromEnvironment: true, prefix: "Bearer "})
	}
	for _, p := range h.env {
		s.Env = append(s.Env, p.name)
	}
	for _, p := range h.headers {
		s.Headers = append(s.Headers, p.name)
	}
}

// readTransport reads how a server is reached. The error tells why a server without a
// command and an address cannot be asked.
func (s *Server) readTransport(v, command clientfile.Value, started, client string) error {
	transport := firstText(v, "type", "transport", "protocol", "transportType") // of mcpproxy, of mcp-proxy
	if plain := v.Member("url").Kind != 0 && v.Member("httpUrl").Kind == 0; transport == "" && started == "" && plain && (client == "gemini" || client == "litellm") {
		transport = "sse" // what these two mean by an address alone
	}
	err := s.settleTransport(transport)
	notText := func(v clientfile.Value) bool { return v.Kind != clientfile.Text || v.Number }
	for _, key := range []string{"tools", "excludeTools", "args", "env"} { // as seen with 1.0.102, which says nothing
		m := v.Member(key)
		kind, odd := clientfile.List, slices.ContainsFunc(m.Items, notText)
		if key == "env" {
			kind, odd = clientfile.Object, slices.ContainsFunc(m.Members, func(m clientfile.Member) bool { return notText(m.Value) })
		}
		if client == "copilot" && m.Kind != 0 && (m.Kind != kind || odd) {
			return fmt.Errorf("its setting %s is of another kind than its client takes, which leaves the server out", key)
		}
	}
	switch source := v.Member("source").Text; {
	case client == "open-webui" && v.Member("type").Text != "mcp":
		return errors.New("it is an API, no MCP server: import its description, such as openapi.json")
	case client == "goose" && slices.Contains([]string{"builtin", "platform", "frontend", "inline_python"}, transport):
		return fmt.Errorf("it is built into the client (%s), which no other program can ask", transport)
	case err == nil:
	case command.Kind == clientfile.List:
		return errors.New("its command is a list: want the command as a text, and the rest as args")
	case command.Kind != 0 && command.Kind != clientfile.Text:
		return errors.New("its command is not a text")
	case client == "continue" && v.Member("uses").Kind == clientfile.Text:
		return errors.New("it is a block of the client's hub, which is not in the file: import its server with --stdio or --http")
	case source == "extension" || v.Member("settings").Kind == clientfile.Object: // Zed
		return errors.New("an extension of the client starts it: neither command nor url is given")
	}
	return err
}

// readSwitches reads whether the client has the server, by the words of YAML 1.1 too. A
// quarantined server of mcpproxy gives its tools to no agent.
func (s *Server) readSwitches(v clientfile.Value, client string) {
	for _, key := range []string{"enabled", "disabled"} {
		switch m := v.Member(key); {
		case key == "enabled" && !m.Says("false", "no", "off", "0"), key == "disabled" && !m.Says("true", "yes", "on", "1"):
		case slices.Contains(unswitched[key], client):
			s.Foreign = append(s.Foreign, key)
		default:
			s.Enabled, s.OffBy.Key = false, s.At+"."+key
		}
	}
	for _, off := range [][4]string{{"mcpproxy", "quarantined", "true", "quarantined"}, {"open-webui", "config.enable", "false"}, {"pi", "exposure", "hidden", "hidden"},
		{"", "active", "false"},          // Jan: DEFAULT_MCP_CONFIG in src-tauri/src/core/mcp/constants.rs
		{"", "isActive", "false"},        // Cherry Studio: EditMcpJsonPopup.tsx
		{"", "options.disabled", "true"}, // mcp-proxy of tbxark: OptionsV2 in config.go
		{"", "status", "inactive"}} {     // MetaMCP: McpServerStatusEnum in packages/zod-types/src/mcp-servers.zod.ts
		if client == off[0] && v.Member(strings.Split(off[1], ".")...).Says(off[2]) {
			s.Enabled, s.Off, s.OffBy.Key = false, off[3], s.At+"."+off[1]
		}
	}
}

// given returns a variable or a header. LiteLLM writes os.environ/NAME for an environment
// variable.
func given(m clientfile.Member, client string) pair {
	p := pair{name: m.Name, value: m.Value.Text}
	if name, ok := strings.CutPrefix(p.value, "os.environ/"); ok && client == "litellm" {
		p.value, p.fromEnvironment = name, true
	}
	return p
}

// readAuth reads how LiteLLM signs in. What it cannot do is in Unread.
func (s *Server) readAuth(v clientfile.Value, h *hidden) {
	kind := v.Member("auth_type").Text
	value := v.Member("auth_value")
	if value.Kind == 0 {
		value = v.Member("authentication_token")
	}
	header, ok := map[string][2]string{"bearer_token": {"Authorization", "Bearer "}, "basic": {"Authorization", "Basic "},
		"authorization": {"Authorization", ""}, "api_key": {"X-API-Key", ""}}[kind]
	switch {
	case kind == "" || kind == "none":
	case !ok || value.Text == "":
		s.Unread = append(s.Unread, "auth_type")
	default:
		p := given(clientfile.Member{Name: header[0], Value: value}, "litellm")
		if p.prefix = header[1]; !p.fromEnvironment {
			p.value, p.prefix = p.prefix+p.value, ""
		}
		h.headers = append(h.headers, p)
	}
}

// maxTimeout bounds a timeout of a configuration.
const maxTimeout = 24 * time.Hour

// duration returns a number of units.
func duration(v clientfile.Value, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(v.Text, 64)
	if v.Kind != clientfile.Text || err != nil || !(n > 0) || n > float64(maxTimeout/unit) {
		return 0, false
	}
	return time.Duration(n * float64(unit)), true
}

// settleTransport sets the transport by its name, or else by a command or an address.
func (s *Server) settleTransport(given string) error {
	switch strings.ToLower(given) { // MetaMCP has it in capitals
	case "stdio", "local":
		s.Transport = StdioTransport
	case "http", "streamable-http", "streamable_http", "streamablehttp", "remote":
		s.Transport = HTTPTransport
	case "sse":
		s.Transport = SSETransport
	default: // absent, or the name of something newer
		s.Transport = HTTPTransport
		if s.hidden().command != "" {
			s.Transport = StdioTransport
		}
	}
	switch {
	case s.Transport == StdioTransport && s.hidden().command == "":
		if s.hidden().url == "" {
			return errors.New("has neither command nor url")
		}
		return errors.New("has no command")
	case s.Transport != StdioTransport && s.hidden().url == "":
		if s.hidden().command == "" {
			return errors.New("has neither command nor url")
		}
		return fmt.Errorf("transport %s without a url", s.Transport)
	}
	return nil
}

func firstText(v clientfile.Value, keys ...string) string {
	for _, k := range keys {
		if m := v.Member(k); m.Kind == clientfile.Text && m.Text != "" {
			return m.Text
		}
	}
	return ""
}
