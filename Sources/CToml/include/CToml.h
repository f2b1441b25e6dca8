/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A C interface to toml++. One call parses a text: it returns a flat array of nodes with their
 * positions, or the position of the first syntax error. Another call frees everything.
 * `Sources/TOML` interprets the values. It also writes the error messages, because each version of
 * toml++ words its messages differently.
 */
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_DATE,
  CTOML_TIME,
  CTOML_DATE_TIME,
  CTOML_OFFSET_DATE_TIME
} ctoml_kind;

/* UTF-8 text. No NUL is added at its end, and the text itself may contain NULs. */
typedef struct {
  const char *bytes;
  size_t length;
} ctoml_text;

/* Line and column begin at 1. The column counts Unicode code points, without a byte order mark. */
typedef struct {
  uint32_t line;
  uint32_t column;
} ctoml_position;

/* A date, a time or both. Fields that the kind of value does not have are 0. */
typedef struct {
  uint16_t year;
  uint8_t month, day, hour, minute, second;
  uint32_t nanosecond;
  int16_t offset_minutes; /* east of UTC */
} ctoml_moment;

typedef struct {
  ctoml_kind kind;
  uint32_t children; /* how many, in a table or array; each follows with its own children */
  ctoml_text key;    /* empty if the node is not in a table */
  ctoml_position key_begin;
  ctoml_position begin; /* for a table with a header or a dotted key: that of the header or key */
  ctoml_position end;   /* the position after the node; meaningless for a table with a header */
  union {
    ctoml_text string;
    int64_t integer;
    double real;
    bool boolean;
    ctoml_moment moment;
  } value;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/* Parses `length` bytes, which need not be valid TOML or UTF-8. Never returns NULL. Free the
 * document with `ctoml_free`. */
ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

/* Returns the nodes in preorder: first the root, and the entries of a table sorted by name. Returns
 * NULL after a syntax error. The nodes live as long as the document. */
const ctoml_node *ctoml_nodes(const ctoml_document *document);

/* Returns the position at which parsing stopped, if `ctoml_nodes` returned NULL. This is the
 * position of the syntax error, or a later position. */
ctoml_position ctoml_error(const ctoml_document *document);

/* Returns the number of the line in which the statement that contains `line` begins. The text above
 * that statement must be valid TOML. */
uint32_t ctoml_statement(const char *bytes, size_t length, uint32_t line);

#ifdef __cplusplus
}
#endif
#endif
