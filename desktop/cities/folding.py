# SPDX-License-Identifier: GPL-3.0-or-later
"""Folds names for comparison: without case, marks on letters and apostrophes, and with Hangul
letter by letter as it is typed, so that 붓 begins 부산. make.py writes every name of the table in
this form. It also writes the letters that change, so that a search can fold the typed text in the
same way."""
import re
import unicodedata

CONSONANTS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
# The final consonants of Korean syllables that are typed as two letters. Some keyboards turn ㄱㅅ
# into ㄳ, so a search must find both.
PAIRS = dict(zip("ㄳㄵㄶㄺㄻㄼㄽㄾㄿㅀㅄ", "ㄱㅅ ㄴㅈ ㄴㅎ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅂㅅ".split()))
FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def without_marks(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def changed_letters():
    """Returns what each letter becomes if it is not compared as itself, in lower case only."""
    letters = {}
    for code in [*range(0x80, 0x530), *range(0x1E00, 0x2000)]:  # Latin, Greek, Cyrillic
        letter = chr(code)
        if letter.lower() == letter and letter.isalpha():
            letters[letter] = without_marks(letter)
    letters |= dict(zip("øłđðħıəŧς", "olddhietσ"), ß="ss", æ="ae", œ="oe", þ="th")
    letters |= dict.fromkeys("'.`‘’‚‛" + "".join(map(chr, range(0x2B9, 0x2C0))), "")
    letters |= dict.fromkeys(map(chr, range(0x300, 0x370)), "")
    letters |= dict.fromkeys("-_\u00A0\u3000" + "".join(map(chr, range(0x2010, 0x2016))), " ")
    for code in range(0xFF01, 0xFF5F):  # Latin letters as wide as Chinese ones.
        letter = chr(code - 0xFEE0)
        if letter in letters or letter.islower() or letter.isdigit() or letter == ",":
            letters[chr(code)] = letters.get(letter, letter)
    # The parts of a syllable, in the order of Unicode.
    letters |= {chr(0x1100 + i): letter for i, letter in enumerate(CONSONANTS)}
    letters |= {chr(0x1161 + i): letter for i, letter in enumerate(VOWELS)}
    letters |= {chr(0x11A8 + i): PAIRS.get(letter, letter) for i, letter in enumerate(FINALS)}
    letters |= PAIRS
    return {letter: becomes for letter, becomes in letters.items() if letter != becomes}


LETTERS = changed_letters()


def fold(text):
    """Returns `text` in the form that is compared."""
    parts = re.sub("[가-힣]", lambda s: unicodedata.normalize("NFD", s[0]), text.lower())
    return re.sub(" +", " ", "".join(LETTERS.get(c, c) for c in parts)).strip()


def initials(text):
    """Returns the initial consonants of a Korean name, ㅅㅇ for 서울; for other names nothing."""
    if not re.search("[가-힣]", text):
        return ""
    return re.sub("[가-힣]", lambda s: CONSONANTS[(ord(s[0]) - 0xAC00) // 588], text)


def letter_rows():
    """Returns the `letters` rows of the table: for each result, the letters that become it."""
    rows = {}
    for letter, becomes in sorted(LETTERS.items()):
        rows.setdefault(becomes, []).append(letter)
    return [["letters", becomes, "".join(letters)] for becomes, letters in sorted(rows.items())]
