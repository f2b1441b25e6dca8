// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libical 3, as its ical.h declares it. Declared here, and not included:
// nothing that is built needs it, and what is loaded is libical.so.3, whatever headers there are.
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
  // by_day, by_month_day, by_year_day, by_week_no, by_month and by_set_pos.
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

void icalerror_set_errors_are_fatal(int fatal);

icalcomponent *icalparser_parse_string(const char *text);
void icalcomponent_free(icalcomponent *component);
int icalcomponent_isa(const icalcomponent *component);
icalcomponent *icalcomponent_get_first_component(icalcomponent *component, int kind);
icalcomponent *icalcomponent_get_next_component(icalcomponent *component, int kind);
icalproperty *icalcomponent_get_first_property(icalcomponent *component, int kind);
icalproperty *icalcomponent_get_next_property(icalcomponent *component, int kind);
struct icaltimetype icalcomponent_get_dtstart(icalcomponent *component);
struct icaltimetype icalcomponent_get_dtend(icalcomponent *component);
int icalcomponent_get_status(icalcomponent *component);
const char *icalcomponent_get_summary(icalcomponent *component);
const char *icalcomponent_get_uid(icalcomponent *component);

const char *icalproperty_get_property_name(const icalproperty *property);
const char *icalproperty_get_value_as_string(const icalproperty *property);
const char *icalproperty_get_parameter_as_string(icalproperty *property, const char *name);
struct icaldatetimeperiodtype icalproperty_get_rdate(const icalproperty *property);
struct icaltimetype icalproperty_get_datetime_with_component(
    icalproperty *property, icalcomponent *component);
const char *icalproperty_get_xlicerror(const icalproperty *property);
struct icalrecurrencetype icalproperty_get_rrule(const icalproperty *property);

icalrecur_iterator *icalrecur_iterator_new(
    struct icalrecurrencetype rule, struct icaltimetype start);
struct icaltimetype icalrecur_iterator_next(icalrecur_iterator *iterator);
void icalrecur_iterator_free(icalrecur_iterator *iterator);

time_t icaltime_as_timet_with_zone(struct icaltimetype time, const icaltimezone *zone);

/// Begins to tell the times that `rule`, an RRULE, names from `start` to about `end`; NULL where it
/// is none, or comes more often than once a day: libical may look for the next such time for years.
/// In C: Swift has no arrays of a fixed length, and would have 1,400 values to pass.
icalrecur_iterator *belfry_ical_times(
    const icalproperty *rule, struct icaltimetype start, struct icaltimetype end);
