#!/usr/bin/env bash
# A schema of an OpenAPI document says {"type":"string","nullable":true,"enum":["red","blue"]}, and the
# value is null.
#
# A good engineer would guess: nullable means that null is taken, and every validator that knows
# the word takes it.
#
# What is true: it depends on the package. Ajv 8.20.0 and, in Python,
# openapi-schema-validator 0.9.0, know nullable, and refuse null here: the enum does not list it
# (OpenAPI 3.0.3 was made to say so). openapi-schema-to-json-schema 5.1.0, which makes JSON
# Schema of such documents, adds null to the enum, and so takes it. And "const" beside nullable is
# not an enum to all: the Python validator takes null there, since it knows no const; Ajv refuses it.
# So a model that sends null for "no choice" is refused by one server and served by another
# of the same document.
#
# Packages: ajv 8.20.0, @openapi-contrib/openapi-schema-to-json-schema 5.1.0 (npm);
# openapi-schema-validator 0.9.0 (PyPI). Month: 2026-11. Output seen:
#   ajv: enum false, enum with null true, const false
#   converted: {"type":["string","null"],"enum":["red","blue",null]}
#   python: enum False, enum with null True, const True
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ajv@8.20.0 @openapi-contrib/openapi-schema-to-json-schema@5.1.0 >/dev/null
python3 -m venv python
python/bin/pip install --quiet openapi-schema-validator==0.9.0

cat >check.js <<'EOF'
const Ajv = require("ajv");
const { fromSchema, openapiSchemaToJsonSchema } = require("@openapi-contrib/openapi-schema-to-json-schema");
const takes = (schema) => new Ajv({ strict: false }).compile(schema)(null);
const colour = { type: "string", nullable: true, enum: ["red", "blue"] };
console.log(`ajv: enum ${takes(colour)}, enum with null ${takes({ ...colour, enum: ["red", null] })}, const ${takes({ type: "string", nullable: true, const: "red" })}`);
const { $schema, ...converted } = (fromSchema || openapiSchemaToJsonSchema)(colour);
console.log("converted: " + JSON.stringify(converted));
EOF
cat >check.py <<'EOF'
from openapi_schema_validator import OAS30Validator
takes = lambda schema: OAS30Validator(dict({"type": "string", "nullable": True}, **schema)).is_valid(None)
print(f"python: enum {takes({'enum': ['red', 'blue']})}, enum with null {takes({'enum': ['red', None]})}, const {takes({'const': 'red'})}")
EOF
(node check.js && python/bin/python check.py) | tee seen
diff seen - <<'EOF'
ajv: enum false, enum with null true, const false
converted: {"type":["string","null"],"enum":["red","blue",null]}
python: enum False, enum with null True, const True
EOF
