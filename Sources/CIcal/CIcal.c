// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libical, which is loaded by it: see CLibrary.h. Without it no text is a
// calendar, and nothing else is to be called.
#include "CLibrary.h"
#include "shim.h"

#define PASS(otherwise, type, function, parameters, arguments) \
  FORWARD("libical.so.3", otherwise, type, function, parameters, arguments)

#define NO_TIME ((struct icaltimetype){0})

PASS((void)0, void, icalerror_set_errors_are_fatal, (int fatal), (fatal))
PASS(NULL, icalcomponent *, icalparser_parse_string, (const char *text), (text))
PASS((void)0, void, icalcomponent_free, (icalcomponent * component), (component))
PASS(0, int, icalcomponent_isa, (const icalcomponent *component), (component))
PASS(NULL, icalcomponent *, icalcomponent_get_first_component,
     (icalcomponent * component, int kind), (component, kind))
PASS(NULL, icalcomponent *, icalcomponent_get_next_component,
     (icalcomponent * component, int kind), (component, kind))
PASS(NULL, icalproperty *, icalcomponent_get_first_property,
     (icalcomponent * component, int kind), (component, kind))
PASS(NULL, icalproperty *, icalcomponent_get_next_property,
     (icalcomponent * component, int kind), (component, kind))
PASS(NO_TIME, struct icaltimetype, icalcomponent_get_dtstart, (icalcomponent * component),
     (component))
PASS(NO_TIME, struct icaltimetype, icalcomponent_get_dtend, (icalcomponent * component),
     (component))
PASS(0, int, icalcomponent_get_status, (icalcomponent * component), (component))
PASS(NULL, const char *, icalcomponent_get_summary, (icalcomponent * component), (component))
PASS(NULL, const char *, icalcomponent_get_uid, (icalcomponent * component), (component))
PASS(NULL, const char *, icalproperty_get_property_name, (const icalproperty *property), (property))
PASS(NULL, const char *, icalproperty_get_value_as_string, (const icalproperty *property),
     (property))
PASS(NULL, const char *, icalproperty_get_parameter_as_string,
     (icalproperty * property, const char *name), (property, name))
PASS((struct icaldatetimeperiodtype){0}, struct icaldatetimeperiodtype, icalproperty_get_rdate,
     (const icalproperty *property), (property))
PASS(NO_TIME, struct icaltimetype, icalproperty_get_datetime_with_component,
     (icalproperty * property, icalcomponent *component), (property, component))
PASS(NULL, const char *, icalproperty_get_xlicerror, (const icalproperty *property), (property))
PASS((struct icalrecurrencetype){0}, struct icalrecurrencetype, icalproperty_get_rrule,
     (const icalproperty *property), (property))
PASS(NULL, icalrecur_iterator *, icalrecur_iterator_new,
     (struct icalrecurrencetype rule, struct icaltimetype start), (rule, start))
PASS(NO_TIME, struct icaltimetype, icalrecur_iterator_next, (icalrecur_iterator * iterator),
     (iterator))
PASS((void)0, void, icalrecur_iterator_free, (icalrecur_iterator * iterator), (iterator))
PASS(0, time_t, icaltime_as_timet_with_zone,
     (struct icaltimetype time, const icaltimezone *zone), (time, zone))

// ICAL_DAILY_RECURRENCE to ICAL_YEARLY_RECURRENCE.
enum { DAILY = 3, YEARLY = 6 };
// ICAL_RECURRENCE_ARRAY_MAX: behind the last of a list.
enum { END = 0x7f7f };

static int is_one(const short *list) { return list[0] == END || list[1] == END; }

icalrecur_iterator *belfry_ical_times(
    const icalproperty *property, struct icaltimetype start, struct icaltimetype end) {
  struct icalrecurrencetype rule = icalproperty_get_rrule(property);
  if (rule.freq < DAILY || rule.freq > YEARLY) return NULL;
  if (!is_one(rule.by_second) || !is_one(rule.by_minute) || !is_one(rule.by_hour)) return NULL;
  // So that a rule without any more times is not followed to the end of time.
  if (rule.until.year == 0 && rule.count == 0) rule.until = end;
  return icalrecur_iterator_new(rule, start);
}
