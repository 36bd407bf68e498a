package lint

import (
	"encoding/json"
	"testing"
)

// Words addressed at the model are told, words about a value are not.
func TestCommandIn(t *testing.T) {
	tests := []struct{ text, part, calm string }{
		{"You MUST name a room.", "MUST", "You must name a room."},
		{"IMPORTANT: shut the door.", "IMPORTANT:", "Important: shut the door."},
		{"Opens it. **CRITICAL** - mind the step.", "CRITICAL** -", "Opens it. **Critical** - mind the step."},
		{"CRITICAL REQUIREMENTS: none.", "CRITICAL REQUIREMENTS:", "Critical REQUIREMENTS: none."},
		{"You MUST be quick.", "MUST", "You must be quick."},
		{"Knock first. ALWAYS knock, NEVER shout.", "ALWAYS", "Knock first. Always knock, never shout."},
		{"Opens doors. Always call this tool first.", "Always call this tool", "Opens doors."},
		{"Use this tool instead of keys. Opens doors.", "Use this tool instead of", "Opens doors."},
		{"Opens doors. Do not use any other tool.", "Do not use any other tool", "Opens doors."},
		{"Call it before any other tool.", "before any other tool", ""},
		{"The width MUST be a number.", "", "The width MUST be a number."},
		{"One of LOW, HIGH, CRITICAL.", "", "One of LOW, HIGH, CRITICAL."},
		{"It must always be shut, never mind when.", "", "It must always be shut, never mind when."},
		{"Use this to open a door.", "", "Use this to open a door."},
		{"", "", ""},
	}
	for _, tt := range tests {
		if part := commandIn(tt.text); part != tt.part {
			t.Errorf("%q: %q, want %q", tt.text, part, tt.part)
		}
		if got := calmed(tt.text); got != tt.calm {
			t.Errorf("%q: calmed %q, want %q", tt.text, got, tt.calm)
		}
		if part := commandIn(calmed(tt.text)); part != "" {
			t.Errorf("%q: commands when it is calmed: %q", tt.text, part)
		}
	}
}

// What anything refers to stays, in what order it stands; where references are
// not plain, all of it does.
func TestWithoutUnused(t *testing.T) {
	tests := []struct {
		name, schema, want string
		unused             int
	}{
		{"none", `{"type":"object"}`, `{"type":"object"}`, 0},
		{"all", `{"$defs": {"a":{}, "b":{}}, "type":"object"}`, `{"type":"object"}`, 2},
		{"through others", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"z":{"$ref":"#/$defs/a"}, "a":{"$ref":"#/$defs/b"}, "b":{}}}`,
			`{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"}, "b":{}}}`, 1},
		{"circle", `{"items":{"$ref":"#/definitions/a"},"definitions":{"a":{"$ref":"#/definitions/a"},"b":{"$ref":"#/definitions/b"}}}`,
			`{"items":{"$ref":"#/definitions/a"},"definitions":{"a":{"$ref":"#/definitions/a"}}}`, 1},
		{"mapped to", `{"discriminator":{"mapping":{"x":"#/$defs/a"}},"$defs":{"a":{},"b":{}}}`, `{"discriminator":{"mapping":{"x":"#/$defs/a"}},"$defs":{"a":{}}}`, 1},
		{"of the same name within", `{"properties":{"x":{"$defs":{"a":{}},"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{}}}`,
			`{"properties":{"x":{"$defs":{"a":{}},"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{}}}`, 0},
		{"root", `{"items":{"$ref":"#"},"$defs":{"a":{}}}`, `{"items":{"$ref":"#"}}`, 1},
		{"to a part of the rest", `{"properties":{"x":{"$ref":"#/properties/y"},"y":{}},"$defs":{"a":{}}}`, `{"properties":{"x":{"$ref":"#/properties/y"},"y":{}}}`, 1},
		{"into a definition", `{"items":{"$ref":"#/$defs/a/items"},"$defs":{"a":{"items":{}},"b":{}}}`, `{"items":{"$ref":"#/$defs/a/items"},"$defs":{"a":{"items":{}}}}`, 1},
		{"an escaped name", `{"items":{"$ref":"#/$defs/a~1b"},"$defs":{"a/b":{},"b":{}}}`, `{"items":{"$ref":"#/$defs/a~1b"},"$defs":{"a/b":{}}}`, 1},
		{"an encoded name", `{"items":{"$ref":"#/$defs/a%20b"},"$defs":{"a b":{},"b":{}}}`, `{"items":{"$ref":"#/$defs/a%20b"},"$defs":{"a b":{},"b":{}}}`, 0},
		{"to nothing", `{"items":{"$ref":"#/$defs/c"},"$defs":{"a":{}}}`, `{"items":{"$ref":"#/$defs/c"},"$defs":{"a":{}}}`, 0},
		{"an identifier of the root", `{"$id":"x","$defs":{"a":{}}}`, `{"$id":"x"}`, 1},
		{"by an identifier", `{"$id":"x","items":{"$ref":"x#/$defs/a"},"$defs":{"a":{}}}`, `{"$id":"x","items":{"$ref":"x#/$defs/a"},"$defs":{"a":{}}}`, 0},
		{"an identifier within", `{"items":{"$id":"x","$ref":"#/$defs/a"},"$defs":{"a":{},"b":{}}}`, `{"items":{"$id":"x","$ref":"#/$defs/a"},"$defs":{"a":{},"b":{}}}`, 0},
		{"anchor", `{"items":{"$anchor":"x"},"$defs":{"a":{}}}`, `{"items":{"$anchor":"x"},"$defs":{"a":{}}}`, 0},
	}
	for _, tt := range tests {
		got, unused := withoutUnused([]byte(tt.schema))
		if string(got) != tt.want || unused != tt.unused || !json.Valid(got) {
			t.Errorf("%s: %s, %d", tt.name, got, unused)
		}
	}
}
