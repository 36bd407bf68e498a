package live

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// readServer reads one entry of a section of servers. What is wrong with it is
// its Problem.
func readServer(name string, v value, d dialect) Server {
	h := &hidden{dialect: d}
	s := Server{Name: name, Enabled: true, hidden: seal(h)}
	if err := s.read(v, h); err != nil {
		s.Problem, s.Transport = err.Error(), ""
	}
	return s
}

// read reads an entry.
//
// SECURITY: no error repeats a value.
func (s *Server) read(v value, h *hidden) error {
	if v.kind != objectKind {
		return errors.New("not an object")
	}
	command := v.member("command")
	start := v
	if command.kind == objectKind { // older Zed: {"command":{"path","args","env"}}
		start, command = command, command.member("path")
	}
	if command.kind == textKind {
		h.command = command.text
	}
	h.args = start.member("args").strings()
	if line := start.member("args"); line.kind == textKind && strings.TrimSpace(line.text) != "" { // Hermes
		words, err := SplitCommand(line.text)
		if err != nil {
			return fmt.Errorf("args: %w", err)
		}
		h.args = words
	}
	h.dir = v.member("cwd").text
	h.url = firstText(v, "url", "serverUrl", "httpUrl")
	s.Command, s.URL = withoutUserInfo(h.command), withoutSecrets(h.url)
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
	h.envFile = v.member("envFile").text
	for _, key := range []string{"headersHelper", "oauth", "auth", "connector", "sandbox"} {
		if v.member(key).kind != 0 {
			s.Unread = append(s.Unread, key)
		}
	}
	for _, key := range []struct {
		name string
		unit time.Duration
	}{{"startup_timeout_sec", time.Second}, {"startup_timeout_ms", time.Millisecond}, {"connect_timeout", time.Second}} { // Codex; Hermes
		m := v.member(key.name)
		switch d, ok := duration(m, key.unit); {
		case ok:
			s.Timeout = d
		case m.kind != 0 && m.kind != nullKind:
			s.Unread = append(s.Unread, key.name)
		}
	}
	h.collectSecrets()
	err := s.settleTransport(firstText(v, "type", "transport"))
	switch source := v.member("source").text; {
	case err == nil:
	case command.kind == listKind:
		return errors.New("its command is a list: want the command as a text, and the rest as args")
	case command.kind != 0 && command.kind != textKind:
		return errors.New("its command is not a text")
	case source == "extension" || v.member("settings").kind == objectKind: // Zed
		return errors.New("an extension of the client starts it: neither command nor url is given")
	}
	return err
}

// maxTimeout bounds a timeout of a configuration.
const maxTimeout = 24 * time.Hour

// duration returns a number of units.
func duration(v value, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(v.text, 64)
	if v.kind != textKind || err != nil || !(n > 0) || n > float64(maxTimeout/unit) {
		return 0, false
	}
	return time.Duration(n * float64(unit)), true
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
