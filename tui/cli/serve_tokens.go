package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/tui/atomicfile"
)

// tokens returns the token of each session: those of --token-file, and new ones for
// sessions that it does not have, which are added to it.
//
// SECURITY: only the user may read the file; one that others may read is refused.
func (s *server) tokens(sessions []string) (map[string]string, error) {
	bearers := map[string]string{}
	var old []byte
	if s.tokenFile != "" {
		info, err := os.Stat(s.tokenFile)
		if err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			return nil, fmt.Errorf("--token-file: others may read %s: chmod 600 it", safetext.Line(s.tokenFile))
		}
		if old, err = os.ReadFile(s.tokenFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		for line := range strings.Lines(string(old)) {
			if token, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				bearers[name] = token
			}
		}
	}
	added := false
	for _, name := range sessions {
		if bearers[name] == "" {
			bearers[name], added = serve.NewToken(), true
		}
	}
	if s.tokenFile == "" || !added {
		return bearers, nil
	}
	var text bytes.Buffer
	for _, name := range sessions {
		fmt.Fprintf(&text, "%s %s\n", bearers[name], name)
	}
	var err error
	if old == nil {
		err = writeNew(s.tokenFile, text.Bytes())
	} else {
		err = atomicfile.Replace(s.tokenFile, old, text.Bytes())
	}
	if err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	return bearers, nil
}

// writeNew makes a file for the user alone.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
