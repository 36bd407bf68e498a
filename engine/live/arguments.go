package live

import (
	"regexp"
	"strings"
)

var (
	// hidingOption is an option that a secret follows, or a pair that holds one.
	hidingOption = regexp.MustCompile(`(?i)^--?[a-z0-9_.-]*(key|token|secret|passw|pwd|credential|auth|bearer|cookie|header)[a-z0-9_.-]*$|^(-H|-e|--env)$`)
	// assignment is a pair of a name and a value: NAME=value, Name: value.
	assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*)(=|: ?)(.+)$`)
	// variableName is what an environment variable is called by custom.
	variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
	// knownKey is how the keys of some services begin.
	knownKey = regexp.MustCompile(`^(sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|eyJ|pat-|lin_api_|ntn_|secret_)`)
	// reference is a value that is all a variable, without a default.
	reference = regexp.MustCompile(`^(Bearer )?\$\{(env:|input:)?\w+\}$`)
)

// hide stands for a value that is not shown.
const hide = "…"

// shownArgs returns arguments as they may be printed, and the values that may
// not be.
//
// SECURITY: what a client's environment and headers cannot hold stands in its
// arguments: --header "Authorization: Bearer x" for a bridge to a remote
// server, -e NAME=value for a container, --api-key x. What looks like one of
// these is not shown, nor is user information of an address; a key in an
// argument that nothing marks is.
func shownArgs(args []string) (shown, secrets []string) {
	withhold := func(value string) string {
		if value == "" || reference.MatchString(value) {
			return value
		}
		secrets = append(secrets, value)
		if _, token, ok := strings.Cut(value, " "); ok { // "Bearer token"
			secrets = append(secrets, strings.TrimSpace(token))
		}
		return hide
	}
	before := "" // the option before, if a secret follows it
	for _, a := range args {
		given := a
		option, value, joined := strings.Cut(a, "=")
		pair := assignment.FindStringSubmatch(a)
		follows := before
		before = ""
		switch {
		case hidingOption.MatchString(a):
			before = a
		case joined && hidingOption.MatchString(option):
			if inner := assignment.FindStringSubmatch(value); inner != nil {
				a = option + "=" + inner[1] + inner[2] + withhold(inner[3])
			} else {
				a = option + "=" + withhold(value)
			}
		case follows != "" && pair != nil:
			a = pair[1] + pair[2] + withhold(pair[3])
		case (follows == "-e" || follows == "--env") && variableName.MatchString(a):
			// the name alone: passed on
		case follows != "" && !strings.HasPrefix(a, "-"), knownKey.MatchString(a):
			a = withhold(a)
		case pair != nil && variableName.MatchString(pair[1]): // of env, or before a command
			a = pair[1] + pair[2] + withhold(pair[3])
		case strings.Contains(a, "://"):
			secrets = append(secrets, addressSecrets(a)...)
			a = withoutSecrets(a)
		}
		secrets = append(secrets, userSecrets(given)...)
		shown = append(shown, withoutUserInfo(a))
	}
	return shown, secrets
}
