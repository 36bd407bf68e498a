package live

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"caliper/model/words"
)

// passedOn are the variables that a started server gets besides its configuration's: what a
// command needs to run, certificates and proxies. It does not get the others, such as keys.
var passedOn = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
	"NPM_CONFIG_REGISTRY", "npm_config_registry", "NPM_CONFIG_CACHE", "npm_config_cache", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig",
	"UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_CACHE_DIR", "PIP_INDEX_URL", "PIP_CONFIG_FILE",
	"NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "DENO_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "TEMP", "TMP", "USERPROFILE", "USERNAME",
	"HOMEDRIVE", "HOMEPATH", "PROCESSOR_ARCHITECTURE",
}

// Inherited returns the environment of a started server, as NAME=value.
func Inherited(lookup func(name string) (value string, ok bool)) []string {
	var env []string
	for _, name := range passedOn {
		if value, ok := lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// inputPrefix begins the variables that stand for what a client would ask its user.
const inputPrefix = "CALIPER_INPUT_"

// editorFolders hold the configuration of an editor for the folder above them.
var editorFolders = []string{".cursor", ".vscode"}

// ExpandIn is Expand by the rules of the client that has the file. lookup's variables also stand
// for what the client would ask its user; a *MissingError of such a thing says what to set.
func (s Server) ExpandIn(file string, lookup func(name string) (value string, ok bool)) (Server, error) {
	expanded, err := s.Expand(func(name string) (string, bool) {
		if id, ok := strings.CutPrefix(name, "input:"); ok {
			return lookup(inputVariable(id))
		}
		if value, ok := lookup(name); ok {
			return value, true
		}
		switch name { // Cursor's and VS Code's
		case "userHome":
			if home, ok := lookup("HOME"); ok {
				return home, true
			}
			return lookup("USERPROFILE")
		case "workspaceFolder", "workspaceFolderBasename":
			folder, err := workspace(file)
			if err == nil && name != "workspaceFolder" {
				folder = filepath.Base(folder)
			}
			return folder, err == nil
		}
		return "", false
	})
	var missing *MissingError
	if errors.As(err, &missing) {
		if id, ok := strings.CutPrefix(missing.Variable, "input:"); ok {
			return expanded, fmt.Errorf("%w; set %s", err, inputVariable(id))
		}
	}
	return expanded, err
}

// EnvFileIn returns the path of the EnvFile of a server that a configuration file has.
func (s Server) EnvFileIn(file string) (string, error) {
	if filepath.IsAbs(s.EnvFile()) {
		return s.EnvFile(), nil
	}
	folder, err := workspace(file)
	return filepath.Join(folder, s.EnvFile()), err
}

// workspace returns the folder that an editor has open when it reads file.
func workspace(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(path)
	if slices.Contains(editorFolders, filepath.Base(folder)) {
		folder = filepath.Dir(folder)
	}
	return folder, nil
}

// inputVariable returns the variable for what a client asks its user under an id.
func inputVariable(id string) string {
	return inputPrefix + strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(id))
}

// runners are commands that start what their first argument names.
var runners = []string{"npx", "pnpx", "bunx", "uvx", "pipx", "node", "deno", "bun", "python", "python3", "uv", "env"}

// CommandName returns a name for a server that has none, of its command.
func CommandName(words []string) string {
	base := func(word string) string { return word[strings.LastIndexAny(word, `/\`)+1:] }
	name := base(words[0])
	if slices.Contains(runners, strings.TrimSuffix(name, ".exe")) {
		for _, w := range words[1:] {
			if w != "run" && !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				name = base(w)
				break
			}
		}
	}
	name, _, _ = strings.Cut(name, "@")
	for _, ending := range []string{".exe", ".py", ".js", ".mjs", ".ts"} {
		name = strings.TrimSuffix(name, ending)
	}
	for _, beginning := range []string{"mcp-server-", "server-"} {
		name = strings.TrimPrefix(name, beginning)
	}
	return cmp.Or(name, "server")
}

// envName is the name of an environment variable.
var envName = words.LazyRegexp(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// ParseEnvFile reads lines NAME=value, with or without export before them. A
// value may be in quotes: in double ones \n, \r, \t, \" and \\ are characters, in
// single ones nothing is special. Elsewhere a # after white space begins a
// comment.
//
// SECURITY: no error repeats a line.
func ParseEnvFile(name string, data []byte) ([]string, error) {
	var variables []string
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\uFEFF"))) {
		n++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		variable, value, ok := strings.Cut(strings.TrimPrefix(text, "export "), "=")
		if variable = strings.TrimSpace(variable); !ok || !envName().MatchString(variable) {
			return nil, fmt.Errorf("%s:%d: want NAME=value", name, n)
		}
		variables = append(variables, variable+"="+envValue(strings.TrimSpace(value)))
	}
	return variables, nil
}

// envEscapes are the characters that stand behind a backslash in double quotes.
var envEscapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// envValue returns what a value means.
func envValue(text string) string {
	if text == "" {
		return ""
	}
	if quote := text[0]; quote == '"' || quote == '\'' {
		for end := 1; end < len(text); end++ {
			switch {
			case quote == '"' && text[end] == '\\':
				end++
			case text[end] == quote && quote == '"':
				return envEscapes.Replace(text[1:end])
			case text[end] == quote:
				return text[1:end]
			}
		}
	}
	if text[0] == '#' {
		return ""
	}
	for _, before := range []string{" #", "\t#"} {
		text, _, _ = strings.Cut(text, before)
	}
	return strings.TrimSpace(text)
}
