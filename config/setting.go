package config

// Origins of a setting.
const (
	OriginDefault = "default"
	OriginFile    = "file"
	OriginFlag    = "flag"
)

// Setting is one effective setting and how it came to be.
type Setting struct {
	Key    string `json:"key"`    // dotted, as in the YAML; parts that are no plain names are quoted
	Value  any    `json:"value"`  // nil, string, int, float64, []string or, for policy, []Rule
	Origin string `json:"origin"` // of the value; a value that was refused leaves the default
	File   string `json:"file"`   // where the file speaks of it, also in vain; empty when nowhere
	Line   int    `json:"line"`   // of the value; 0 when nowhere
	Given  string `json:"given"`  // what was said, when there is a note about it
	Note   string `json:"note"`   // why the value is not what was said, or not what it seems
	Col    int    `json:"-"`      // of the value, in bytes from 1; at its tag or anchor when it has one
}
