#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""config-faults.py SCHEMA CONFIG: prints the path of each value of a config that does not fit.

The config is validated with two drafts of JSON Schema.
"""
import datetime, json, jsonschema, sys, tomllib
plain = lambda value: value.isoformat() if not isinstance(value, (dict, list)) else value
text = json.dumps(tomllib.load(open(sys.argv[2], "rb")), default=plain)
schema = json.load(open(sys.argv[1]))
for Validator in [jsonschema.Draft4Validator, jsonschema.Draft202012Validator]:
  Validator.check_schema(schema)
  for error in Validator(schema).iter_errors(json.loads(text)):
    print(error.json_path)
