// SPDX-License-Identifier: GPL-3.0-or-later

/// The version of Belfry. `desktop/session/org.belfry.Belfry.metainfo.xml` lists all releases.
public enum Release {
  public static let version = "1.0.0"
}
