package config

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/yamltext"
)

// KeyHost is the agent whose search is simulated. It is a key of caliper's own in the agent's
// section.
const (
	KeyHost = agentKey + "." + hostKey
	hostKey = "host"
)

// Hosts are the values of KeyHost, in alphabetical order; package hosts has their rules. It
// must not be changed.
var Hosts = []string{"ai-sdk", "claude-code", "codex", "copilot-cli", "fastmcp", hostJune, hostSeptember, "livekit", "mastra", "pi"}

// The hosts that are generations of the reference agent.
const (
	hostJune      = "hermes-2026-06"
	hostSeptember = "hermes-2026-09"
)

// hostOf returns the host that is a generation.
func hostOf(g Generation) string {
	if g == September2026 {
		return hostSeptember
	}
	return hostJune
}

// host returns the host that a flag or the file names: a flag's, before that of a flag for
// the generation before the file's; "" for none.
func (f *File) host() string {
	named := f.given[KeyHost]
	if named.value.Kind != yamltext.Text || !slices.Contains(Hosts, named.value.Text) ||
		named.origin == OriginFile && f.given[KeyGeneration].origin == OriginFlag {
		return ""
	}
	return named.value.Text
}

// evaluateHost puts the host into the configuration: the one that is named, else the
// generation.
func (f *File) evaluateHost(r row, g Generation) {
	f.evaluateRow(r)
	s, before := &f.Settings[len(f.Settings)-1], f.Host
	f.Host = f.host()
	if f.Host == "" {
		f.Host = hostOf(g)
	}
	s.Value = f.Host
	if f.Host != before {
		s.Origin = cmp.Or(f.given[KeyGeneration].origin, OriginDefault)
	}
}

// hostFault returns the error that the file names an agent that is not known: to simulate
// another one would answer for the wrong agent.
func (f *File) hostFault() error {
	i := slices.IndexFunc(f.Warnings, func(d model.Diagnostic) bool { return d.Code == unknownHost })
	if i < 0 {
		return nil
	}
	fault := f.Warnings[i]
	f.Warnings = slices.Delete(f.Warnings, i, i+1)
	fault.Message, _, _ = strings.Cut(fault.Message, "; ")
	return fault
}

// unknownHost is the code of hostFault.
const unknownHost = "unknown_host"
