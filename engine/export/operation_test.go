package export

import (
	"bytes"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// The operations of an API stand in a dump as they were made, under their own names or
// others, however their document is spaced.
func TestOperationsInDump(t *testing.T) {
	const document = ` { "openapi" : "3.1.0", "paths" : { "/ships" : { "post" : { "operationId" : "dock", "requestBody" : { "content" : { "application/json" :
		{ "schema" : { "$ref" : "#/components/schemas/Ship" , "description" : "a  b" } } } } } } },
		"components" : { "schemas" : { "Ship" : { "type" : "object", "enum" : [ { "a" : 1 } , [ ] ] } } } }`
	r, err := shapes.Parse(t.Context(), model.Source{Name: "api.json", Data: []byte(document)})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"dock": `{"name":"dock","description":"POST /ships","parameters":{"type":"object","properties":{"body":{"$ref":"#/$defs/Ship","description":"a  b"}},"$defs":{"Ship":{"type":"object","enum":[{"a":1},[]]}}}}`,
		"land": `{"name":"land","description":"POST /ships","parameters":{"type":"object","properties":{"body":{"$ref":"#/$defs/Ship","description":"a  b"}},"$defs":{"Ship":{"type":"object","enum":[{"a":1},[]]}}}}`,
	} {
		out, _, err := Write(AsHermes, r, Options{Name: func(*model.Tool) string { return name }})
		if err != nil || !bytes.Contains(out, []byte(`{"type":"function","function":`+want+`}`)) {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}
