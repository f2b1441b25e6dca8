// SPDX-License-Identifier: GPL-3.0-or-later
//
// toml++ flattened for C. Exceptions are off; a lack of memory ends the process, as everywhere.

// A config nests four deep. Together with `dots_in_a_line` this bounds the depth of the tree, which
// toml++ and those who read the nodes walk by recursion.
#define TOML_MAX_NESTED_VALUES 16

#include "CToml.h"

#include <algorithm>
#include <string>
#include <toml++/toml.h>
#include <utility>
#include <vector>

struct ctoml_document {
  toml::table root;  // owns the text that the nodes point to
  std::vector<ctoml_node> nodes;
  std::string error;
  ctoml_position error_position{};
};

namespace {

// A dotted key `a.b.c` makes a table for each part, and toml++ 3.3 sets no limit to them (3.4 does,
// TOML_MAX_DOTTED_KEYS_DEPTH): a line of some 30,000 parts overflows the stack when the tree is
// freed. A key cannot leave its line, so counting the dots of a line bounds its parts, whatever else
// the dots may be. Dots in a row, as in "wait...", cannot be a key's.
constexpr size_t dots_in_a_line = 250;

bool too_many_dots(const char *bytes, size_t length, ctoml_position &at) {
  size_t dots = 0;
  at = {1, 1};
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] == '\n') {
      at.line++;
      dots = 0;
    } else if (bytes[i] == '.' && (i + 1 == length || bytes[i + 1] != '.') &&
               ++dots > dots_in_a_line) {
      return true;
    }
  }
  return false;
}

ctoml_position position(const toml::source_position &p) { return {p.line, p.column}; }

ctoml_text text(std::string_view s) { return {s.data(), s.size()}; }

void set_date(ctoml_moment &moment, const toml::date &date) {
  moment.year = date.year;
  moment.month = date.month;
  moment.day = date.day;
}

void set_time(ctoml_moment &moment, const toml::time &time) {
  moment.hour = time.hour;
  moment.minute = time.minute;
  moment.second = time.second;
  moment.nanosecond = time.nanosecond;
}

void set_value(ctoml_node &flat, const toml::node &node) {
  if (auto string = node.as_string()) {
    flat.kind = CTOML_STRING;
    flat.value.string = text(string->get());
  } else if (auto integer = node.as_integer()) {
    flat.kind = CTOML_INTEGER;
    flat.value.integer = integer->get();
  } else if (auto real = node.as_floating_point()) {
    flat.kind = CTOML_FLOAT;
    flat.value.real = real->get();
  } else if (auto boolean = node.as_boolean()) {
    flat.kind = CTOML_BOOLEAN;
    flat.value.boolean = boolean->get();
  } else if (auto date = node.as_date()) {
    flat.kind = CTOML_DATE;
    set_date(flat.value.moment, date->get());
  } else if (auto time = node.as_time()) {
    flat.kind = CTOML_TIME;
    set_time(flat.value.moment, time->get());
  } else if (auto date_time = node.as_date_time()) {
    const toml::date_time &both = date_time->get();
    flat.kind = both.offset ? CTOML_OFFSET_DATE_TIME : CTOML_DATE_TIME;
    set_date(flat.value.moment, both.date);
    set_time(flat.value.moment, both.time);
    if (both.offset) flat.value.moment.offset_minutes = both.offset->minutes;
  }
}

void append(std::vector<ctoml_node> &nodes, const toml::node &node, const toml::key *key) {
  ctoml_node flat{};
  if (key) {
    flat.key = text(key->str());
    flat.key_begin = position(key->source().begin);
  }
  flat.begin = position(node.source().begin);
  flat.end = position(node.source().end);

  if (auto table = node.as_table()) {
    flat.kind = CTOML_TABLE;
    flat.children = static_cast<uint32_t>(table->size());
    nodes.push_back(flat);
    // toml++ keeps a table sorted by name; the order of the text is what people mean.
    std::vector<std::pair<const toml::key *, const toml::node *>> entries;
    entries.reserve(table->size());
    for (auto &&[name, value] : *table) entries.emplace_back(&name, &value);
    std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
      const auto &p = a.first->source().begin, &q = b.first->source().begin;
      return std::pair(p.line, p.column) < std::pair(q.line, q.column);
    });
    for (const auto &[name, value] : entries) append(nodes, *value, name);
  } else if (auto array = node.as_array()) {
    flat.kind = CTOML_ARRAY;
    flat.children = static_cast<uint32_t>(array->size());
    nodes.push_back(flat);
    for (const toml::node &element : *array) append(nodes, element, nullptr);
  } else {
    set_value(flat, node);
    nodes.push_back(flat);
  }
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length) {
  auto *document = new ctoml_document;
  if (too_many_dots(bytes, length, document->error_position)) {
    document->error = "more than " + std::to_string(dots_in_a_line) + " dots in one line";
    return document;
  }
  toml::parse_result result = toml::parse(std::string_view(bytes, length));
  if (result) {
    document->root = std::move(result).table();
    // About what an alarm needs; memory that is not touched costs nothing.
    document->nodes.reserve(length / 8 + 1);
    append(document->nodes, document->root, nullptr);
  } else {
    document->error = result.error().description();
    document->error_position = position(result.error().source().begin);
  }
  return document;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_nodes(const ctoml_document *document) {
  return document->nodes.empty() ? nullptr : document->nodes.data();
}

ctoml_text ctoml_error(const ctoml_document *document, ctoml_position *at) {
  *at = document->error_position;
  return text(document->error);
}
