package connect

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/serving"
	"caliper/tui/workbench"
)

// flushing writes each message to standard output at once.
type flushing struct{ run *runner.Run }

// Write implements io.Writer.
func (w flushing) Write(p []byte) (int, error) {
	n, err := w.run.Out.Write(p)
	return n, errors.Join(err, w.run.Out.Flush())
}

// Close implements io.Closer.
func (w flushing) Close() error { return w.run.Out.Flush() }

// listen opens the address, which flag names.
func (s *Server) listen(ctx context.Context, flag string) (net.Listener, error) {
	address, _, err := listenAddress(s.address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return listener, nil
}

// web answers requests until ctx ends.
func (s *Server) web(ctx context.Context, h *serving.Hub, listener net.Listener, bearers map[string]string) error {
	_, local, _ := listenAddress(s.address) // which was read before
	web := &http.Server{Handler: h.Handler(bearers, !local), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if web.Shutdown(closing) != nil {
		_ = web.Close() // streams that stay open
	}
	return nil
}

// listenAddress returns where to listen for an ADDRESS, and whether only this machine
// reaches it. Without a host it is this machine's loopback.
func listenAddress(s string) (address string, local bool, err error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", false, errors.New("want HOST:PORT, such as 127.0.0.1:7337")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", false, errors.New("want a port from 0 to 65535")
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	return net.JoinHostPort(host, port), ip != nil && ip.IsLoopback(), nil
}

// announce prints where each session is served, with its token unless a file has them.
func (s *Server) announce(base string, sessions []string, bearers map[string]string) error {
	r := s.Run
	token := func(name string) any {
		if s.TokenFile != "" {
			return nil
		}
		return bearers[name]
	}
	if r.Flags.JSON {
		err := r.PrintJSON(runner.Object{{"address", base}, {"sessions", runner.Array(sessions, func(name string) runner.Object {
			return runner.Object{{"name", name}, {"url", base + serve.PathOf(name)}, {"token", token(name)}}
		})}})
		return errors.Join(err, r.Out.Flush())
	}
	for _, name := range sessions {
		line := "session " + safetext.Line(name) + "  " + base + serve.PathOf(name)
		if t := token(name); t != nil {
			line += "  Authorization: Bearer " + bearers[name]
		}
		r.Say(line)
	}
	if s.TokenFile != "" {
		r.Say("the tokens are in " + s.TokenFile)
	}
	if !s.execute {
		r.Say("nothing is executed; --execute runs what passes every gate")
	}
	return r.Out.Flush()
}

// sender returns what sends events to the collector of --otlp; nil without the flag.
func (s *Server) sender() (*serving.SpanSender, error) {
	if s.otlp == "" {
		return nil, nil
	}
	r := s.Run
	o := serving.SpanOptions{URL: s.otlp, Version: runner.Version(), Fault: func(err error) { s.Tell("caliper: spans are lost: " + err.Error()) }}
	if r.Env.Lookup != nil {
		o.Headers, _ = r.Env.Lookup("OTEL_EXPORTER_OTLP_HEADERS")
	}
	return serving.NewSender(o)
}

// sendingLast is how long the end of serve may take for spans that are not sent yet.
const sendingLast = 2 * time.Second

// endSpans sends the waiting spans and says how many were lost. A nil sender has nothing.
func (s *Server) endSpans(sender *serving.SpanSender) {
	if sender == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendingLast)
	defer cancel()
	sender.Stop(ctx)
	if lost, added := sender.Lost(); lost > 0 {
		s.Run.Complain("caliper: " + words.Thousands(int(lost)) + " of " + words.CountThousands(int(added), "span") + " were lost")
	}
}

// Tokens returns the token of each session: those of --token-file, and new ones for
// sessions that it does not have, which are added to it.
//
// SECURITY: only the user may read the file; one that others may read is refused, and so
// is a token that could be guessed.
func (s *Server) Tokens(sessions []string) (map[string]string, error) {
	bearers := map[string]string{}
	complete := func(file []byte) ([]byte, error) {
		clear(bearers)
		number := 0
		for line := range strings.Lines(string(file)) {
			number++
			line = strings.TrimSpace(line)
			token, name, ok := strings.Cut(line, " ")
			switch {
			case line == "":
			case !ok: // SECURITY: the line may be a token, and is not printed
				return nil, fmt.Errorf("line %d: not a token, a blank and a session", number)
			default:
				bearers[name] = token
			}
		}
		for _, name := range sessions {
			if token := bearers[name]; token != "" && len(token) < serve.ShortestToken {
				return nil, fmt.Errorf("the token of session %s has fewer than %d characters; without its line a new one is made", safetext.Line(name), serve.ShortestToken)
			} else if token != "" {
				continue
			}
			bearers[name] = serve.NewToken()
			if n := len(file); n > 0 && file[n-1] != '\n' {
				file = append(file, '\n')
			}
			file = fmt.Appendf(file, "%s %s\n", bearers[name], name)
		}
		return file, nil
	}
	if s.TokenFile == "" {
		_, err := complete(nil)
		return bearers, err
	}
	info, err := os.Stat(s.TokenFile)
	if err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		return nil, fmt.Errorf("--token-file: others may read %s: chmod 600 it", safetext.Line(s.TokenFile))
	}
	if _, _, err = workbench.RewriteFile(s.TokenFile, 0o600, complete); err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	return bearers, nil
}
