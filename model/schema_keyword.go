package model

// Subschemas says where a keyword of a schema keeps other schemas. A keyword
// may keep them in more than one way; 0 stands for a keyword that holds data.
type Subschemas uint8

// Where the schemas are.
const (
	OneSchema    Subschemas = 1 << iota // the value is a schema
	SchemaList                          // the value is an array of schemas
	NamedSchemas                        // the value is an object of schemas

	boolNode // a schema that is true or false is worth a node in a tree
)

// subschemas holds the keywords of JSON Schema, drafts 4 to 2020-12, and of
// OpenAPI that keep schemas. All else in a schema is data.
var subschemas = map[string]Subschemas{
	"additionalItems":       OneSchema,
	"additionalProperties":  OneSchema,
	"unevaluatedItems":      OneSchema,
	"unevaluatedProperties": OneSchema,
	"contains":              OneSchema | boolNode,
	"contentSchema":         OneSchema | boolNode,
	"else":                  OneSchema | boolNode,
	"if":                    OneSchema | boolNode,
	"items":                 OneSchema | boolNode | SchemaList,
	"not":                   OneSchema | boolNode,
	"propertyNames":         OneSchema | boolNode,
	"then":                  OneSchema | boolNode,
	"allOf":                 SchemaList,
	"anyOf":                 SchemaList,
	"oneOf":                 SchemaList,
	"prefixItems":           SchemaList,
	"$defs":                 NamedSchemas,
	"definitions":           NamedSchemas,
	"dependencies":          NamedSchemas, // or lists of names
	"dependentSchemas":      NamedSchemas,
	"patternProperties":     NamedSchemas,
	"properties":            NamedSchemas,
}

// SubschemasOf returns where a keyword keeps schemas.
func SubschemasOf(keyword string) Subschemas { return subschemas[keyword] &^ boolNode }

// Has reports whether schemas are kept in one of some ways.
func (s Subschemas) Has(ways Subschemas) bool { return s&ways != 0 }
