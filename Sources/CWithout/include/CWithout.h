// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing to call: what is defined here, the linker does not look for in libraries that Belfry has
// no use for. Foundation.c and Dispatch.c say what that is.
