package shapes_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// documentShape is the form of a document that describes an HTTP API, as large ones that
// are public are shaped. All of their text is made up.
//
// What is alike is the size, the number of operations and schemas, where schemas refer to
// each other, and what share of the document no tool is made of:
//
//	Inline   OpenAPI 3, parameters behind references, bodies in place with few references,
//	         and most of the text in responses and their examples
//	Form     OpenAPI 3, bodies in place that are nested deeply, references between the schemas
//	         of responses alone
//	Kinds    Swagger 2, bodies behind references to a hierarchy of definitions that shares its
//	         lower levels, so that a body leads to many
//
// Invariants: the same shape gives the same bytes.
type documentShape struct {
	Name       string
	Operations int
	write      func(d *document, operations int)
}

// documents are the shapes of documents.
var documents = []documentShape{
	{"inline", 1_000, (*document).inline},
	{"form", 600, (*document).form},
	{"kinds", 1_000, (*document).kinds},
}

// Document returns the document of a shape.
func (s documentShape) Document() []byte {
	d := &document{random: rand.New(rand.NewPCG(7, uint64(s.Operations)))}
	s.write(d, s.Operations)
	return d.out.Bytes()
}

// document is a document that is written.
type document struct {
	out    bytes.Buffer
	random *rand.Rand
}

// vocabulary are the words of texts and names.
var vocabulary = strings.Fields("ship harbour crane cargo berth pilot tide anchor hull deck mast sail rope buoy quay lock " +
	"the a of to for with in and when returns creates changes lists that is are was by given optional only before after")

// text returns n words.
func (d *document) text(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = vocabulary[d.random.IntN(len(vocabulary))]
	}
	return strings.Join(list, " ")
}

// add writes a part of the document.
func (d *document) add(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// each writes n parts with commas between them.
func (d *document) each(n int, part func(i int)) {
	for i := range n {
		if i > 0 {
			d.out.WriteByte(',')
		}
		part(i)
	}
}

// property writes a property of a name with a schema without references, which nests
// objects up to a depth.
func (d *document) property(i, depth int) {
	name := fmt.Sprintf("%s_%d", vocabulary[d.random.IntN(16)], i)
	switch kind := d.random.IntN(6); {
	case kind == 0 && depth > 0:
		d.add(`%q: {"type": "object", "description": %q, "properties": {`, name, d.text(8))
		d.each(2+d.random.IntN(4), func(j int) { d.property(j, depth-1) })
		d.add(`}}`)
	case kind == 1:
		d.add(`%q: {"type": "string", "description": %q, "enum": ["on", "off", "unknown"], "nullable": true}`, name, d.text(10))
	case kind == 2:
		d.add(`%q: {"type": "array", "items": {"type": "string", "maxLength": 500}, "description": %q}`, name, d.text(10))
	default:
		d.add(`%q: {"type": "string", "description": %q}`, name, d.text(12))
	}
}

// method returns the method of the operation of an index; two of three have a body.
func method(i int) string { return []string{"get", "post", "patch"}[i%3] }

// inline writes a document of the shape Inline.
func (d *document) inline(operations int) {
	const schemas, parameters = 900, 250
	d.add(`{"openapi": "3.0.3", "info": {"title": "Harbour", "version": "1"}, "paths": {`)
	d.each(operations, func(i int) {
		d.add(`"/port%d/{ship}": {%q: {"operationId": "port/do-%d", "summary": %q, "description": %q, "tags": ["t%d"], "parameters": [`,
			i, method(i), i, d.text(5), d.text(40), i%40)
		d.each(3, func(int) { d.add(`{"$ref": "#/components/parameters/p%d"}`, d.random.IntN(parameters)) })
		d.add(`]`)
		if i%3 > 0 {
			d.add(`, "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {`)
			d.each(8, func(j int) { d.property(j, 2) })
			if i%5 == 0 {
				d.add(`, "of": {"$ref": "#/components/schemas/s%d"}`, schemas-1-d.random.IntN(schemas/3))
			}
			d.add(`}}, "examples": {"one": {"value": {"note": %q}}}}}}`, d.text(60))
		}
		d.add(`, "responses": {"200": {"description": "Response", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/s%d"}, "examples": {"one": {"value": [`, d.random.IntN(schemas))
		d.each(30, func(int) { d.add(`{"id": %d, "note": %q}`, d.random.IntN(1e6), d.text(30)) })
		d.add(`]}}}}}}}}`)
	})
	d.add(`}, "components": {"parameters": {`)
	d.each(parameters, func(i int) {
		d.add(`"p%d": {"name": "q%d", "in": "query", "description": %q, "schema": {"type": "string"}}`, i, i, d.text(14))
	})
	d.add(`}, "schemas": {`)
	d.each(schemas, func(i int) { d.schema(i, min(2, schemas-1-i), 30, "#/components/schemas/", schemas, 1) })
	d.add(`}}}`)
}

// schema writes the schema of an index with some properties, and as many references to later ones.
func (d *document) schema(i, references, properties int, prefix string, schemas, depth int) {
	d.add(`"s%d": {"type": "object", "description": %q, "required": ["id"], "properties": {"id": {"type": "integer"},`, i, d.text(10))
	d.each(properties, func(j int) { d.property(j, depth) })
	for j := range references {
		d.add(`, "r%d": {"$ref": "%ss%d"}`, j, prefix, i+1+d.random.IntN(schemas-1-i))
	}
	d.add(`}}`)
}

// form writes a document of the shape Form.
func (d *document) form(operations int) {
	const schemas = 1_500
	d.add(`{"openapi": "3.0.0", "info": {"title": "Quay", "version": "1"}, "paths": {`)
	d.each(operations, func(i int) {
		d.add(`"/v1/quay%d/{id}": {%q: {"operationId": "DoQuay%d", "description": %q, "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}], `,
			i, method(i), i, d.text(20))
		d.add(`"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {`)
		d.each(12, func(j int) { d.property(j, 4) })
		d.add(`}}}}}, "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/s%d"}}}}}}}`, d.random.IntN(schemas))
	})
	d.add(`}, "components": {"schemas": {`)
	d.each(schemas, func(i int) { d.schema(i, min(3, schemas-1-i), 8, "#/components/schemas/", schemas, 1) })
	d.add(`}}}`)
}

// kinds writes a document of the shape Kinds.
func (d *document) kinds(operations int) {
	levels := []int{80, 160, 200, 150, 100, 40} // definitions; those of a level refer to the next two
	d.add(`{"swagger": "2.0", "info": {"title": "Fleet", "version": "1"}, "paths": {`)
	d.each(operations, func(i int) {
		d.add(`"/apis/fleet%d/{name}": {%q: {"operationId": "doFleet%d", "description": %q, "tags": ["v%d"], "parameters": [`, i, method(i), i, d.text(6), i%30)
		d.each(6, func(j int) {
			d.add(`{"name": "q%d", "in": "query", "type": "string", "uniqueItems": true, "description": %q}`, j, d.text(40))
		})
		if i%3 > 0 {
			d.add(`, {"name": "body", "in": "body", "required": true, "schema": {"$ref": "#/definitions/s%d"}}`, i%levels[0])
		}
		d.add(`], "responses": {"200": {"description": "OK", "schema": {"$ref": "#/definitions/s%d"}}}}}`, i%levels[0])
	})
	d.add(`}, "definitions": {`)
	first, all := 0, 0
	for _, n := range levels {
		all += n
	}
	for l, n := range levels {
		if l > 0 {
			d.out.WriteByte(',')
		}
		d.each(n, func(i int) {
			d.add(`"s%d": {"type": "object", "description": %q, "properties": {`, first+i, d.text(15))
			d.each(5, func(j int) { d.property(j, 0) })
			for j := range 3 {
				if next := first + n; next < all {
					d.add(`, "r%d": {"description": %q, "$ref": "#/definitions/s%d"}`, j, d.text(12), next+d.random.IntN(min(all-next, levels[l+1]+40)))
				}
			}
			d.add(`}}`)
		})
		first += n
	}
	d.add(`}}`)
}
