// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts that are not TOML, each with the place, the message and the hint that it must give, for
// `SyntaxTests.swift`.

extension SyntaxTests {
  static let cases: [(String, String, String, String?)] = [
    // Times and dates.
    ("time = 25:30", "1:8", "25:30 is not a time of day", #"write it like 07:30 or "7:30 pm""#),
    ("time = 7:30", "1:8", "the hour of a time has two digits", "write 07:30"),
    ("time = 07:60", "1:8", "07:60 is not a time of day", #"write it like 07:30 or "7:30 pm""#),
    ("time = 07:30 am # early", "1:8", "a time with am or pm needs quotes", "write 07:30"),
    ("time = 7pm", "1:8", "a time with am or pm needs quotes", "write 19:00"),
    ("time = 24:00", "1:8", "24:00 is not a time of day", "midnight is 00:00"),
    (
      "time = 0730", "1:8", "0730 is neither a number nor a time",
      "a time is written 07:30, a number without zeros in front"
    ),
    ("between = [9:00, 18:00]", "1:12", "the hour of a time has two digits", "write 09:00"),
    ("date = 2026-02-30", "1:8", "2026-02-30 is not a date", "write a day from 01 to 28"),
    ("date = 2026-13-01", "1:8", "2026-13-01 is not a date", "write a month from 01 to 12"),
    ("date = 2026-2-3", "1:8", "2026-2-3 is not a date", "write 2026-02-03"),
    (
      "date = 24.12.2026", "1:8", "24.12.2026 is not a date",
      "write it like 2026-12-24, without quotes"
    ),
    (
      "except = [2026-01-01, 2026-11-31]", "1:23", "2026-11-31 is not a date",
      "write a day from 01 to 30"
    ),
    ("from = 2026-02-29T07:00:00", "1:8", "2026-02-29 is not a date", "write a day from 01 to 28"),

    // Headings.
    (
      "[[alarm]\ntime = 07:30", "1:1", "the brackets of this heading do not match",
      "write [[alarm]]"
    ),
    ("[alarm]]", "1:1", "the brackets of this heading do not match", "write [[alarm]]"),
    ("[[alarm", "1:1", "the brackets of this heading do not match", "write [[alarm]]"),
    ("[agent # x", "1:1", "the brackets of this heading do not match", "write [agent]"),
    ("[[ala rm]]", "1:3", "a name cannot have spaces", "write alarm"),
    ("[[]]", "1:1", "this heading has no name", "write it like [[alarm]]"),
    (
      "[[alarm]] time = 07:30", "1:11", "a heading needs a line of its own", "begin a new line here"
    ),

    // Texts.
    (
      #"label = "Work"#, "1:9", "this text has no closing quotation mark",
      "text in quotes ends in its line"
    ),
    (
      "label = 'Work # x", "1:9", "this text has no closing quotation mark",
      "text in quotes ends in its line"
    ),
    (
      #"label = "Work\#ntime = 07:30"#, "1:9", "this text has no closing quotation mark",
      "text in quotes ends in its line"
    ),
    (
      #"label = """Work\#ntime = 07:30"#, "1:9", #"there is no """ at the end of this text"#,
      #"write """ after its last line"#
    ),
    (
      #"label = "say "hi" to""#, "1:15", "the text ended at the quotation mark before this",
      #"write \" for a quotation mark in a text"#
    ),
    (
      "label = 'it's'", "1:13", "the text ended at the quotation mark before this",
      #"put the text between " and ""#
    ),
    (
      #"names = ["a"b"]"#, "1:13", "the text ended at the quotation mark before this",
      #"write \" for a quotation mark in a text"#
    ),
    (
      #"sound = "C:\Music\x.ogg""#, "1:12", #"\M means nothing in a text"#,
      #"write \\ for a backslash, or put the text between ' and '"#
    ),
    (
      #"sound = "C:\temp\""#, "1:9",
      #"this text has no closing quotation mark: \" does not end it"#,
      #"write \\ for a backslash, or put the text between ' and '"#
    ),
    (
      #"label = "\u12""#, "1:10", #"\u means nothing in a text"#,
      #"write \\ for a backslash, or put the text between ' and '"#
    ),
    ("label = “Work”", "1:9", "“ (U+201C) is a typographic character", #"write label = "Work""#),
    (#"label = "Work”"#, "1:14", "” (U+201D) is a typographic character", #"write " instead"#),
    ("“label” = 1", "1:1", "“ (U+201C) is a typographic character", #"write " instead"#),
    (#"label ＝ "Work""#, "1:7", "＝ (U+FF1D) is a typographic character", "write = instead"),
    (#"days = ["mon"，"fri"]"#, "1:14", "， (U+FF0C) is a typographic character", "write , instead"),
    (
      #"time = 07:30 # ok\#nlabel\#u{3000}= "Work""#, "2:6",
      "there is an unusual space (U+3000) here", "write a plain space"
    ),
    (
      #"days = [\#u{A0}"mon",\#n "fri" ]"#, "1:9", "there is an unusual space (U+00A0) here",
      "write a plain space"
    ),
    (
      #"label = "Work"\#u{3000}"#, "1:15", "there is an unusual space (U+3000) here",
      "write a plain space"
    ),
    (
      #"label = "a\#u{1}b""#, "1:11", "there is a control character (U+0001) here",
      #"remove it, or write \u0001 between " and ""#
    ),
    ("# a\u{1}b", "1:4", "there is a control character (U+0001) here", "remove it"),

    // Values without quotes.
    ("label = Work", "1:9", "text needs quotes", #"write label = "Work""#),
    ("label = Work out # twice", "1:9", "text needs quotes", #"write label = "Work out""#),
    (#"label = Work""#, "1:9", "text needs quotes", #"write label = "Work""#),
    ("sound = ~/x.ogg", "1:9", "text needs quotes", #"write sound = "~/x.ogg""#),
    (#"days = [mon, "fri"]"#, "1:9", "text needs quotes", #"write "mon""#),
    ("days = mon, fri", "1:8", "a list needs brackets", #"write days = ["mon", "fri"]"#),
    (#"days = "mon", "fri""#, "1:8", "a list needs brackets", #"write days = ["mon", "fri"]"#),
    (#"days = "mon"]"#, "1:13", "there is no [ for this ]", "remove it"),
    ("late = 10m", "1:8", "a duration needs quotes", #"write late = "10m""#),
    ("snooze = [5m, 10m]", "1:11", "a duration needs quotes", #"write "5m""#),
    ("every = 2 weeks", "1:9", "text needs quotes", #"write every = "2 weeks""#),
    ("volume = 80%", "1:10", "80% is not a number", "write 80"),
    ("volume = 99999999999999999999", "1:10", "99999999999999999999 is too large a number", nil),
    ("volume = 1e400", "1:10", "1e400 is too large a number", nil),
    ("volume = 1.", "1:10", "1. is not a number", nil),
    ("wake = True", "1:8", "true and false are written in small letters", "write true"),
    ("wake = yes", "1:8", "yes is neither true nor false", #"write true, or "yes" if it is text"#),

    // Keys and lines.
    ("time 07:30", "1:6", "there is no = after time", "write time = 07:30"),
    ("label Work", "1:7", "there is no = after label", #"write label = "Work""#),
    ("time", "1:5", "there is no = after time", "write time = and its value"),
    ("time =", "1:7", "time has no value", "write a value after the =, or remove the line"),
    ("time = # seven", "1:8", "time has no value", "write a value after the =, or remove the line"),
    ("= 07:30", "1:1", "there is no key before this =", "write it like time = 07:30"),
    (
      #"days = ["mon" "fri"]"#, "1:15", "there is no comma before this",
      "write a comma between two values"
    ),
    (
      #"days = ["mon", "fri"\#nlabel = 1"#, "1:8", "there is no ] for this [",
      "write ] after the last value"
    ),
    (
      #"days = ["mon", # first\#n\#n[[alarm]]\#ntime = 07:30"#, "1:8", "there is no ] for this [",
      "write ] after the last value"
    ),
    (#"days = ["mon", "fri""#, "1:8", "there is no ] for this [", "write ] after the last value"),
    (#"days = ["mon",, "fri"]"#, "1:15", "there is no value before this comma", "remove the comma"),
    (
      #"alarm = [{time = 07:30, label: "x"}]"#, "1:30",
      "a key and its value are joined by =, not by :", #"write label = "x""#
    ),
    (
      #"alarm = [{time = 07:30 label = "x"}]"#, "1:24", "there is no comma before this",
      "write a comma between two values"
    ),
    (
      "alarm = [{time = 07:30\n[agent]", "1:10", "there is no } for this {",
      "write } after the last value"
    ),
    (#"fade in = "30s""#, "1:1", "a name cannot have spaces", "write fade_in"),
    ("time: 07:30", "1:5", "a key and its value are joined by =, not by :", "write time = 07:30"),
    (
      "label: Work", "1:6", "a key and its value are joined by =, not by :",
      #"write label = "Work""#
    ),
    (
      "time == 07:30", "1:6", "a key and its value are joined by =, not by ==", "write time = 07:30"
    ),
    (
      "label => Work", "1:7", "a key and its value are joined by =, not by =>",
      #"write label = "Work""#
    ),
    (
      #"time = 07:30 label = "Work""#, "1:14", "two keys cannot stand in one line",
      "begin a new line before label"
    ),
    (
      #"time = 07:30, label = "Work""#, "1:15", "two keys cannot stand in one line",
      "begin a new line before label"
    ),
    ("time = 07:30;", "1:13", "a line does not end with ;", "remove it"),
    ("time = 07:30 // early", "1:14", "a comment begins with #", "write # instead of //"),
    ("// early", "1:1", "a comment begins with #", "write # instead of //"),
    (
      "time = 07:30 early", "1:14", "there is more after the value",
      "remove it, or write # before a comment"
    ),
    (
      "<<<<<<< HEAD", "1:1", "this line marks a merge conflict",
      "keep one of the two versions, and remove the marks"
    ),
    (
      #"time = 07:30\#nlabel = "a"\#ntime = 07:45"#, "3:1", "time is set twice; first in line 1",
      "keep one of the two"
    ),

    ("ti%e = 07:30", "1:3", "% cannot stand in a name", "names have letters, digits, - and _"),

    // Names that are set twice.
    (
      "[[alarm]]\ntime = 07:30\n[[alarm]]\ntime = 08:00\n time = 08:15", "5:2",
      "time is set twice in this alarm; first in line 4", "keep one of the two"
    ),
    (
      #"[defaults]\#nlate = "1m"\#n[defaults]"#, "3:1",
      "[defaults] is there twice; first in line 1", "put all its keys under one heading"
    ),
    (
      #"[defaults]\#nlate = "1m"\#n\#nlate = [\#n1]"#, "4:1",
      "late is set twice in [defaults]; first in line 2", "keep one of the two"
    ),
    (
      "[a.b]\nc = 1\n[a.b]", "3:1", "[a.b] is there twice; first in line 1",
      "put all its keys under one heading"
    ),
    (
      "[[alarm]]\n[alarm]", "2:1",
      "[[alarm]] and [alarm] cannot both be there; the other is in line 1",
      "begin each with [[alarm]]"
    ),
    (
      "[alarm]\n[[alarm]]", "2:1",
      "[[alarm]] and [alarm] cannot both be there; the other is in line 1",
      "begin each with [[alarm]]"
    ),
    (
      "[defaults]\n[[defaults]]", "2:1",
      "[[defaults]] and [defaults] cannot both be there; the other is in line 1",
      "begin it with [defaults]"
    ),
    (
      #"defaults.late = "1m"\#n[defaults]"#, "2:1", "defaults is set twice; first in line 1",
      "keep one of the two"
    ),
    (
      #"late = "1m"\#nlate.x = 2"#, "2:1", "late is set twice; first in line 1",
      "keep one of the two"
    ),
    (
      "x = [[[[[[[[[[[[[[[[[[[[", "1:21", "lists and tables are more than 16 deep in one another",
      nil
    ),
    ("x = {a = 1, a = 2}", "1:17", "this line is not valid TOML", nil),
    ("a..b = 1", "1:3", "this line is not valid TOML", nil),
    (
      "[x]\n# c\ny = 1\ny.z = 2", "4:1", "y is set twice in [x]; first in line 3",
      "keep one of the two"
    ),

    // What nobody writes is not explained.
    ("{a = 1}", "1:1", "this line is not valid TOML", nil),
    ("레이블: 일", "1:4", "a key and its value are joined by =, not by :", #"write 레이블 = "일""#),
    (
      #"label = "가나" "다""#, "1:14", "there is more after the value",
      "remove it, or write # before a comment"
    ),
  ]
}
