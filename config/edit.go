// # Changing a file
//
// Set changes settings in the bytes of a config file and nothing else: comments, order, quotes,
// indentation, line endings and the byte order mark stay, in every style of YAML that package
// yamltext reads. The written file is parsed again: each changed setting has its value and every
// other value stays; otherwise nothing is written. A parse takes some milliseconds.
//
// A setting is written in the first of three styles in which it reads as it should: with the
// quotes and the tag of the old value, bare, or in double quotes. The place is found on the tree of
// the document, and its end in the bytes, because the YAML library knows where nodes begin and
// nothing else. In
//
//	tools:
//	  tool_search:
//	    enabled: auto   # x
//
// the new key threshold_pct is a line behind enabled, the nearest key that comes before it in the
// order of config show, with the file's line break and indentation.
//
// Invariants:
//   - Set with values that the file has already returns data itself
//   - Set of what Set returned, with the same values, changes nothing
//   - every byte outside of the changed values, and of the lines that are added, equals data's
//
// # Difference
//
// Diff compares two texts line by line, as a structure that a screen can draw and in the unified
// format. Lines are as they are in the texts, unsafe for a terminal.
package config

import (
	"bytes"
	"strings"
)

// Change is one setting and the value that it is to have.
type Change struct {
	Key   string // dotted, as in config.Setting.Key
	Value any    // string, bool, int, int64, float64 or []string; nil for unset, where there is such a thing
}

const byteOrderMark = "\ufeff"

// SetIn returns the bytes of a file of YAML, of caliper or of another program, in which the value at
// a path of keys is a boolean or a list of texts. What is missing is added as Set adds it; all other bytes
// stay, and every other value. The error is a model.Diagnostic.
func SetIn(file string, data []byte, path []string, value any) ([]byte, error) {
	text, marked := bytes.CutPrefix(data, []byte(byteOrderMark))
	written, err := write(file, text, Want{Key: strings.Join(path, "."), Value: value, file: file, path: path})
	if err == nil && marked {
		written = append([]byte(byteOrderMark), written...)
	}
	return written, err
}

// Set returns the bytes of a config file in which the given settings have the given values; file
// is its name, for errors. A missing setting is added after the one that comes before it in config
// show, a missing section with it. A value that an alias or a merge key leads to gets a key in the
// section itself. Of two keys of one name the last is changed, and of two changes of one key the
// last counts. Of a list the items that stay are not touched; a comment behind an item goes with
// it. When the file has all of it already, the result is data itself.
//
// Every setting of Settable can be changed, and the lists of toolsets of a session that the file
// has, of a platform, and of agent.disabled_toolsets. An error is a model.Diagnostic: Parse's or
// File.Wants', or one with the line of what is in the way (unwritable).
func Set(file string, data []byte, changes []Change) ([]byte, error) {
	before, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, c := range changes {
		values[c.Key] = c.Value
	}
	wants, err := before.Wants(values)
	if err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(data, []byte(byteOrderMark))
	written := text
	for _, w := range wants {
		if w.HeldBy(&before) {
			continue
		}
		if written, err = write(file, written, w); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(written, text) {
		return data, nil
	}
	if marked {
		written = append([]byte(byteOrderMark), written...)
	}
	after, err := Parse(file, written)
	if err == nil {
		err = before.Changed(&after, wants)
	}
	if err != nil {
		return nil, err
	}
	return written, nil
}
