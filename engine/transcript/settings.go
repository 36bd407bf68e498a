package transcript

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"sync"

	"caliper/model/jsontree"
)

// Settings are the parts of a request that stand in its prompt, or choose its cache, besides
// model, tools and messages: one line "name=value" each, sorted by name. "system" is the system
// prompt, "cache" how long the provider was asked to keep the prefix ("5m", "1h", "24h"), and
// ToolSetting with a name a tool of which the log has the name and no definition. The value of a long text is
// its TextSum.
type Settings string

// ToolSetting begins the name of a setting that stands for a tool.
const ToolSetting = "tool:"

// longestSetting is how many bytes of a setting are kept as they are.
const longestSetting = 40

// SettingOf returns the value of a setting with a JSON text.
func SettingOf(raw []byte) string {
	if raw = jsontree.Compact(raw); len(raw) > longestSetting {
		return fmt.Sprintf("%x", TextSum(raw))
	}
	return strings.Trim(string(raw), `"`)
}

// SettingsOf returns settings by their names.
func SettingsOf(values map[string]string) Settings {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&out, "%s=%s\n", strings.NewReplacer("\n", " ", "=", " ").Replace(name), strings.ReplaceAll(values[name], "\n", " "))
	}
	return Settings(out.String())
}

// Values returns the settings by their names.
func (s Settings) Values() map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(string(s)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		values[name] = value
	}
	return values
}

// AddSettings returns the settings of a session with one, and its number in them as in
// Request.Settings.
func AddSettings(list []Settings, s Settings) ([]Settings, int) {
	if s == "" {
		return list, 0
	}
	if i := slices.Index(list, s); i >= 0 {
		return list, i + 1
	}
	return append(list, s), len(list) + 1
}

// Digest is the beginning of a SHA-256.
type Digest [16]byte

// DigestOf returns the digest of some bytes.
func DigestOf(data []byte) (d Digest) {
	sum := sha256.Sum256(data)
	copy(d[:], sum[:])
	return d
}

// TextSum returns what tells a long text from others that nobody made to look like it: its
// length and its CRC-32C. It takes a tenth of the time of a Digest.
func TextSum(text []byte) uint64 {
	return uint64(len(text))<<32 | uint64(crc32.Checksum(text, castagnoli()))
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })
