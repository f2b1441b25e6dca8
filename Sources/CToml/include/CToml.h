/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A C face on toml++: one call turns text into a flat array of nodes with positions, or into the
 * place of its first syntax error; one call frees all of it. It interprets nothing, and it keeps
 * toml++'s English to itself: each version words errors differently. Next: `Sources/TOML`.
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

/* UTF-8, not terminated; it may hold NUL. */
typedef struct {
  const char *bytes;
  size_t length;
} ctoml_text;

/* Both from 1; the column counts Unicode code points. A byte order mark counts for nothing. */
typedef struct {
  uint32_t line;
  uint32_t column;
} ctoml_position;

/* What the kind has no use for is 0. */
typedef struct {
  uint16_t year;
  uint8_t month, day, hour, minute, second;
  uint32_t nanosecond;
  int16_t offset_minutes; /* east of UTC */
} ctoml_moment;

typedef struct {
  ctoml_kind kind;
  uint32_t children; /* of a table or an array: so many nodes, each with all of its own, follow */
  ctoml_text key;    /* of what is in a table, else empty */
  ctoml_position key_begin;
  ctoml_position begin; /* of a table with a header or a dotted key: that header or key */
  ctoml_position end;   /* behind the last character; without a meaning for a table with a header */
  union {
    ctoml_text string;
    int64_t integer;
    double real;
    bool boolean;
    ctoml_moment moment;
  } value;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/* Parses `length` bytes, which may hold anything. Never NULL; free it with `ctoml_free`. */
ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

/* The nodes in preorder, a table's entries in the order of the text; the root is the first. NULL
 * after a syntax error. They live as long as the document. */
const ctoml_node *ctoml_nodes(const ctoml_document *document);

/* Where reading stopped, once `ctoml_nodes` gave NULL: at the error or behind it. */
ctoml_position ctoml_error(const ctoml_document *document);

/* The line in which the statement begins that reaches into `line`. What stands above it must be
 * TOML. */
uint32_t ctoml_statement(const char *bytes, size_t length, uint32_t line);

#ifdef __cplusplus
}
#endif
#endif
