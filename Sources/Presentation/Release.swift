// SPDX-License-Identifier: GPL-3.0-or-later

/// What this Belfry calls itself; the metainfo in `desktop/` lists the releases.
public nonisolated enum Release {
  public static let version = "1.0.0"
}
