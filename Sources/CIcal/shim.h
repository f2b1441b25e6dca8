// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of libical 3 that Belfry calls, as its ical.h declares them. The header itself is
// not included, so that a build needs no libical, and so that the declarations fit libical.so.3
// whatever version is installed. The library is loaded when a config first names a calendar,
// because libical loads ICU too, and few configs name a calendar. `Library.swift` loads it.
#pragma once
#include <time.h>

typedef struct icalcomponent_impl icalcomponent;
typedef struct icalproperty_impl icalproperty;
typedef struct icalrecur_iterator_impl icalrecur_iterator;
typedef struct _icaltimezone icaltimezone;

struct icaltimetype {
  int year, month, day, hour, minute, second;
  int is_date, is_daylight;
  const icaltimezone *zone;
};

struct icaldurationtype {
  int is_neg;
  unsigned int days, weeks, hours, minutes, seconds;
};

struct icalperiodtype {
  struct icaltimetype start, end;
  struct icaldurationtype duration;
};

struct icaldatetimeperiodtype {
  struct icaltimetype time;
  struct icalperiodtype period;
};

struct icalrecurrencetype {
  int freq;
  struct icaltimetype until;
  int count;
  short interval;
  int week_start;
  short by_second[62], by_minute[61], by_hour[25];
  // The arrays by_day, by_month_day, by_year_day, by_week_no, by_month and by_set_pos.
  short by_the_rest[386 + 32 + 386 + 56 + 14 + 386];
  char *rscale;
  int skip;
};

typedef enum {
  ICAL_VEVENT_COMPONENT = 4,
  ICAL_VTODO_COMPONENT = 5,
  ICAL_VCALENDAR_COMPONENT = 7,
  ICAL_VALARM_COMPONENT = 10,
  ICAL_ANY_PROPERTY = 0,
  ICAL_EXDATE_PROPERTY = 35,
  ICAL_RDATE_PROPERTY = 62,
  ICAL_RECURRENCEID_PROPERTY = 66,
  ICAL_RRULE_PROPERTY = 73,
  ICAL_XLICERROR_PROPERTY = 93,
  ICAL_STATUS_CANCELLED = 10905,
} ical_kind;

// The functions of libical that Belfry calls, each with its result, its name and its parameters.
#define BELFRY_ICAL(USE)                                                                        \
  USE(void, icalerror_set_errors_are_fatal, (int fatal))                                        \
  USE(icalcomponent *, icalparser_parse_string, (const char *text))                             \
  USE(void, icalcomponent_free, (icalcomponent *))                                              \
  USE(int, icalcomponent_isa, (const icalcomponent *))                                          \
  USE(icalcomponent *, icalcomponent_get_first_component, (icalcomponent *, int kind))          \
  USE(icalcomponent *, icalcomponent_get_next_component, (icalcomponent *, int kind))           \
  USE(icalproperty *, icalcomponent_get_first_property, (icalcomponent *, int kind))            \
  USE(icalproperty *, icalcomponent_get_next_property, (icalcomponent *, int kind))             \
  USE(struct icaltimetype, icalcomponent_get_dtstart, (icalcomponent *))                        \
  USE(struct icaltimetype, icalcomponent_get_dtend, (icalcomponent *))                          \
  USE(int, icalcomponent_get_status, (icalcomponent *))                                         \
  USE(const char *, icalcomponent_get_summary, (icalcomponent *))                               \
  USE(const char *, icalcomponent_get_uid, (icalcomponent *))                                   \
  USE(const char *, icalproperty_get_property_name, (const icalproperty *))                     \
  USE(const char *, icalproperty_get_value_as_string, (const icalproperty *))                   \
  USE(const char *, icalproperty_get_parameter_as_string, (icalproperty *, const char *name))   \
  USE(struct icaldatetimeperiodtype, icalproperty_get_rdate, (const icalproperty *))            \
  USE(struct icaltimetype, icalproperty_get_datetime_with_component,                            \
      (icalproperty *, icalcomponent *))                                                        \
  USE(const char *, icalproperty_get_xlicerror, (const icalproperty *))                         \
  USE(struct icalrecurrencetype, icalproperty_get_rrule, (const icalproperty *))                \
  USE(icalrecur_iterator *, icalrecur_iterator_new,                                             \
      (struct icalrecurrencetype rule, struct icaltimetype start))                              \
  USE(struct icaltimetype, icalrecur_iterator_next, (icalrecur_iterator *))                     \
  USE(void, icalrecur_iterator_free, (icalrecur_iterator *))                                    \
  USE(time_t, icaltime_as_timet_with_zone, (struct icaltimetype time, const icaltimezone *))

typedef struct {
#define MEMBER(type, function, parameters) type(*function) parameters;
  BELFRY_ICAL(MEMBER)
#undef MEMBER
} belfry_ical;

// Returns the names of the functions, in the order of the members of `belfry_ical`. This is a
// function because Swift does not emit the variables of a header.
static inline const char *const *belfry_ical_names(void) {
#define NAME(type, function, parameters) #function,
  static const char *const names[] = {BELFRY_ICAL(NAME)};
#undef NAME
  return names;
}

// Returns whether the list has at most one value. 0x7f7f (ICAL_RECURRENCE_ARRAY_MAX) ends a list.
static inline int belfry_ical_is_one(const short *list) {
  return list[0] == 0x7f7f || list[1] == 0x7f7f;
}

// Returns an iterator over the times of the RRULE `property` from `start` to about `end`. Returns
// NULL if the property is no rule. Also returns NULL if the rule repeats more than once a day,
// because libical may then search through years to find the next time. This function is in C
// because Swift would have to pass the fixed arrays as 1,400 single values.
static inline icalrecur_iterator *belfry_ical_times(
    belfry_ical ical, const icalproperty *property, struct icaltimetype start,
    struct icaltimetype end) {
  struct icalrecurrencetype rule = ical.icalproperty_get_rrule(property);
  // 3 is ICAL_DAILY_RECURRENCE, and 6 is ICAL_YEARLY_RECURRENCE.
  if (rule.freq < 3 || rule.freq > 6) return NULL;
  if (!belfry_ical_is_one(rule.by_second) || !belfry_ical_is_one(rule.by_minute) ||
      !belfry_ical_is_one(rule.by_hour))
    return NULL;
  // A rule without an end gets one, because libical would search forever in a rule that has no more
  // times.
  if (rule.until.year == 0 && rule.count == 0) rule.until = end;
  return ical.icalrecur_iterator_new(rule, start);
}
