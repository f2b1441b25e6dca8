#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the ringtones of Belfry: format, loudness, start, and the seam of the loop.

    /usr/bin/python3 Sounds/check.py [--dir DIR] [--twice] [--selftest]

Prints one line a file and exits 1 if any file breaks a rule. --twice makes all
pieces again in a temporary folder and compares the bytes; --selftest damages the
files in memory (cuts, a click, an offset) and proves that the damage is found
(a cut inside a rest cannot be told from the signal; --twice finds it).
Needs numpy, scipy, vorbis-tools, and ffmpeg for the EBU R128 meter.

The agent plays the file again from sample 0 right after the last sample. What
is tested there, on the ring (last sample followed by the first):

 jump   |x[0] - x[-1]| over the largest sample-to-sample step within 20 ms of
        the seam, the step at the seam left out. Above 1 = a step that nothing
        nearby explains. (Steps over 16 LSB only: below, it is dither.)
 whiten A 24th-order linear predictor, fitted to the 60 ms before the seam,
        predicts sample 0, and one fitted backwards to the 60 ms after the seam
        predicts sample -1. A cut, a splice or a click breaks the prediction at
        that very sample; a struck note does not, as its onset takes longer than
        one sample. The figure is the larger of the two errors at the seam over
        the largest error of the same predictor in the 60 ms it was fitted to.
        Must not exceed 1.5. (Errors below -43.5 dBFS count as that: what Vorbis
        adds is as loud within each struck note, and no smoother there.)
 hf     Energy of the first difference (a +6 dB/octave weighting, so a click
        stands out) in the 5 ms window centred on the seam, against all 5 ms
        windows of the file (hop 2.5 ms) more than 50 ms away: the percentile
        it reaches, and it must not exceed the loudest. Files that begin with a
        struck note are thus compared with their other struck notes.
 step   Rise or fall of the 20 ms short-time spectrum (24 log-spaced bands, dB,
        mean of the absolute differences; levels below -75 dBFS count as -75)
        from just before to just after the seam, as a percentile of the same
        figure at all other places of the file. Must not exceed the largest.
"""
import argparse
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy.linalg import solve_toeplitz

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 48000
NAMES = ('Carillon', 'Marimba', 'Kettle', 'Clock', 'Birds', 'Dawn', 'Beeper')


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def header(path):
    """(rate, channels) and the tags."""
    info = run('ogginfo', path).stdout.decode()
    rate, channels = (int(re.search(rf'{what}: (\d+)', info).group(1)) for what in ('Rate', 'Channels'))
    tags = run('vorbiscomment', '--list', path).stdout.decode().splitlines()
    return rate, channels, {k.upper(): v for k, v in (t.split('=', 1) for t in tags)}


def decode(path):
    """Its samples, 2 rows from -1 to 1."""
    raw = run('oggdec', '--quiet', '--raw', '--bits=16', '--endianness=0', '--sign=1', '--output=-', path)
    return np.frombuffer(raw.stdout, '<i2').reshape(-1, 2).T / 32768


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def meter(path):
    """Integrated loudness (LUFS) and true peak (dBTP) by ffmpeg's ebur128."""
    try:
        text = run('ffmpeg', '-nostats', '-hide_banner', '-i', path, '-af',
                   'ebur128=peak=true', '-f', 'null', '-').stderr.decode()
    except FileNotFoundError:
        return None, None
    text = text[text.rindex('Summary:'):]
    return (float(re.search(r'I:\s+(-?[\d.]+) LUFS', text).group(1)),
            float(re.search(r'True peak:\s+Peak:\s+(-?[\d.]+) dBFS', text).group(1)))


def predictor(x, order=24):
    """Coefficients of the linear predictor of x (autocorrelation method)."""
    w = x * np.hanning(len(x))
    r = np.correlate(w, w, 'full')[len(w) - 1:len(w) + order]
    r[0] = r[0] * (1 + 1e-9) + 1e-12
    return solve_toeplitz(r[:order], r[1:order + 1])


def surprise(before, after):
    """Error of predicting `after` (one sample) over the largest error inside `before`."""
    a = predictor(before)
    k = len(a)
    guess = np.convolve(before, np.concatenate(([0], a)), 'full')[:len(before) + 1]
    inside = np.abs(before[k:] - guess[k:len(before)])
    floor = 1 / 150
    return abs(after - guess[len(before)]) / max(inside.max(), floor)


def seam(x):
    """The four seam figures: jump, whiten, hf percentile/excess, step percentile/excess."""
    n = x.shape[1]
    near = int(0.02 * RATE)
    ring = np.concatenate((x[:, -near:], x[:, :near]), axis=1)
    steps = np.abs(np.diff(ring))
    at = steps[:, near - 1].copy()
    steps[:, near - 1] = 0
    jump = max(a / max(s, 16 / 32768) for a, s in zip(at, steps.max(axis=1)))

    k = int(0.06 * RATE)
    whiten = max(max(surprise(row[-k:], row[0]), surprise(row[k - 1::-1], row[-1])) for row in x)

    size = int(0.005 * RATE)
    turned = np.roll(x, n // 2, axis=1)                       # the seam now lies at n // 2
    power = (np.diff(turned) ** 2).sum(axis=0)
    total = np.concatenate(([0], np.cumsum(power)))
    starts = np.arange(0, n - size - 1, size // 2)
    others = np.array([total[s + size] - total[s] for s in starts
                       if abs(s + size / 2 - n // 2) > 0.05 * RATE])
    s = n // 2 - size // 2
    mine = total[s + size] - total[s]
    hf = (100 * np.mean(others <= mine), mine / others.max())

    size = int(0.02 * RATE)
    window = np.hanning(size)
    edges = np.geomspace(100, 16000, 25) * size / RATE
    bands = np.unique(edges.astype(int))

    def spectrum(start):
        p = (np.abs(np.fft.rfft(turned[:, start:start + size] * window)) ** 2).sum(axis=0) / size ** 2
        p = np.add.reduceat(p, bands)[:-1]
        return 10 * np.log10(np.maximum(p, 10 ** -7.5))

    def change(place):
        return np.abs(spectrum(place) - spectrum(place - size)).mean()

    places = [p for p in range(size, n - size, size // 4) if abs(p - n // 2) > 0.05 * RATE]
    others = np.array([change(p) for p in places])
    mine = change(n // 2)
    step = (100 * np.mean(others <= mine), mine / others.max())
    return jump, whiten, hf, step


def seam_faults(figures):
    jump, whiten, hf, step = figures
    faults = []
    if jump > 1:
        faults.append(f'jump {jump:.2f}')
    if whiten > 1.5:
        faults.append(f'whiten {whiten:.2f}')
    if hf[1] > 1:
        faults.append(f'hf {hf[1]:.2f}')
    if step[1] > 1:
        faults.append(f'step {step[1]:.2f}')
    return faults


def db(v):
    return 20 * np.log10(max(v, 1e-9))


def signal_faults(x):
    """Start, offset, clipping, stereo and silence; (figures, faults)."""
    faults = []
    start = np.argmax(np.abs(x).max(axis=0) > 10 ** (-60 / 20))
    if not np.abs(x[:, start]).max() > 10 ** (-60 / 20) or start > 0.001 * RATE:
        faults.append(f'starts at sample {start}')
    opening = db(np.sqrt((x[:, :int(0.25 * RATE)] ** 2).mean()))
    if opening < -45:                                     # heard, not merely present
        faults.append(f'first quarter second only {opening:.0f} dBFS')
    offset = db(np.abs(x.mean(axis=1)).max())
    if offset > -60:
        faults.append(f'DC {offset:.0f} dBFS')
    if np.abs(x).max() >= 32766 / 32768:
        faults.append('clips')
    correlation = np.corrcoef(x)[0, 1]
    mono = db(np.sqrt((x.mean(axis=0) ** 2).mean()) / np.sqrt((x ** 2).mean()))
    if correlation <= 0 or mono < -3.01:
        faults.append(f'mono: correlation {correlation:.2f}, {mono:.1f} dB')
    balance = db(np.sqrt((x[0] ** 2).mean() / (x[1] ** 2).mean()))
    if abs(balance) > 3:
        faults.append(f'lopsided {balance:+.1f} dB')
    size = RATE // 50
    level = np.sqrt((x[:, :x.shape[1] // size * size].reshape(2, -1, size) ** 2).mean(axis=(0, 2)))
    longest = quiet = 0
    for v in np.concatenate((level, level)):              # twice: silence may span the seam
        quiet = quiet + 1 if v < 10 ** (-60 / 20) else 0
        longest = max(longest, quiet)
    if longest * 0.02 > 2:
        faults.append(f'silent for {longest * 0.02:.1f} s')
    return (start, opening, offset, correlation, balance), faults


def check(path):
    """Check one file; (line of the table, loudness, faults)."""
    name = os.path.splitext(os.path.basename(path))[0]
    rate, channels, tags = header(path)
    faults = []
    if (rate, channels) != (RATE, 2):
        return name, None, [f'format {rate} Hz, {channels} channels']
    want = {'TITLE': name, 'ARTIST': 'Belfry', 'LICENSE': 'CC0-1.0'}
    if {k: tags.get(k) for k in want} != want:
        faults.append(f'tags {tags}')
    x = decode(path)
    seconds = x.shape[1] / RATE
    if not 20 <= seconds <= 40:
        faults.append(f'{seconds:.1f} s long')
    loud, peak = meter(path)
    if peak is not None and peak > -1.0:
        faults.append(f'true peak {peak}')
    (start, opening, offset, correlation, balance), more = signal_faults(x)
    figures = seam(x)
    jump, whiten, hf, step = figures
    faults += more + seam_faults(figures)
    show = lambda v: '    -' if v is None else f'{v:5.1f}'
    line = (f'{name:9} {seconds:5.2f} {show(loud)} {show(peak)} {start:5d} {opening:5.1f} {offset:5.0f} '
            f'{correlation:5.2f} {balance:+5.1f} {jump:5.2f} {whiten:6.2f} {hf[0]:5.1f}% {step[0]:5.1f}% '
            f'{os.path.getsize(path) / 1e6:5.2f}')
    return line, loud, faults


def selftest(paths):
    """Damage each file in memory; every kind of damage must be found."""
    bad = 0
    for path in paths:
        x = decode(path)
        click, clicked = x.copy(), 0.25 * np.abs(x).max()
        click[:, 0] += clicked
        found = {
            'click': seam_faults(seam(click)),
            'cut end 0.1 s': seam_faults(seam(x[:, :-4800])),
            'cut start 37 ms': seam_faults(seam(x[:, 1777:])),
            'silence 3 s': signal_faults(np.concatenate((x, np.zeros((2, 3 * RATE))), axis=1))[1],
            'late 5 ms': signal_faults(np.concatenate((np.zeros((2, 240)), x), axis=1))[1],
            'offset': signal_faults(x + 0.002)[1],
            'one side inverted': signal_faults(x * [[1], [-1]])[1],
        }
        missed = [k for k, v in found.items() if not v]
        print(f'{os.path.basename(path):15} damage missed: {", ".join(missed) or "none"}')
        if 'cut end 0.1 s' in missed and db(np.sqrt((x[:, -5760:-4800] ** 2).mean())) < -45:
            missed.remove('cut end 0.1 s')                # cut in a rest: only --twice can tell
        bad += bool(missed)
    return bad


def main():
    parser = argparse.ArgumentParser(description='Check the ringtones of Belfry.')
    parser.add_argument('--dir', default=HERE)
    parser.add_argument('--twice', action='store_true', help='make everything again and compare')
    parser.add_argument('--selftest', action='store_true')
    args = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(args.dir, '*.ogg')))
    if args.selftest:
        sys.exit(1 if selftest(paths) else 0)
    print('name          s  LUFS  dBTP start first    DC  corr  bal. | jump whiten     hf   step    MB')
    failed, louds, sums = False, [], {}
    for path in paths:
        line, loud, faults = check(path)
        sums[os.path.basename(path)] = digest(path)
        louds += [loud] if loud is not None else []
        print(line, *(['  BAD:', '; '.join(faults)] if faults else []), flush=True)
        failed |= bool(faults)
    missing = [n for n in NAMES if n + '.ogg' not in sums]
    size = sum(map(os.path.getsize, paths)) / 1e6
    spread = max(louds) - min(louds) if louds else float('nan')
    print(f'{len(paths)} files, {size:.1f} MB, loudness within {spread:.1f} LU')
    for wrong, text in ((missing, f'BAD: missing {missing}'), (len(paths) < 8, 'BAD: fewer than eight'),
                        (spread > 1, 'BAD: loudness differs by more than 1 LU'),
                        (size > 6, 'BAD: more than 6 MB')):
        if wrong:
            failed = True
            print(text)
    if not louds:
        print('no ffmpeg: loudness and true peak NOT checked')
    if args.twice:
        with tempfile.TemporaryDirectory() as out:
            run(sys.executable, os.path.join(HERE, 'make.py'), '--out', out)
            for path in sorted(glob.glob(os.path.join(out, '*.ogg'))):
                if digest(path) != sums.get(os.path.basename(path)):
                    failed = True
                    print('BAD: made again, other bytes:', os.path.basename(path))
        print('made again and compared: ' + ('see above' if failed else 'same bytes'))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
