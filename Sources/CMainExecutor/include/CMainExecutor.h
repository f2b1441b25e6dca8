// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// From this call on, GLib's main loop runs the jobs of Swift's main actor.
void belfry_run_main_actor_on_glib(void);
