package replay

import (
	"regexp"
	"strings"
	"sync"
)

// masked stands for what was taken out of a text.
const (
	maskedAddress = "[e-mail]"
	maskedSecret  = "[secret]"
)

// secretPatterns find the secrets to mask, in this order, because an address may stand in
// a longer secret. Of a pattern with a group only the group is
// masked. All are RE2, so that no text takes more than linear time.
var secretPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
		regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://([^\s/@:]*:[^\s/@]+)@`),
		regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+`),
		regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`),
		regexp.MustCompile(`(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})`),
		regexp.MustCompile(`(?i)(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret)["']?\s*[=:]\s*["']?([^\s"',;\[]{4,})`),
		regexp.MustCompile(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}`),
		regexp.MustCompile(`\b(?:gh[opusr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|AKIA|ASIA|AIza|ya29\.)[A-Za-z0-9_-]{10,}`),
		regexp.MustCompile(`\b[0-9a-fA-F]{32,}\b`),
	}
})

// addressPattern is the index of the one that finds addresses.
const addressPattern = 2

// longRun is a possible random token: a run of the characters of base64.
var longRun = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/_=-]{20,}`) })

// Mask returns a text without e-mail addresses, keys and tokens, as far as
// they can be told (see the package comment).
func Mask(text string) string {
	for i, p := range secretPatterns() {
		with := maskedSecret
		if i == addressPattern {
			with = maskedAddress
		}
		var b strings.Builder
		last := 0
		for _, at := range p.FindAllStringSubmatchIndex(text, -1) {
			if len(at) > 2 {
				at = at[2:] // the first group
			}
			b.WriteString(text[last:at[0]] + with)
			last = at[1]
		}
		text = b.String() + text[last:]
	}
	return longRun().ReplaceAllStringFunc(text, func(s string) string {
		// A part between characters that also join words looks drawn when it has 20 or more
		// characters: capital and small letters, and digits.
		for _, part := range strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune("/_-=", c) }) {
			if len(part) >= 20 && strings.ContainsAny(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ContainsAny(part, "abcdefghijklmnopqrstuvwxyz") && strings.ContainsAny(part, "0123456789") {
				return maskedSecret
			}
		}
		return s
	})
}
