#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""output-faults.py SCHEMA PRINTED: prints where the output of commands does not fit the schema."""
import datetime, json, jsonschema, re, sys
schema = json.load(open(sys.argv[1]))
types = {}
def walk(value, line):
  if isinstance(value, list):
    for item in value: walk(item, line)
  if not isinstance(value, dict): return
  for key, item in value.items():
    kind = "number" if type(item) in (int, float) else type(item).__name__
    if types.setdefault(key, kind) != kind: print(f"{line}: {key} is {kind} and {types[key]}")
    if isinstance(item, str) and key not in ("korean", "local") and re.search("[가-힣]", item):
      print(f"{line}: {key} is not English: {item}")
    if isinstance(item, str) and re.match(r"\d{4}-\d\d-\d\dT", item):
      if ("epoch" if key == "at" else key + "_epoch") not in value:
        print(f"{line}: {key} is a moment without its epoch")
    if key.endswith("epoch"):
      text = value["at" if key == "epoch" else key[:-6]]
      moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
      if int(moment.timestamp()) != item: print(f"{line}: {key} is {item}, and not {text}")
    walk(item, line)
for row in json.load(open(sys.argv[2])):
  try:
    value = json.loads(row["text"])
  except ValueError as error:
    print(f"{row['line']}: {error}: {row['text'][:200]}")
    continue
  for Validator in [jsonschema.Draft4Validator, jsonschema.Draft202012Validator]:
    Validator.check_schema(schema)
    for error in Validator(schema).iter_errors({row["command"]: value}):
      print(f"{row['line']}: {error.json_path}: {error.message[:300]}")
  # Do not check these two: the output for Waybar is in the user's language, and the keys of the
  # schema have other types.
  if row["command"] not in ("config schema", "follow --waybar"): walk(value, row["line"])
