#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the ringtones that come with Belfry.

    /usr/bin/python3 Sounds/make.py [NAME...] [--out DIR]

Without a NAME all pieces are made; without --out they are written beside this
script, as NAME.ogg (Vorbis, stereo, 48 kHz). Needs numpy, scipy and oggenc.
Nothing is sampled: every sound is computed from a physical model and a score
in this file, with fixed seeds, so a second run gives the same bytes.
The code is GPL-3.0-or-later; the sounds it makes are given away under CC0-1.0.

An alarm plays its file again and again, so all rendering is circular: a piece
is a ring of samples. A note that rings past the end goes on at the beginning,
the reverb and the filters are circular convolutions (FFT over the whole ring),
the limiter wraps too, and each piece is a whole number of bars long. There is
therefore no seam in the signal; check.py looks for one all the same.
"""
import argparse
import os
import re
import subprocess
import sys
import zlib

import numpy as np
from scipy import fft, ndimage, signal
from scipy.interpolate import PchipInterpolator

SR = 48000
LOUDNESS = -18.0        # LUFS, every piece
CEILING = -1.6          # dBTP, leaves room for other meters' interpolation


# ---------------------------------------------------------------- the ring

class Loop:
    """A ring of samples: a dry stereo bus, a reverb send, and a beat clock."""

    def __init__(self, name, beats, bpm):
        self.beats, self.spb = beats, 60 / bpm
        self.n = int(round(beats * self.spb * SR))
        self.dry, self.wet = np.zeros((2, self.n)), np.zeros((2, self.n))
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))

    def when(self, beat, loose=0.004):
        """Seconds at which a beat is played by a human; beat 0 is exact."""
        slip = self.rng.normal() * loose
        return beat * self.spb + (np.clip(slip, -2 * loose, 2 * loose) if beat > 0 else 0.0)

    def add(self, x, t, gain=1.0, pan=0.0, wet=0.25):
        """Mix x (mono or 2 rows) in at t seconds, wrapping round the end."""
        x = np.atleast_2d(x)
        angle = (np.clip(pan, -1, 1) + 1) * np.pi / 4
        side = np.array([[np.cos(angle)], [np.sin(angle)]]) * gain
        x = x * side if len(x) == 1 else x * gain
        at, done = int(round(t * SR)) % self.n, 0
        while done < x.shape[1]:
            k = min(self.n - at, x.shape[1] - done)
            self.dry[:, at:at + k] += x[:, done:done + k]
            self.wet[:, at:at + k] += x[:, done:done + k] * wet
            at, done = 0, done + k

    def noise(self):
        return self.rng.standard_normal(self.n)


def ring_filter(x, response):
    """Circular, zero-phase filter; response maps Hz to gain (array to array)."""
    n = x.shape[-1]
    return fft.irfft(fft.rfft(x) * response(fft.rfftfreq(n, 1 / SR)), n)


def bell_curve(centre, octaves):
    """A band-pass response, Gaussian over log frequency."""
    return lambda f: np.exp(-0.5 * (np.log2(np.maximum(f, 1) / centre) / octaves) ** 2)


def drift(loop, hz):
    """A slow random curve without seam, unit variance, up to about hz."""
    x = ring_filter(loop.noise(), lambda f: np.exp(-0.5 * (f / hz) ** 2) * (f > 0))
    return x / x.std()


def curve(loop, points):
    """A smooth control curve through (seconds, value) points, closed as a ring."""
    n = loop.n / SR
    pts = [(t + k * n, v) for k in (-1, 0, 1) for t, v in points]
    return PchipInterpolator(*zip(*pts))(np.arange(loop.n) / SR)


# ------------------------------------------------------------------- score

def hz(name):
    """'A4' -> 440.0; sharps '#', flats 'b'."""
    letter, accidental, octave = re.fullmatch(r'([A-G])([#b]?)(\d)', name).groups()
    semi = {'C': 0, 'D': 2, 'E': 4, 'F': 5, 'G': 7, 'A': 9, 'B': 11}[letter]
    semi += {'#': 1, 'b': -1, '': 0}[accidental] + 12 * int(octave) - 57
    return 440.0 * 2 ** (semi / 12)


def score(text, beats):
    """Read 'D5:1 A5:.5! r:2'; yields (beat, name, length, velocity, marks).

    Marks after the length: ! loud, ? soft, and ornaments the piece knows.
    """
    at, out = 0.0, []
    for token in text.split():
        if token == '|':
            continue
        name, length, marks = re.fullmatch(r'([A-G][#b]?\d|r):([\d.]+)(\S*)', token).groups()
        if name != 'r':
            velocity = 0.95 if '!' in marks else 0.55 if '?' in marks else 0.75
            out.append((at, name, float(length), velocity, marks))
        at += float(length)
    assert abs(at - beats) < 1e-9, f'score has {at} beats, not {beats}'
    return out


# -------------------------------------------------------------- sound parts

def modal(modes, contact):
    """Struck modes (Hz, amplitude, T60): decaying sines under a soft onset.

    contact is the time the hammer touches, in seconds: the half-cosine of the
    blow is the onset, and modes much faster than it are not excited.
    """
    modes = [(f, a / (1 + (f * contact * 0.9) ** 2), d) for f, a, d in modes if f < 17000]
    out = np.zeros(int(1.45 * max(d for _, _, d in modes) * SR) + 1)
    for f, a, d in modes:
        n = int(1.45 * d * SR)                      # down to -87 dB
        t = np.arange(n) / SR
        out[:n] += a * np.sin(2 * np.pi * f * t) * np.exp(-6.908 / d * t)
    k = max(2, int(contact * SR))
    out[:k] *= 0.5 - 0.5 * np.cos(np.pi * (np.arange(k) + 1) / k)
    return out


def burst(rng, seconds, low, high):
    """A short noise burst, low..high Hz: the knock of a hammer or a finger."""
    n = int(seconds * 6 * SR)
    t = np.arange(n) / SR
    x = rng.standard_normal(n) * np.exp(-t / seconds) * np.minimum(1, t / 0.0006)
    return signal.sosfilt(signal.butter(2, [low, high], 'band', fs=SR, output='sos'), x)


def body(x, peaks):
    """Resonances of a wooden body, (Hz, Q, gain) each, beside the direct sound."""
    out = x.copy()
    for f, q, gain in peaks:
        b, a = signal.iirpeak(f, q, fs=SR)
        out += gain * signal.lfilter(b, a, x)
    return out


def pluck(rng, f, seconds, t60, damp, position, velocity):
    """One plucked string: Karplus & Strong 1983, extended by Jaffe & Smith 1983.

    Loop filter = loss x damping FIR x third-order Lagrange fractional delay;
    the excitation passes a pick-position comb and a velocity low-pass. Two
    polarisations, a cent apart and one dying sooner, give the double decay.
    """
    period = SR / f
    m = int(period)
    pulse = np.hanning(max(8, int(m * (0.42 - 0.22 * velocity))))
    grit = rng.standard_normal(m) * np.hanning(m)
    ex = np.zeros(2 * m + 8)
    ex[:len(pulse)] += pulse
    ex[:m] += 0.30 * grit
    comb = max(2, int(position * period))
    ex[comb:] -= 0.92 * ex[:-comb]
    pole = np.exp(-2 * np.pi * (1200 + 5200 * velocity) / SR)
    ex = signal.lfilter([1 - pole], [1, -pole], ex)
    out = np.zeros(int(seconds * SR))
    out[:len(ex)] = ex
    total = 0.0
    for cents, life, share in ((0.0, 1.0, 0.62), (1.1, 0.55, 0.38)):
        delay = period * 2 ** (-cents / 1200) - 1          # the FIR below takes one sample
        whole = int(delay) - 1
        frac = delay - whole
        lagrange = np.array([np.prod([(frac - j) / (i - j) for j in range(4) if j != i])
                             for i in range(4)])
        loss = 10 ** (-3 / (f * t60 * life))
        taps = loss * np.convolve([damp, 1 - 2 * damp, damp], lagrange)
        a = np.zeros(whole + len(taps))
        a[0] = 1
        a[whole:] -= taps
        total = total + share * signal.lfilter([1.0], a, out)
    fade = min(len(total), int(0.25 * SR))
    total[-fade:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(fade) / fade)
    return total


def room(seed, t60, bright=0.5, predelay=0.012, width=0.8):
    """Stereo impulse response: velvet noise in four bands, decaying apart.

    Velvet noise (Karjalainen & Jarvelainen 2007) is one pulse of either sign
    in each slot of a grid; it sounds smoother than Gaussian noise. High bands
    die sooner, as in air; a few early reflections come before.
    """
    rng = np.random.default_rng(seed)
    n = int((t60 * 1.15 + predelay) * SR)
    t = np.arange(n) / SR
    edges = (0, 400, 1600, 5000, SR)
    lives = (1.05, 1.0, 0.45 + 0.4 * bright, 0.15 + 0.35 * bright)
    levels = (0.75, 1.0, 0.5 + 0.5 * bright, 0.15 + 0.5 * bright)
    rows = []
    for _ in range(2):
        grid = 20                                           # 2400 pulses a second
        at = np.arange(0, n - grid, grid) + rng.integers(0, grid, len(range(0, n - grid, grid)))
        velvet = np.zeros(n)
        velvet[at] = rng.choice((-1.0, 1.0), len(at))
        spectrum, f = fft.rfft(velvet, 2 * n), fft.rfftfreq(2 * n, 1 / SR)
        row = np.zeros(n)
        for low, high, life, level in zip(edges, edges[1:], lives, levels):
            edge = lambda c: 1 / (1 + (f / c) ** 6) if c else 0 * f
            band = fft.irfft(spectrum * (edge(high) - edge(low)), 2 * n)[:n]
            row += level * band * np.exp(-6.908 / (t60 * life) * t)
        row *= 1 - np.exp(-t / 0.018)
        row = np.roll(row, int(predelay * SR))
        row[:int(predelay * SR)] = 0
        for _ in range(7):
            row[int(rng.uniform(0.4, 3.5) * predelay * SR)] += rng.choice((-1, 1)) * rng.uniform(.3, .8)
        rows.append(row)
    mid, side = rows[0], rows[1] * width
    ir = np.array([mid + side, mid - side])
    return ir / np.sqrt((ir ** 2).sum(axis=1, keepdims=True))


# --------------------------------------------------------------- mastering

def lufs(x):
    """Integrated loudness after ITU-R BS.1770-4 (K weighting, two gates)."""
    shelf = ([1.53512485958697, -2.69169618940638, 1.19839281085285],
             [1.0, -1.69065929318241, 0.73248077421585])
    rumble = ([1.0, -2.0, 1.0], [1.0, -1.99004745483398, 0.99007225036621])
    y = signal.lfilter(*rumble, signal.lfilter(*shelf, x))
    power = np.add.reduceat((y ** 2).sum(axis=0), np.arange(0, y.shape[1], SR // 10))
    power = power[:y.shape[1] // (SR // 10)]
    block = np.convolve(power, np.ones(4), 'valid') / (0.4 * SR)
    level = lambda p: -0.691 + 10 * np.log10(p.mean())
    block = block[block > 10 ** ((-70 + 0.691) / 10)]
    return level(block[block > 10 ** ((level(block) - 10 + 0.691) / 10)])


def limit(x):
    """Look-ahead true-peak limiter on the ring (4x oversampled, wraps round)."""
    n = x.shape[1]
    over = np.abs(fft.irfft(fft.rfft(x), 4 * n) * 4).max(axis=0)
    over = np.maximum(over, np.roll(over, 2)).reshape(n, 4).max(axis=1)
    need = np.minimum(1, 10 ** (CEILING / 20) / np.maximum(over, 1e-9))
    span = 360
    gain = ndimage.minimum_filter1d(need, 2 * span + 1, mode='wrap')
    for _ in range(2):
        gain = ndimage.uniform_filter1d(gain, span + 1, mode='wrap')
    return x * gain


def master(loop, ir, low=45.0, high=13500.0):
    """Add the room, roll both ends off, set the loudness, limit, dither."""
    tail = np.zeros((2, loop.n))
    tail[:, :ir.shape[1]] = ir
    mix = loop.dry + fft.irfft(fft.rfft(loop.wet) * fft.rfft(tail), loop.n)
    mix = ring_filter(mix, lambda f: (f / low) ** 4 / (1 + (f / low) ** 4)
                      / np.sqrt(1 + (f / high) ** 8))
    gain = 1.0
    for _ in range(6):
        out = limit(mix * gain)
        gain *= 10 ** ((LOUDNESS - lufs(out)) / 20)
    dither = loop.rng.random(out.shape) - loop.rng.random(out.shape)     # TPDF, +-1 LSB
    return np.clip(np.round(out * 32767 + dither), -32768, 32767).astype('<i2')


def write(path, title, pcm):
    """Encode 16-bit PCM (2 rows) as Vorbis by oggenc, always with the same serial number."""
    subprocess.run(['oggenc', '--quiet', '--quality=8', '--serial=1', '--raw', '--raw-bits=16',
                    '--raw-chan=2', f'--raw-rate={SR}', f'--title={title}', '--artist=Belfry',
                    '--comment=LICENSE=CC0-1.0', f'--output={path}', '-'],
                   input=pcm.T.tobytes(), check=True)


# -------------------------------------------------------------- instruments

# Ratio to the strike note, amplitude, T60 against the hum's.
BELL = ((0.5, .30, 1.0), (1.0, .55, .60), (1.189, .42, .52), (1.498, .10, .34), (2.0, 1.0, .34),
        (2.514, .16, .20), (2.662, .20, .19), (3.011, .46, .20), (4.166, .34, .13),
        (5.433, .22, .085), (6.796, .13, .055), (8.215, .08, .038), (9.70, .05, .028))


def bell(rng, f, velocity, major):
    """A tuned church bell: additive with a decay for each partial (Risset 1969).

    Hum, prime, tierce, quint, nominal and above as measured on carillons
    (Lehr; Fletcher & Rossing, ch. 21). No bell is quite round: each partial is
    a doublet a fraction of a Hz apart, which is the slow warble. With major
    the tierce is a major third (the Eindhoven bell of 1985), so that every
    bell of this carillon agrees with the key it plays in; the thirds are tempered,
    lest a tierce beat against the next bell's prime.
    """
    life = 7.5 * (440 / f) ** 0.75
    modes = []
    for ratio, amp, decay in BELL:
        ratio = 1.26 if major and ratio == 1.189 else ratio
        g = f * ratio * (1 + rng.normal() * 0.0004)
        split = rng.uniform(0.25, 0.8) + 0.0002 * g
        amp *= velocity ** (1 + 0.28 * np.log2(max(1, ratio)))
        modes += [(g, amp * 0.72, life * decay), (g + split, amp * 0.38, life * decay * 0.85)]
    x = modal(modes, 0.00050 - 0.00025 * velocity)
    clang = burst(rng, 0.006, 2500, 8000) * 0.05 * velocity ** 2
    x[:len(clang)] += clang
    return x


def marimba_bar(rng, f, velocity):
    """Rosewood bar, undercut so its modes are 1 : 3.93 : 9.4 (Fletcher & Rossing,
    ch. 19), over a tuned tube that lengthens and swells the first; yarn mallet."""
    life = 1.9 * (262 / f) ** 0.62
    modes = [(f, 1.0, life), (f * 1.0016, 0.25, life * 0.6),
             (f * 3.93, 0.36 * velocity, life * 0.26), (f * 9.42, 0.16 * velocity ** 2, life * 0.08),
             (f * 15.6, 0.05 * velocity ** 2, life * 0.05)]
    x = modal(modes, 0.0011 * (262 / f) ** 0.35 * (1.35 - 0.5 * velocity)) * velocity
    knock = burst(rng, 0.007, 180, 1500) * 0.22 * velocity ** 1.5
    x[:len(knock)] += knock
    return x


def tube(rng, f, velocity):
    """Clock chime: a free tube, modes at (2n+1)^2 (Fletcher & Rossing, ch. 19).

    Modes 4, 5, 6 stand nearly as 2 : 3 : 4, and the ear hears their missing
    fundamental as the strike note."""
    amps = (.10, .22, .42, 1.0, .62, .36, .20, .10)
    lives = (4.5, 4.6, 4.4, 3.6, 2.4, 1.5, .9, .5)
    modes = []
    for n, (a, d) in enumerate(zip(amps, lives), 1):
        g = f * (2 * n + 1) ** 2 / 40.5 * (1 + 0.0003 * rng.normal())
        d *= (523 / f) ** 0.5
        a *= velocity ** (1 + 0.12 * n)
        modes += [(g, a * .75, d), (g + rng.uniform(.3, .9), a * .3, d * .8)]
    x = modal(modes, 0.0007)
    knock = burst(rng, 0.004, 700, 4000) * 0.06
    x[:len(knock)] += knock
    return x


def wood_tick(rng, scale, velocity):
    """One beat of a longcase escapement: unlock, impulse and drop, three small
    blows within 15 ms on the banded modes of an oak case (after Essl & Cook)."""
    modes = [(f * scale * (1 + .004 * rng.normal()), a, d) for f, a, d in (
        (310, .5, .11), (545, .8, .10), (830, 1., .085), (1290, .9, .065), (1870, .7, .050),
        (2640, .55, .036), (3580, .4, .026), (4900, .25, .018))]
    hit = modal(modes, 0.00030)
    out = np.zeros(len(hit) + int(0.03 * SR))
    for at, gain in ((0.0, .55), (.0048, .25), (.0125 + .001 * rng.random(), 1.0)):
        k = int(at * SR)
        out[k:k + len(hit)] += hit * gain * velocity
    snap = burst(rng, 0.002, 2500, 9000) * 0.25 * velocity
    out[:len(snap)] += snap
    return out


def tine(rng, f, velocity):
    """Music-box tine: clamped-free bar, 1 : 6.27 : 17.55 (Fletcher & Rossing,
    ch. 2), plucked by a pin; the bent-back tip adds a trace of 2 f and 3 f."""
    life = 2.6 * (880 / f) ** 0.55
    modes = [(f, 1.0, life), (f + rng.uniform(.3, .8), .3, life * .7), (2 * f, .10, life * .4),
             (3 * f, .05, life * .3), (6.267 * f, .16 * velocity, life * .12),
             (17.55 * f, .05, life * .03)]
    x = modal(modes, 0.00035) * velocity
    pin = burst(rng, 0.0025, 2500, 8000) * 0.05
    x[:len(pin)] += pin
    return body(x, ((620, 4, .25), (1150, 5, .3), (2300, 6, .25)))


def vibraphone(rng, f, velocity):
    """Aluminium bar 1 : 4 : 10, long decay, slow fan tremolo, soft mallet."""
    x = modal([(f, 1.0, 5.0), (f * 1.0007, .4, 4.2), (f * 4, .14 * velocity, 1.6),
               (f * 9.9, .04 * velocity, .35)], 0.0016) * velocity
    t = np.arange(len(x)) / SR
    return x * (1 - 0.16 * (0.5 - 0.5 * np.cos(2 * np.pi * 4.3 * t)))


def bend(x, semitones):
    """Change the pitch of a string along a curve (semitones a sample), by warp."""
    where = np.concatenate(([0], np.cumsum(2 ** (semitones / 12))[:-1]))
    return ndimage.map_coordinates(x, [where], order=3, mode='constant')


def gayageum_string(rng, f, seconds, velocity, marks):
    """Silk string on paulownia wood: a plucked string that the left hand bends.

    ~ is nonghyeon, a wide vibrato that sets in late; / slides up from below;
    \\ sinks (toeseong) as the note dies."""
    x = pluck(rng, f, seconds * 1.15 + 0.3, 3.0 * (330 / f) ** 0.4, 0.055, 0.11, velocity)
    t = np.arange(int(seconds * SR)) / SR
    up = np.zeros(len(t))
    if '~' in marks:
        grow = np.clip((t - 0.16) / 0.35, 0, 1)
        rate = 4.9 + rng.uniform(-.3, .3)
        up += 0.42 * grow * np.exp(-t / 1.6) * np.sin(2 * np.pi * rate * (t - 0.16))
    if '/' in marks:
        up -= 2.0 * (0.5 + 0.5 * np.cos(np.pi * np.clip((t - .03) / 0.15, 0, 1)))
    if '\\' in marks:
        up -= 1.2 * np.clip((t - 0.2) / 0.35, 0, 1) ** 1.5
    up += 0.22 * velocity * np.exp(-t / 0.03)               # a hard pluck starts sharp
    y = bend(x, up)
    fade = min(len(y), int(0.06 * SR))
    y[-fade:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(fade) / fade)
    thumb = burst(rng, 0.005, 250, 2200) * 0.10 * velocity
    y[:len(thumb)] += thumb
    return body(y, ((210, 5, .5), (390, 6, .5), (640, 6, .6), (1080, 5, .5), (1900, 4, .4)))


def janggu(rng, high, velocity):
    """Hourglass drum: membrane modes 1 : 1.59 : 2.14 .. (low head, hand) or the
    snap of a thin bamboo stick (high head)."""
    f, life = (340, .10) if high else (92, .30)
    modes = [(f * r, a, life * d) for r, a, d in ((1, 1, 1), (1.59, .7, .7), (2.14, .5, .5),
                                                  (2.65, .35, .4), (3.5, .2, .3))]
    x = modal(modes, 0.0008 if high else 0.004) * velocity
    snap = burst(rng, .006 if high else .012, *((1500, 5000) if high else (200, 900)))
    x = np.pad(x, (0, max(0, len(snap) - len(x))))
    x[:len(snap)] += snap * (0.5 if high else 0.25) * velocity
    return x


def padsynth(loop, notes, tilt, cents=9):
    """A choir of partials with random phase: PADsynth (Nasca 2001).

    The spectrum of the whole ring is written at once, each partial a narrow
    bell curve, and one inverse FFT gives a pad that has no beginning or end."""
    f = fft.rfftfreq(loop.n, 1 / SR)
    mag = np.zeros(len(f))
    for note in notes:
        for h in range(1, 15):
            centre = note * h * (1 + 0.0003 * loop.rng.normal())
            if centre > 9000:
                break
            width = centre * (2 ** (cents / 1200) - 1) * h ** 0.2
            lo, hi = np.searchsorted(f, (centre - 5 * width, centre + 5 * width))
            shape = np.exp(-0.5 * ((f[lo:hi] - centre) / width) ** 2) / np.sqrt(width)
            mag[lo:hi] += shape * h ** -tilt * min(1, note / 260) * np.exp(-centre / 3000)
    phase = loop.rng.uniform(0, 2 * np.pi, len(f))
    apart = loop.rng.uniform(-.8, .8, len(f))             # left and right stay related
    rows = [fft.irfft(mag * np.exp(1j * (phase + s * apart)), loop.n) for s in (-1, 1)]
    return np.array(rows) / np.std(rows)


def chirp(points, seconds, trill=(0, 0), sharp=0.25, second=0.06):
    """One syllable of a bird: a sine from the syrinx, swept through points (Hz).

    trill = (rate, semitones) is fast FM; sharp is the share of onset and release."""
    n = int(seconds * SR)
    t = np.arange(n) / SR
    where = np.linspace(0, seconds, len(points))
    pitch = PchipInterpolator(where, np.log2(points))(t) if len(points) > 2 else \
        np.interp(t, where, np.log2(points))
    pitch += trill[1] / 12 * np.sin(2 * np.pi * trill[0] * t)
    phase = 2 * np.pi * np.cumsum(2 ** pitch) / SR
    rise = np.clip(t / (sharp * seconds), 0, 1)
    fall = np.clip((seconds - t) / (1.6 * sharp * seconds), 0, 1)
    env = np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2
    if trill[0]:
        env *= 1 - 0.35 * (0.5 - 0.5 * np.cos(2 * np.pi * trill[0] * t))
    return env * (np.sin(phase) + second * np.sin(2 * phase + 0.4))


def distance(x, far):
    """Air and leaves between bird and ear: the further, the duller and softer."""
    b, a = signal.butter(1, 9000 / (1 + 2.2 * far), fs=SR)
    return signal.lfilter(b, a, x) / (1 + 1.5 * far)


# ------------------------------------------------------------------- pieces

def carillon(name):
    """Twelve bars in D for a small carillon, three beats a bar."""
    beats = 36
    loop = Loop(name, beats, 76)
    tune = '''A5:1! D6:1 F#6:1! | E6:1.5 D6:.5? B5:1 | A5:1 D6:1 E6:1 | F#6:2! A5:1? |
              A5:1 D6:1 F#6:1! | G6:1.5! F#6:.5? E6:1 | D6:1 B5:1 E6:1 | C#6:2 A5:1? |
              B5:1 D6:1 G6:1! | F#6:1 E6:.5? D6:.5 A5:1 | G5:1 B5:1 E6:.5 C#6:.5? | D6:2! F#5:1?'''
    ground = '''D4:1 A4:1? F#5:1? | G4:1 D5:1? G5:1? | D4:1 A4:1? F#5:1? | B4:1 F#5:1? D5:1? |
                D4:1 A4:1? D5:1? | E4:1 B4:1? G5:1? | G4:1 D5:1? B4:1? | A4:1 E5:1? G5:1? |
                G4:1 D5:1? B4:1? | D5:1 A4:1? F#5:1? | E4:1 B4:1? A4:1? | D4:1 A4:1? D5:1?'''
    for text, gain in ((tune, 1.0), (ground, 0.50)):
        for beat, note, _, velocity, _ in score(text, beats):
            f, rng = hz(note), loop.rng
            velocity *= rng.uniform(0.92, 1.06)
            major = note[:-1] in ('D', 'G', 'A')
            pan = 0.55 * np.log2(f / 880) + 0.04 * rng.normal()
            loop.add(bell(rng, f, velocity, major), loop.when(beat, .004), gain * velocity ** .4, pan, .30)
    return master(loop, room(11, 2.4, .45, .022))


def marimba(name):
    """Eight bars in F: a rolling ostinato and a syncopated tune over it."""
    beats = 32
    loop = Loop(name, beats, 92)
    tune = '''C5:.5! F5:.5 A5:.75! G5:.25? F5:.5 C5:.5 r:.5 D5:.5 |
              F5:.5 A5:.5 C6:.75! A5:.25? F5:1 r:.5 D5:.5 |
              F5:.5 Bb5:.5 D6:.75! C6:.25? Bb5:.5 F5:.5 r:.5 F5:.5 |
              G5:.5 C6:.5 E6:.75! D6:.25? C6:1 r:.5 G5:.5 |
              A5:.5! C6:.5 F6:.75! E6:.25? C6:.5 A5:.5 r:.5 C6:.5 |
              E6:.75! C6:.25? A5:.5 C6:.5 E6:1 r:.5 D6:.5 |
              D6:.5! Bb5:.5 F5:.75 G5:.25? Bb5:.5 D6:.5! r:.5 C6:.5 |
              Bb5:.5 G5:.5 E5:.75! G5:.25? C6:.5 Bb5:.5 G5:.5 E5:.5?'''
    chords = ('F3 C4 F4 A4', 'D3 A3 F4 A4', 'Bb3 F4 Bb4 D5', 'C4 G4 C5 E5',
              'F3 C4 F4 A4', 'A3 E4 A4 C5', 'Bb3 F4 Bb4 D5', 'C4 G4 Bb4 E5')
    ground = ' '.join(f'{c[i]}:.5{"" if k == 0 else "?"}' for c in map(str.split, chords)
                      for k, i in enumerate((0, 1, 2, 1, 3, 1, 2, 1)))
    for text, gain in ((tune, 1.0), (ground, 0.62)):
        for beat, note, _, velocity, _ in score(text, beats):
            f, rng = hz(note), loop.rng
            velocity *= rng.uniform(0.88, 1.08)
            x = marimba_bar(rng, f, velocity)
            loop.add(x, loop.when(beat, .005), gain, 0.42 * np.log2(f / 400), .16)
    return master(loop, room(12, 1.1, .4, .010))


def harp(name):
    """Eight bars in E flat: broken chords, a slow tune above, a sweep home."""
    beats = 32
    loop = Loop(name, beats, 84)
    tune = '''G5:2! F5:1 Eb5:1 | Bb5:2! G5:2 | C6:1.5! Bb5:.5 G5:1 Eb5:1 | F5:3! r:1 |
              D6:2! Bb5:1 F5:1 | G5:1.5 Bb5:.5 Eb6:2! | C6:1! Bb5:1 Ab5:1 G5:1 | F5:2 Ab5:1! F5:1'''
    chords = '''Eb3 Bb3 Eb4 F4 G4 Bb4 G4 F4  C3 G3 C4 Eb4 G4 Bb4 G4 Eb4
                Ab3 Eb4 G4 C5 Eb5 C5 G4 Eb4  Bb3 F4 Bb4 D5 F5 D5 Bb4 F4
                G3 D4 F4 Bb4 D5 Bb4 F4 D4    C3 G3 Bb3 Eb4 D4 G4 Eb4 Bb3
                F3 C4 Ab4 C5 Eb5 C5 Ab4 C4   Bb3 F4 Ab4 Bb4 Eb5 D5 Bb4 F4'''
    ground = ' '.join(f'{c}:.5{"" if k % 8 == 0 else "?"}' for k, c in enumerate(chords.split()))
    sweep = [(31 + k / 12, c, 1, .34 + .02 * k, '') for k, c in enumerate(
        'Bb4 C5 D5 Eb5 F5 G5 Ab5 Bb5 C6 D6 Eb6 F6'.split())]
    wood = ((170, 6, .3), (310, 6, .4), (560, 6, .4), (900, 5, .35), (1600, 4, .3))
    for notes, gain in ((score(tune, beats), 1.0), (score(ground, beats), .70), (sweep, .55)):
        for beat, note, _, velocity, _ in notes:
            f, rng = hz(note), loop.rng
            velocity *= rng.uniform(0.9, 1.08)
            x = pluck(rng, f, 4.0, 4.2 * (330 / f) ** 0.45, 0.042, 0.31, velocity)
            x = body(x * velocity * (f / 330) ** 0.25, wood)
            loop.add(x, loop.when(beat, .006), gain, 0.4 * np.log2(f / 420), .20)
    return master(loop, room(13, 1.8, .5, .016))


def kettle(name):
    """A kettle comes to the boil, whistles on two notes and is lifted off.

    Bubbles after Minnaert 1933 (van den Doel 2005), steam as noise through the
    body's resonances, and a whistle whose pitch climbs with the flow of steam
    until the spout's modes hold it (Henrywood & Agarwal 2013)."""
    loop = Loop(name, 22, 60)
    rng, n = loop.rng, loop.n
    flow = curve(loop, ((0, .66), (1.5, .74), (3.5, .90), (6, 1), (17.8, 1), (19.3, .84), (20.6, .62)))
    for _ in range(1500):                                   # the boil
        at = rng.uniform(0, n / SR)
        f = 420 * 2 ** min(2.6, rng.gamma(2.0, 0.45))
        t = np.arange(int(0.07 * SR)) / SR
        rise = f * (1 + 1.5 * t / 0.05 * rng.uniform(0, .5))
        env = np.minimum(1, t / 0.0015) * np.exp(-t * f / 22) * np.clip((0.07 - t) / .01, 0, 1)
        level = rng.exponential(0.05) * (1.25 - 0.5 * flow[int(at * SR) % n])
        loop.add(env * np.sin(2 * np.pi * np.cumsum(rise) / SR), at, level, rng.uniform(-.7, .7), .25)
    shake = 1 + 0.25 * drift(loop, 9)
    for centre, octaves, level, power in ((170, .5, .06, .5), (430, .3, .055, .7), (1000, .25, .055, 1.2),
                                          (2300, .35, .035, 2), (5200, .45, .014, 3)):
        both = ring_filter(loop.noise(), bell_curve(centre, octaves))
        left, right = (ring_filter(loop.noise(), bell_curve(centre, octaves)) for _ in 'lr')
        x = np.array([both + .6 * left, both + .6 * right]) / both.std()
        loop.add(x * level * flow ** power * shake, 0, 1, 0, .2)
    first = ((0, 0), (.05, .50), (.45, .62), (.85, .22), (1.25, .58), (1.7, .34), (2.2, .66),
             (3.2, .88), (5, 1), (18, 1), (18.9, .62), (20.2, .14), (21.2, .03), (21.8, 0))
    second = ((0, 0), (2.7, 0), (3.2, .10), (4.2, .25), (5.6, .9), (7, 1), (17.6, 1),
              (18.4, .3), (19.2, 0))
    pipes = ((1976.0, .30, -.28, first), (2637.0, .23, .28, second))
    for target, level, pan, points in pipes:
        jitter = 0.0012 * drift(loop, 5) + 0.0006 * drift(loop, 45)
        f = target * (0.62 + 0.38 * np.minimum(1, flow) ** 0.8) * (1 + jitter)
        phase = 2 * np.pi * np.cumsum(f) / SR
        amp = level * np.maximum(0, curve(loop, points)) * (1 + .07 * drift(loop, 7) + .05 * drift(loop, 60))
        tone = np.sin(phase) + .16 * amp / level * np.sin(2 * phase) + .06 * np.sin(3 * phase + 1)
        breath = drift(loop, 130) * np.sin(phase) + drift(loop, 130) * np.cos(phase)
        loop.add((tone + .10 * breath) * amp, 0, 1, pan, .30)
    return master(loop, room(14, 0.7, .5, .006), low=70)


def clock(name):
    """A longcase clock in a hall: 48 beats of the pendulum, four phrases of chime."""
    beats = 48
    loop = Loop(name, beats, 120)
    tune = '''F5:2 C6:2! A5:2 G5:4 r:2 | A5:2 Bb5:2 G5:2 C5:4 r:2 |
              F5:2! G5:2 A5:2 D6:4! r:2 | C6:2 A5:2 G5:2 F5:4! r:2'''
    ground = 'F4:12? | C4:6? E4:6? | F4:6 D4:6? | C4:6? F4:6?'
    for text, gain in ((tune, .28), (ground, .15)):
        for beat, note, _, velocity, _ in score(text, beats):
            f = hz(note)
            loop.add(tube(loop.rng, f, velocity), loop.when(beat, .006), gain * (f / 700) ** .7,
                     .10 + .3 * np.log2(f / 700), .35)
    for k in range(beats):
        scale, level = ((1.0, .9), (.86, .8))[k % 2]
        x = wood_tick(loop.rng, scale, level * loop.rng.uniform(.93, 1.05))
        loop.add(x, loop.when(k, .0008), .21, -.22 + .06 * (k % 2), .22)
    return master(loop, room(15, 1.0, .35, .009))


def sing(loop, start, syllables, gain, pan, far, wet):
    """Add one bird's phrase: syllables are (gap, seconds, points, trill, level)."""
    t = start
    for gap, seconds, points, trill, level in syllables:
        t += gap
        x = distance(chirp(points, seconds, trill), far)
        loop.add(x, t, gain * level, pan, wet)
        t += seconds


def blackbird(rng, opening):
    """Four to six slow flute notes, then a soft hurried twitter (Turdus merula)."""
    flute = {0: ((.17, (2010, 2260, 2230)), (.20, (2700, 2630, 2360)), (.10, (1900, 2050)),
                 (.30, (2260, 2830, 2500))),
             1: ((.24, (1720, 1790, 1690)), (.13, (2260, 2400)), (.26, (2140, 2020, 2280)),
                 (.12, (2900, 2640)), (.18, (2010, 1900))),
             2: ((.12, (2400, 2540)), (.12, (2010, 2130)), (.34, (2690, 2390, 2020)),
                 (.20, (1800, 2260, 2240))),
             3: ((.32, (1910, 2010, 2000)), (.15, (2690, 2720, 2560)), (.15, (2270, 2260)),
                 (.14, (3020, 2820)), (.26, (2400, 2010, 2130)))}[opening]
    out = []
    for k, (d, pts) in enumerate(flute):
        trill = (28, .45) if d > .25 and rng.random() < .6 else (0, 0)
        out.append((0 if k == 0 else rng.uniform(.02, .06), d, pts, trill, rng.uniform(.8, 1)))
    for _ in range(rng.integers(4, 8)):
        f = rng.uniform(3600, 6200)
        out.append((rng.uniform(.01, .03), rng.uniform(.03, .07),
                    (f, f * rng.uniform(.7, 1.3), f * rng.uniform(.8, 1.1)), (0, 0), rng.uniform(.12, .3)))
    return out


def robin(rng):
    """A silver cascade: thin notes, fast trills, falling runs (Erithacus rubecula)."""
    out, f = [], rng.uniform(4800, 5600)
    for _ in range(rng.integers(3, 5)):
        kind = rng.integers(3)
        if kind == 0:                                       # a falling run
            for k in range(rng.integers(5, 9)):
                g = f * 0.94 ** k
                out.append((.012, .048, (g * 1.12, g, g * .93), (0, 0), .5 + .06 * k))
        elif kind == 1:                                     # a long thin note
            out.append((.05, rng.uniform(.18, .3), (f, f * 1.06, f * .97), (0, 0), .7))
        else:                                               # a trill
            out.append((.04, rng.uniform(.25, .4), (f * .8, f * .74), (24, 2.2), .8))
        f = np.clip(f * rng.uniform(.78, 1.2), 3100, 6000)
    return out


def birds(name):
    """A garden at first light: blackbirds, a robin, a great tit, a chiffchaff,
    a wood pigeon and, far off, a cuckoo; each at its own place and distance."""
    loop = Loop(name, 24, 60)
    rng = loop.rng
    for start, which in ((0, 0), (4.1, 1), (8.3, 3), (12.6, 2), (16.5, 0), (20.4, 1)):
        sing(loop, start, blackbird(rng, which), .62, -.18, 0.1, .20)
    for start, which in ((2.2, 3), (10.6, 2), (18.9, 3)):   # his neighbour answers
        sing(loop, start, blackbird(rng, which), .50, .75, 1.3, .60)
    for start in (7.6, 22.9):                               # another robin, far off
        sing(loop, start, robin(rng), .52, -.65, .9, .45)
    for start in (1.6, 6.1, 10.1, 14.6, 18.4, 22.3):
        sing(loop, start, robin(rng), .42, .50, .3, .22)
    tit = [(.04, .10, (4150, 4250), (0, 0), 1), (.02, .14, (3180, 3120), (0, 0), .9)]
    for start, count in ((3.3, 5), (13.6, 6), (21.2, 4)):
        sing(loop, start, tit * count, .34, -.72, .8, .40)
    chiff = [(.20, .085, (6300, 4700, 4300), (0, 0), 1), (.22, .095, (5300, 4000, 3650), (0, 0), .9)]
    for start, count in ((5.9, 5), (15.0, 6)):
        sing(loop, start, (chiff * count)[:-1], .40, .15, .9, .40)
    coo = [(0, .22, (470, 490, 480), (26, .2), .7), (.08, .50, (500, 530, 495), (26, .2), 1),
           (.10, .42, (485, 495, 470), (26, .2), .8), (.22, .20, (480, 495), (26, .2), .75),
           (.07, .28, (470, 475, 455), (26, .2), .7)]
    for start in (0.4, 2.75, 11.9, 14.25):
        sing(loop, start, coo, .32, -.30, 1.0, .50)
    cuckoo = [(0, .16, (690, 705, 690), (0, 0), 1), (.12, .26, (560, 566, 545), (0, 0), .9)]
    for start in (6.6, 8.1, 9.6, 17.3, 18.8, 20.3):
        sing(loop, start, cuckoo, .50, .30, 1.4, .70)
    for side in (-.8, .8):                                  # the air itself
        air = ring_filter(loop.noise(), lambda f: f / (1 + (f / 500) ** 2) / (1 + (f / 5000) ** 4))
        loop.add(air / air.std() * (1 + .3 * drift(loop, .4)), 0, .0010, side, 0)
    return master(loop, room(16, 1.7, .55, .030, .9), low=150)


def dawn(name):
    """Four slow chords of a soft choir that brightens, a vibraphone over them."""
    beats = 24
    loop = Loop(name, beats, 60)
    chords = ('D3 A3 F#4 A4 C#5 E5', 'B2 F#3 D4 A4 C#5 F#5', 'G2 D3 B3 F#4 A4 D5', 'A2 E3 B3 C#4 E4 A4 E5')
    t = np.arange(loop.n) / SR
    for k, chord in enumerate(chords):
        notes = [hz(c) for c in chord.split()]
        since = (t - 6 * k) % (loop.n / SR)
        swell = np.clip(since / 1.3, 0, 1), np.clip((6.9 - since) / 2.6, 0, 1)
        env = (0.15 + 0.85 * np.sin(np.pi / 2 * swell[0]) ** 2) * np.sin(np.pi / 2 * swell[1]) ** 2
        env *= np.sin(np.pi / 2 * np.clip(since / 0.12, 0, 1)) ** 2
        glow = env * np.exp(-0.5 * ((since - 3.1) / 1.3) ** 2)
        loop.add(padsynth(loop, notes, 1.8) * env, 0, .10, 0, .35)
        loop.add(padsynth(loop, [2 * f for f in notes[2:]], 1.4) * glow, 0, .060, 0, .45)
    tune = '''F#5:1.5? A5:1.5 E6:3 | D6:1.5! C#6:1.5 A5:3 | B5:1.5! D6:1.5 F#6:3 |
              E6:2! C#6:2 B5:1? A5:1?'''
    for beat, note, _, velocity, _ in score(tune, beats):
        pan = loop.rng.uniform(-.45, .45)
        loop.add(vibraphone(loop.rng, hz(note), velocity), loop.when(beat, .012), .46, pan, .40)
    for k, chord in enumerate(chords):
        for j, note in enumerate(chord.split()[2:5]):
            loop.add(vibraphone(loop.rng, hz(note), .5), 6 * k + .004 * j, .20, .3 * (j - 1), .40)
    return master(loop, room(17, 2.8, .45, .025), low=80)


def beeper(name):
    """Four beeps and a rest, twenty times, every fourth bar a third higher.

    A square wave near 520 Hz wakes sleepers best, hard of hearing or not
    (Bruck & Thomas 2009); the octaves of a piezo disc above it cut through.
    Harmonics are summed below 9 kHz, so nothing aliases."""
    loop = Loop(name, 80, 240)
    for bar in range(20):
        f = (523.25, 659.26)[bar % 4 == 3]
        for k in range(4):
            t = np.arange(int((.105 if k < 3 else .15) * SR)) / SR
            tone = sum(np.sin(2 * np.pi * f * h * t) / h * np.exp(-(f * h / 6500) ** 2)
                       for h in range(1, 18, 2))
            disc = sum(np.sin(2 * np.pi * 4 * f * h * t + .5) * a for h, a in ((1, .5), (2, .12), (3, .08)))
            env = np.sin(np.pi / 2 * np.clip(t / .003, 0, 1)) ** 2 * \
                np.sin(np.pi / 2 * np.clip((t[-1] - t) / .012, 0, 1)) ** 2
            loop.add((tone + disc * (.75 + .25 * np.exp(-t / .02))) * env,
                     bar + .140 * k, .3 * (1 if k else 1.1), 0, .10)
    return master(loop, room(18, .35, .4, .004))


def gayageum(name):
    """Eight bars in a five-note mode on G, twelve eighths a bar (jungjungmori)."""
    beats = 96
    loop = Loop(name, beats, 252)
    tune = r'''G4:3! G4:1? A4:1 C5:1 D5:3!~ C5:2 A4:1? | C5:3!~ A4:2 G4:1? A4:3/ G4:3~ |
               C5:2! D5:1 E5:3!~ D5:2 C5:1? A4:3~ | G4:2 A4:1 C5:2! A4:1? G4:6~ |
               D5:3! D5:1? E5:1 G5:1 A5:3!~ G5:2 E5:1? | G5:3!~ E5:2 D5:1? E5:2 D5:1? C5:3\ |
               D5:2! E5:1 D5:1 C5:1? A4:1 C5:3!/ A4:2 G4:1? | A4:2 C5:1! A4:1 G4:1 E4:1? G4:4!~ D4:1? E4:1'''
    ground = '''G3:6 D4:6? | C4:6 D4:6? | C4:6 A3:6? | G3:6 D4:3? G3:3? |
                D4:6 A3:6? | G3:6 C4:6? | D4:6 A3:6? | A3:6 G3:6?'''
    for text, gain, top in ((tune, 1.0, True), (ground, .62, False)):
        for beat, note, length, velocity, marks in score(text, beats):
            f, rng = hz(note), loop.rng
            velocity *= rng.uniform(.9, 1.06)
            ring = length * loop.spb + (.9 if top else 1.5)
            x = gayageum_string(rng, f, ring, velocity, marks)
            loop.add(x * velocity, loop.when(beat, .007), gain, .30 * np.log2(f / 400) - .05, .18)
    for bar in range(8):
        for eighth, high, level in ((0, False, .9), (3, True, .35), (5, True, .3), (6, False, .6),
                                    (8, True, .6), (10, True, .25)):
            x = janggu(loop.rng, high, level * loop.rng.uniform(.9, 1.1))
            loop.add(x, loop.when(12 * bar + eighth, .006), .22, .35 if high else .1, .25)
    return master(loop, room(19, 1.2, .5, .012))


def musicbox(name):
    """Twelve bars in A, six eighths each, from a small wooden box."""
    beats = 72
    loop = Loop(name, beats, 192)
    tune = '''E6:2! C#6:1 A6:3! | F#6:1 G#6:1 A6:1! C#6:3 | D6:2 F#6:1 A6:2! F#6:1 | E6:3! B5:2 D6:1 |
              C#6:2 E6:1 A6:2! B6:1 | G#6:3! E6:3 | F#6:1 E6:1 D6:1 F#6:2! A6:1 | G#6:3 B6:3! |
              A6:2! F#6:1 C#6:3 | D6:1 E6:1 F#6:1 A6:3! | G#6:2! F#6:1 E6:2 D6:1 | C#6:2 E6:1 A5:3!'''
    chords = ('A4 E5 C#6', 'F#4 C#5 A5', 'D5 A5 F#5', 'E5 B5 G#5', 'A4 E5 C#6', 'C#5 G#5 E5',
              'D5 A5 F#5', 'E5 B5 D5', 'F#4 C#5 A5', 'D5 A5 F#5', 'B4 F#5 E5', 'A4 E5 C#5')
    ground = ' '.join(f'{c[i]}:1?' for c in map(str.split, chords) for i in (0, 1, 2, 1, 2, 1))
    for text, gain in ((tune, 1.0), (ground, .60)):
        for beat, note, _, velocity, _ in score(text, beats):
            f = hz(note)
            x = tine(loop.rng, f, velocity * loop.rng.uniform(.93, 1.05))
            loop.add(x, loop.when(beat, .004), gain, .4 * np.log2(f / 950), .22)
    return master(loop, room(20, .9, .5, .007), high=12000)


PIECES = {
    'Carillon': carillon,       # the default
    'Marimba': marimba,
    'Harp': harp,
    'Gayageum': gayageum,
    'Musicbox': musicbox,
    'Birds': birds,
    'Dawn': dawn,
    'Clock': clock,
    'Kettle': kettle,
    'Beeper': beeper,
}


def main():
    parser = argparse.ArgumentParser(description='Make the ringtones of Belfry.')
    parser.add_argument('names', nargs='*', metavar='NAME', help=', '.join(PIECES))
    parser.add_argument('--out', default=os.path.dirname(os.path.abspath(__file__)), metavar='DIR')
    args = parser.parse_args()
    for name in args.names:
        if name not in PIECES:
            sys.exit(f'make.py: no piece named {name}; there are: {", ".join(PIECES)}')
    os.makedirs(args.out, exist_ok=True)
    for name in args.names or PIECES:
        write(os.path.join(args.out, name + '.ogg'), name, PIECES[name](name))
        print(name, flush=True)


if __name__ == '__main__':
    main()
