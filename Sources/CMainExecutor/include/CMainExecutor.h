// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// From now on GLib's main loop runs what Swift's runtime has for the main actor.
void belfry_run_main_actor_on_glib(void);
