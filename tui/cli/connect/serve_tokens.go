package connect

import (
	"fmt"
	"os"
	"strings"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

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
