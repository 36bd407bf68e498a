package live

import (
	"errors"
	"fmt"
	"strings"
)

// readServer reads one entry of a section of servers.
func readServer(name string, v value, d dialect) (Server, error) {
	if v.kind != objectKind {
		return Server{}, errors.New("not an object")
	}
	h := &hidden{dialect: d}
	s := Server{Name: name, Enabled: true, hidden: seal(h)}
	command := v.member("command")
	start := v
	if command.kind == objectKind { // older Zed: {"command":{"path","args","env"}}
		start, command = command, command.member("path")
	}
	h.command, h.args = command.text, start.member("args").strings()
	if line := start.member("args"); line.kind == textKind && strings.TrimSpace(line.text) != "" { // Hermes
		words, err := SplitCommand(line.text)
		if err != nil {
			return Server{}, fmt.Errorf("args: %w", err)
		}
		h.args = words
	}
	h.dir = v.member("cwd").text
	h.url = firstText(v, "url", "serverUrl", "httpUrl")
	s.Command, s.URL = h.command, withoutSecrets(h.url)
	s.Args, _ = shownArgs(h.args)

	for _, m := range start.member("env").members {
		h.env = append(h.env, pair{name: m.name, value: m.value.text})
	}
	for _, n := range v.member("env_vars").strings() { // Codex: passed on by name
		h.env = append(h.env, pair{name: n, value: n, fromEnvironment: true})
	}
	for _, key := range []string{"headers", "http_headers"} {
		for _, m := range v.member(key).members {
			h.headers = append(h.headers, pair{name: m.name, value: m.value.text})
		}
	}
	for _, m := range v.member("env_http_headers").members { // Codex: header = name of a variable
		h.headers = append(h.headers, pair{name: m.name, value: m.value.text, fromEnvironment: true})
	}
	if n := v.member("bearer_token_env_var").text; n != "" {
		h.headers = append(h.headers, pair{name: "Authorization", value: n, fromEnvironment: true, prefix: "Bearer "})
	}
	for _, p := range h.env {
		s.Env = append(s.Env, p.name)
	}
	for _, p := range h.headers {
		s.Headers = append(s.Headers, p.name)
	}
	// The words of YAML 1.1 too, which the reference agent reads.
	if v.member("enabled").says("false", "no", "off", "0") || v.member("disabled").says("true", "yes", "on", "1") {
		s.Enabled = false
	}
	tools := v.member("tools") // Hermes; Codex has keys of its own
	s.Include = either(tools.member("include"), v.member("enabled_tools"))
	if either(tools.member("include")) == nil { // beside which Hermes does not read the other
		s.Exclude = either(tools.member("exclude"), v.member("disabled_tools"))
	}
	for _, key := range []string{"envFile", "headersHelper", "oauth", "auth", "connector", "sandbox"} {
		if v.member(key).kind != 0 {
			s.Unread = append(s.Unread, key)
		}
	}
	if err := s.settleTransport(firstText(v, "type", "transport")); err != nil {
		return Server{}, err
	}
	h.collectSecrets()
	return s, nil
}

// settleTransport sets the transport from what the entry calls it, or else
// from whether it has a command or an address.
func (s *Server) settleTransport(given string) error {
	switch given {
	case "stdio", "local":
		s.Transport = StdioTransport
	case "http", "streamable-http", "streamable_http", "streamableHttp", "remote":
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

// firstText returns the text of the first key that has one.
func firstText(v value, keys ...string) string {
	for _, k := range keys {
		if m := v.member(k); m.kind == textKind && m.text != "" {
			return m.text
		}
	}
	return ""
}

// either returns the strings of the first value that is there. An empty list
// is not nil: it allows nothing.
func either(values ...value) []string {
	for _, v := range values {
		switch v.kind {
		case listKind:
			return append([]string{}, v.strings()...)
		case textKind:
			return []string{v.text}
		}
	}
	return nil
}
