package shapes

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/words"
)

// harbour is an API of ours in OpenAPI 3.0.
const harbour = `{"openapi":"3.0.3","info":{"title":"Harbour","version":"1"},"servers":[{"url":"https://h"}],
"tags":[{"name":"berths","description":"Where ships lie."},{"name":"unused","description":"Nothing."},{"name":"tides"}],
"paths":{
 "/berths/{id}":{"parameters":[{"$ref":"#/components/parameters/Id"},{"name":"lang","in":"query","schema":{"type":"string"}}],
  "get":{"tags":["berths"],"operationId":"getBerth","summary":"Get a berth.","description":"Get a berth by its number.","responses":{}},
  "put":{"tags":["berths","tides"],"operationId":"berths/update","summary":"Change a berth","requestBody":{"required":true,"description":"What to change.","content":{"text/plain":{"schema":{"type":"string"}},"application/json":{"schema":{"$ref":"#/components/schemas/Berth"}}}},
   "parameters":[{"name":"lang","in":"query","required":true,"description":"Language.","schema":{"$ref":"#/components/schemas/Lang"}},{"name":"id","in":"query","schema":{"type":"integer","nullable":true,"enum":[1,2]}},{"name":"Accept","in":"header","schema":{}}]}},
 "/tides":{"get":{"responses":{}},"x-note":{"get":1},"summary":"Tides"}},
"components":{
 "parameters":{"Id":{"name":"id","in":"path","required":true,"schema":{"type":"integer","maximum":9007199254740993}}},
 "schemas":{"Lang":{"enum":["de","en"]},"Ship":{"type":"object","properties":{"berth":{"$ref":"#/components/schemas/Berth"},"$ref":{"type":"string"}},"example":{"$ref":"#/no"}},
  "Alone":{"type":"string"},"Berth":{"type":"object","required":["ships"],"properties":{"ships":{"type":"array","items":{"$ref":"#/components/schemas/Ship"}},"gone":{"$ref":"#/components/schemas/Gone"},"far":{"$ref":"other.json#/A"}}}}}}`

// apiTool is the tool that a test expects of an operation.
type apiTool struct{ name, original, toolset, description, parameters string }

func checkAPI(t *testing.T, source model.Source, shape string, want []apiTool) *model.Registry {
	t.Helper()
	r, err := Parse(context.Background(), source)
	require.NoError(t, err)
	if strings.HasPrefix(string(source.Data), "{") {
		checkRegistry(t, r)
	}
	if r.Shape != shape || len(r.Tools) != len(want) {
		t.Fatalf("%d tools of shape %s, want %d of %s", len(r.Tools), r.Shape, len(want), shape)
	}
	for i, w := range want {
		tool := r.Tools[i]
		if tool.Name != w.name || tool.OriginalName != w.original || tool.Toolset != w.toolset || tool.Description != w.description || string(tool.Parameters) != w.parameters {
			t.Errorf("tool %d: %q of %q in %q, %q\n%s\nwant %q of %q in %q, %q\n%s", i, tool.Name, tool.OriginalName, tool.Toolset, tool.Description, tool.Parameters,
				w.name, w.original, w.toolset, w.description, w.parameters)
		}
	}
	return r
}

func TestOpenAPI(t *testing.T) {
	r := checkAPI(t, model.Source{Name: "harbour.json", Data: []byte(harbour)}, "openapi", []apiTool{
		{"getBerth", "", "berths", "Get a berth by its number.", `{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993},"lang":{"type":"string"}},"required":["id"]}`},
		{"berths_update", "berths/update", "berths", "Change a berth", `{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993},"lang":{"$ref":"#/$defs/Lang","description":"Language."},` +
			`"query_id":{"type":["integer","null"],"enum":[1,2,null]},"body":{"$ref":"#/$defs/Berth","description":"What to change."}},"required":["id","lang","body"],` +
			`"$defs":{"Lang":{"enum":["de","en"]},"Ship":{"type":"object","properties":{"berth":{"$ref":"#/$defs/Berth"},"$ref":{"type":"string"}},"example":{"$ref":"#/no"}},` +
			`"Berth":{"type":"object","required":["ships"],"properties":{"ships":{"type":"array","items":{"$ref":"#/$defs/Ship"}},"gone":{"$ref":"#/$defs/Gone"},"far":{"$ref":"other.json#/A"}}}}}`},
		{"get_tides", "get /tides", "Harbour", "GET /tides", `{"type":"object","properties":{}}`},
	})
	if got := toolsetSizes(r); got != "berths 2, Harbour 1" || r.Toolsets[0].Description != "Where ships lie." {
		t.Errorf("toolsets %s", got)
	}
	if line, col := strings.Count(harbour[:r.Tools[1].At.Byte], "\n")+1, r.Tools[1].At.Byte; line != 6 || !strings.HasPrefix(harbour[col:], `{"tags":["berths","tides"]`) {
		t.Errorf("the second tool is at line %d", line)
	}
}

// From version 3.1 on a description beside a reference to a parameter counts, and before
// it does not; the parameter itself is as it was for others.
func TestDescribedReference(t *testing.T) {
	const paths = `,"info":{"title":"H"},"paths":{"/a/{id}":{"get":{"operationId":"a","parameters":[{"$ref":"#/components/parameters/Id","description":"Of the ship."}]},` +
		`"put":{"operationId":"b","parameters":[{"$ref":"#/components/parameters/Id"}]}}},"components":{"parameters":{"Id":{"name":"id","in":"path","required":true,"description":"Id.","schema":{"type":"string"}}}}}`
	for version, want := range map[string]string{"3.0.3": "Id.", "3.1.0": "Of the ship.", "3.2.0": "Of the ship."} {
		parameters := func(description string) string {
			return `{"type":"object","properties":{"id":{"type":"string","description":"` + description + `"}},"required":["id"]}`
		}
		checkAPI(t, model.Source{Name: "h.json", Data: []byte(`{"openapi":"` + version + `"` + paths)}, "openapi", []apiTool{
			{"a", "", "H", "GET /a/{id}", parameters(want)}, {"b", "", "H", "PUT /a/{id}", parameters("Id.")},
		})
	}
}

// Bounds that are excluded are written as JSON Schema has them. A property may be called
// as a keyword is.
func TestExclusiveBounds(t *testing.T) {
	for given, want := range map[string]string{
		`{"type":"integer","minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`:       `{"type":"integer","exclusiveMinimum":1,"maximum":9}`,
		`{"type":"number","exclusiveMaximum":true,"maximum":0.5,"exclusiveMinimum":true}`:                   `{"type":"number","exclusiveMaximum":0.5}`,
		`{"type":"number","exclusiveMinimum":3,"minimum":2}`:                                                `{"type":"number","exclusiveMinimum":3,"minimum":2}`,
		`{"type":"object","properties":{"minimum":{"type":"string"},"exclusiveMinimum":{"type":"string"}}}`: `{"type":"object","properties":{"minimum":{"type":"string"},"exclusiveMinimum":{"type":"string"}}}`,
	} {
		checkAPI(t, model.Source{Name: "h.json", Data: []byte(`{"openapi":"3.0.3","info":{"title":"H"},"paths":{"/a":{"get":{"operationId":"a","parameters":[{"name":"n","in":"query","schema":` + given + `}]}}}}`)}, "openapi",
			[]apiTool{{"a", "", "H", "GET /a", `{"type":"object","properties":{"n":` + want + `}}`}})
	}
}

// The default of a parameter of Google, which is always a text, is of the parameter's type.
func TestDiscoveryDefaults(t *testing.T) {
	const document = `{"kind":"discovery#restDescription","name":"port","methods":{"dock":{"id":"port.dock","parameters":{` +
		`"a":{"type":"boolean","default":"false"},"b":{"type":"integer","default":"12"},"c":{"type":"string","default":"7"},"d":{"type":"boolean","default":"maybe"},"e":{"type":"integer","default":"true"}}}}}`
	checkAPI(t, model.Source{Name: "port.json", Data: []byte(document)}, "discovery", []apiTool{{"port_dock", "port.dock", "port", "", `{"type":"object","properties":{` +
		`"a":{"type":"boolean","default":false},"b":{"type":"integer","default":12},"c":{"type":"string","default":"7"},"d":{"type":"boolean","default":"maybe"},"e":{"type":"integer","default":"true"}}}`}})
}

// Schemas of one name at different places of a document stay apart in a tool: the second
// and third are named by where they are, too; where no name is left, the reference stays.
func TestSchemasOfOneName(t *testing.T) {
	const document = `{"openapi":"3.1.0","info":{"title":"Port"},"paths":{"/ship":{"post":{"operationId":"add","requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{` +
		`"a":{"$ref":"#/components/schemas/Ship"},"b":{"$ref":"#/components/x/Ship"},"c":{"$ref":"#/y/x/Ship"},"d":{"$ref":"#/components/%78/Ship"},"e":{"$ref":"#/Ship"}}}}}}}}},` +
		`"components":{"schemas":{"Ship":{"title":"1"}},"x":{"Ship":{"title":"2"}}},"y":{"x":{"Ship":{"title":"3"}}},"Ship":{"title":"4"}}`
	checkAPI(t, model.Source{Name: "port.json", Data: []byte(document)}, "openapi", []apiTool{{"add", "", "Port", "POST /ship", `{"type":"object","properties":{"body":{"type":"object","properties":{"a":{"$ref":"#/$defs/Ship"},"b":{"$ref":"#/$defs/x.Ship"},` +
		`"c":{"$ref":"#/$defs/y.x.Ship"},"d":{"$ref":"#/$defs/x.Ship"},"e":{"$ref":"#/Ship"}}}},"$defs":{"Ship":{"title":"1"},"x.Ship":{"title":"2"},"y.x.Ship":{"title":"3"}}}`}})
}

// Swagger 2, in YAML, gives the same as OpenAPI.
func TestSwagger(t *testing.T) {
	const yaml = `swagger: "2.0"
info: {title: Harbour}
paths:
  /ships:
    post:
      operationId: addShip
      parameters:
        - {in: body, name: ship, required: true, schema: {$ref: '#/definitions/Ship'}}
        - {in: query, name: dry, type: array, items: {type: string}, collectionFormat: csv, description: Only try.}
        - {in: formData, name: photo, type: file}
    get: {$ref: nowhere}
definitions:
  Flag: {type: string, x-nullable: true}
  Ship:
    type: object
    properties: {flag: {$ref: '#/definitions/Flag'}}
`
	r := checkAPI(t, model.Source{Name: "h.yaml", Data: []byte(yaml)}, "swagger", []apiTool{
		{"addShip", "", "Harbour", "POST /ships", `{"type":"object","properties":{"ship":{"$ref":"#/definitions/Ship"},"dry":{"type":"array","items":{"type":"string"},"description":"Only try."},` +
			`"photo":{"type":"string","format":"binary"}},"required":["ship"],"definitions":{"Flag":{"type":["string","null"]},"Ship":{"type":"object","properties":{"flag":{"$ref":"#/definitions/Flag"}}}}}`},
		{"get_ships", "get /ships", "Harbour", "GET /ships", `{"type":"object","properties":{}}`},
	})
	if line := strings.Count(yaml[:r.Tools[0].At.Byte], "\n") + 1; line != 6 {
		t.Errorf("the tool is at line %d", line)
	}
}

// Discovery documents of Google refer to schemas by bare names.
func TestDiscovery(t *testing.T) {
	const document = `{"kind":"discovery#restDescription","name":"port","resources":{"ships":{"methods":{"dock":{"id":"port.ships.dock","description":"Docks.",
"parameters":{"ship":{"type":"string","location":"path","required":true},"tag":{"type":"string","repeated":true,"location":"query"}},"request":{"$ref":"Ship"}}},
"resources":{"crew":{"methods":{"list":{"id":"port.ships.crew.list"}}}}}},
"schemas":{"Ship":{"id":"Ship","type":"object","properties":{"next":{"$ref":"Ship"},"gone":{"$ref":"Gone"}}}}}`
	checkAPI(t, model.Source{Name: "port.json", Data: []byte(document)}, "discovery", []apiTool{
		{"port_ships_dock", "port.ships.dock", "ships", "Docks.", `{"type":"object","properties":{"ship":{"type":"string"},"tag":{"type":"array","items":{"type":"string"}},"body":{"$ref":"#/$defs/Ship"}},"required":["ship"],` +
			`"$defs":{"Ship":{"id":"Ship","type":"object","properties":{"next":{"$ref":"#/$defs/Ship"},"gone":{"$ref":"#/$defs/Gone"}}}}}`},
		{"port_ships_crew_list", "port.ships.crew.list", "ships.crew", "", `{"type":"object","properties":{}}`},
	})
}

// What cannot be read is named; what can be read in part is.
func TestOpenAPIFaults(t *testing.T) {
	for _, c := range []struct {
		name, in string
		tools    int // -1 for a refusal
		want     string
	}{
		{"an old version", `{"swaggerVersion":"1.2","apis":[]}`, -1, "x:1:1: this is an OpenAPI document of version 1.2: swagger 2.0 and openapi 3.0, 3.1 and 3.2 are read"},
		{"a later version", `{"openapi":"4.0.0","paths":{}}`, -1, "of version 4.0.0"},
		{"a version of the name before", `{"openapi":"2.0","paths":{}}`, -1, "of version 2.0: swagger 2.0 and openapi 3.0"},
		{"a version of the later name", `{"swagger":"3.0","paths":{}}`, -1, "of version 3.0"},
		{"a version as a number", `{"openapi":3.1,"info":{"title":"a"},"paths":{"/p":{"get":{"operationId":"p"}}}}`, 1, ""},
		{"a draft of a version", `{"openapi":"3.1-rc","info":{"title":"a"},"paths":{"/p":{"get":{"operationId":"p"}}}}`, 1, ""},
		{"a number as version", "swagger: 2.0\ninfo: {}\npaths: {/a: {get: {}}}\n", 1, ""},
		{"no paths", `{"openapi":"3.1.0","info":{"title":"x"}}`, 0, "x:1:1: paths: the document has no paths, and so no operation"},
		{"no paths in 3.0", `{"openapi":"3.0.0","info":{"title":"x"}}`, 0, "the document has no paths"},
		{"no paths but components", `{"openapi":"3.1.0","components":{}}`, 0, "the document has no paths"},
		{"paths as a list", `{"openapi":"3.0.0","paths":[]}`, 0, "x:1:28: paths: paths is not an object"},
		{"a path as a list", `{"openapi":"3.0.0","paths":{"/a":[],"x-note":[],"/b":{"get":{}}}}`, 1, `x:1:34: paths["/a"]: the path is not an object; its operations are left out`},
		{"a number as operation", `{"openapi":"3.0.0","paths":{"/b":{"get":7}}}`, 0, `x:1:41: paths["/b"].get: the operation is not an object; it is left out`},
		{"a path in another file", `{"openapi":"3.0.0","paths":{"/b":{"$ref":"b.yaml"}}}`, 0, `x:1:34: paths["/b"]: its $ref leads to another document, which is not read; its operations are left out`},
		{"a parameter in another file", `{"openapi":"3.0.0","paths":{"/b":{"get":{"parameters":[{"$ref":"b.yaml#/id"}]}}}}`, 1,
			`x:1:56: paths["/b"].get.parameters[0]: its $ref leads to another document, which is not read; the parameter is left out`},
		{"a parameter that is not there", `{"openapi":"3.0.0","paths":{"/b":{"parameters":[{"$ref":"#/components/parameters/Gone"}],"get":{},"put":{}}}}`, 2,
			`[x:1:49: paths["/b"].parameters[0]: its $ref leads to nothing in the document; the parameter is left out]`},
		{"a body that is not there", `{"openapi":"3.0.0","paths":{"/b":{"put":{"requestBody":{"$ref":"#/components/requestBodies/Gone"}}}}}`, 1,
			`paths["/b"].put.requestBody: its $ref leads to nothing in the document; the body is taken without its schema`},
		{"paths in a circle", `{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"}}}`, 0, "its $ref leads on to more references than are followed"},
		{"no operations", `{"openapi":"3.1.0","info":{},"webhooks":{}}`, 0, "the catalogue is empty"},
		{"nothing is as it should be", `{"openapi":"3.0.0","info":[],"tags":{},"paths":{"/a":[],"/b":{"get":7,"put":{"parameters":{},"operationId":[],"tags":[1],"requestBody":{"$ref":"#/components/x"}}}}}`, 1, ""},
		{"a circle of references", `{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"},"/c":{"get":{"requestBody":{"content":{"x":{"schema":{"$ref":"#/components/schemas/A"}}}}}}},"components":{"schemas":{"A":{"$ref":"#/components/schemas/A"}}}}`, 1, ""},
		{"a reference into a schema", `{"openapi":"3.0.0","paths":{"/c":{"get":{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/components/schemas/A~1B/properties/x%20y"}}]}}},"components":{"schemas":{"A/B":{"properties":{"x y":{"type":"null"}}}}}}`, 1, `"$ref":"#/$defs/x y"`},
		{"too much of everything", `{"openapi":"3.0.0","paths":{` + manyPaths(3000) + `},"components":{"schemas":{"A":{"description":"` + strings.Repeat("x", 100_000) + `"}}}}`, 3000, "more than 0 references lead to are a name and a type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Parse(context.Background(), model.Source{Name: "x", Data: []byte(c.in)})
			if c.tools < 0 {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error is %v, want %s", err, c.want)
				}
				return
			}
			if err != nil || len(r.Tools) != c.tools {
				t.Fatalf("%v, %v", r, err)
			}
			said := fmt.Sprint(r.Warnings)
			for _, tool := range r.Tools {
				said += string(tool.Parameters)
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("%s is not in %s", c.want, said)
			}
		})
	}
}

// manyPaths returns paths whose operations refer to one schema.
func manyPaths(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"/%d":{"post":{"requestBody":{"content":{"x":{"schema":{"$ref":"#/components/schemas/A"}}}}}},`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// TestOperationsAreCompact: each tool of a document is compact and whole, which an export relies on.
func TestOperationsAreCompact(t *testing.T) {
	for _, tool := range parse(t, harbour).Tools {
		if got := jsontree.Compact(tool.Function); !bytes.Equal(got, tool.Function) || !strictJSON(got) {
			t.Errorf("%s is not compact: %.200s", tool.Name, tool.Function)
		}
		if !tool.Operation || !bytes.HasPrefix(tool.Function, []byte(`{"name":"`+tool.Name+`"`)) || !bytes.HasSuffix(tool.Function, append(tool.Parameters, '}')) {
			t.Errorf("%s is mixed up: %.200s", tool.Name, tool.Function)
		}
	}
}

// Where all schemas of all operations are too much, the deepest are cut: as few as have to
// be, so that every reference still leads to a schema of its tool.
func TestSchemasAreCut(t *testing.T) {
	const schemas = 12
	var list, paths []string
	for i := range schemas {
		next := (i + 1) % schemas
		list = append(list, fmt.Sprintf(`"S%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/S%d","description":"on"},"own":{"$ref":"#/components/schemas/S%d"}}}`, i, next, i))
		paths = append(paths, fmt.Sprintf(`"/p%d":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/S%d"}}}}}}`, i, i))
	}
	in := []byte(`{"openapi":"3.0.0","paths":{` + strings.Join(paths, ",") + `},"components":{"schemas":{` + strings.Join(list, ",") + `}}}`)
	defer func(was int) { maxDefinitions = was }(maxDefinitions)
	for _, c := range []struct{ limit, definitions, references int }{{1 << 20, schemas, -1}, {6000, 3, 3}, {3600, 2, 2}, {2000, 1, 1}, {10, 0, 0}} {
		maxDefinitions = c.limit
		r, err := Parse(context.Background(), model.Source{Name: "x", Data: in})
		if err != nil || len(r.Tools) != schemas {
			t.Fatal(err)
		}
		told := fmt.Sprint(r.Warnings)
		if want := fmt.Sprintf("schemas that more than %s lead to are a name and a type", words.Count(c.references, "reference")); strings.Contains(told, want) != (c.references >= 0) {
			t.Errorf("up to %d bytes: told %s", c.limit, told)
		}
		for _, tool := range r.Tools {
			n, err := jsontree.Parse(tool.Parameters, jsontree.Strict)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(n.Member("$defs").Members()); got != c.definitions {
				t.Errorf("up to %d bytes: %s has %d definitions, want %d", c.limit, tool.Name, got, c.definitions)
			}
			for _, ref := range regexp.MustCompile(`"#/\$defs/(\w+)"`).FindAllStringSubmatch(string(tool.Parameters), -1) {
				if n.Member("$defs").Member(ref[1]) == nil {
					t.Errorf("up to %d bytes: %s refers to %s, which it has not", c.limit, tool.Name, ref[1])
				}
			}
		}
		if c.references == 0 && !strings.Contains(string(r.Tools[0].Parameters), `"body":{"title":"S0","type":"object"}`) {
			t.Errorf("all is cut: %s", r.Tools[0].Parameters)
		}
	}
}
