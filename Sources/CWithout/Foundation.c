// SPDX-License-Identifier: GPL-3.0-or-later
//
// What ArgumentParser takes FoundationEssentials for, and Belfry has no use for: the JSON of a hidden
// option, `--experimental-dump-help`, and words that an error may bring along (`LocalizedError`),
// which none of ours does. Linked statically, these two bring 5 MB, and a millisecond more at each
// start. The linker does not look there for what it has found here.
//
// All of it is weak: where ArgumentParser asks for more one day, everything comes from
// FoundationEssentials, as without this file. The tests use Foundation; so it is for the release.
#ifdef BELFRY_RELEASE
#include <stdio.h>
#include <stdlib.h>

#define WITHOUT(name, symbol)                                                           \
  _Noreturn void name(void) __asm__("$s" symbol);                                       \
  __attribute__((weak, visibility("hidden"))) _Noreturn void name(void) { refuse(); }

static _Noreturn void refuse(void) {
  fputs("belfry: this build has no JSON of its help\n", stderr);
  exit(64);
}

WITHOUT(encoder_type, "20FoundationEssentials11JSONEncoderCMa")
WITHOUT(encoder_init, "20FoundationEssentials11JSONEncoderCACycfc")
WITHOUT(encoder_pretty, "20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau")
WITHOUT(encoder_sorted, "20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau")
WITHOUT(string_utf8, "SS20FoundationEssentialsE8EncodingV4utf8ACvau")
WITHOUT(string_init, "SS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC")

// The descriptor of a protocol without requirements (TargetProtocolDescriptor in Swift's
// ABI/Metadata.h: flags, parent, name, two counts, names of associated types), to which nothing
// conforms.
__asm__(
  ".section .rodata\n"
  ".weak \"$s20FoundationEssentials14LocalizedErrorMp\"\n"
  ".hidden \"$s20FoundationEssentials14LocalizedErrorMp\"\n"
  ".balign 4\n"
  "\"$s20FoundationEssentials14LocalizedErrorMp\":\n"
  ".long 0x00010043, 0\n"
  ".long belfry_localized_error_name - .\n"
  ".long 0, 0, 0\n"
  "belfry_localized_error_name: .asciz \"LocalizedError\"\n"
  ".previous\n");
#endif
