# SPDX-License-Identifier: GPL-3.0-or-later
"""systemd's login manager, simulated by python-dbusmock and its template, with some additions.

While a sleep or a shutdown is under way, the login manager refuses locks against it. It knows
whether the lid is closed, and whether the session is locked and on the screen. And it can begin
another session of the user.
"""

import dbus
from dbusmock import MOCK_IFACE, mockobject
from dbusmock.templates import logind
from dbusmock.templates.logind import *  # noqa: F403

MAIN_IFACE = logind.MAIN_IFACE
SESSION_IFACE = "org.freedesktop.login1.Session"
SESSIONS = "/org/freedesktop/login1/session/"
SIGNALS = {"sleep": "PrepareForSleep", "shutdown": "PrepareForShutdown"}


def load(mock, parameters):
    logind.load(mock, parameters)
    mock.AddProperty(MAIN_IFACE, "LidClosed", False)
    # The path `auto` stands for the caller's session. Signals come only from the object at the
    # session's own path.
    mock.AddObject(SESSIONS + "auto", SESSION_IFACE, {}, [])
    mockobject.logins = 0
    LogIn(mock)
    mockobject.under_way = None


@dbus.service.method(MAIN_IFACE, in_signature="ssss", out_signature="h")
def Inhibit(self, what, who, why, mode):
    if mockobject.under_way in what.split(":"):
        name = "org.freedesktop.login1.OperationInProgress"
        raise dbus.exceptions.DBusException(f"{what} is under way", name=name)
    return logind.Inhibit(self, what, who, why, mode)


@dbus.service.method(MOCK_IFACE, in_signature="sb")
def Announce(self, action, is_beginning):
    """Reports that the action `sleep` or `shutdown` begins or ends."""
    mockobject.under_way = action if is_beginning else None
    self.EmitSignal(MAIN_IFACE, SIGNALS[action], "b", [is_beginning])


@dbus.service.method(MOCK_IFACE)
def LogIn(self):
    """Begins a session of the user, which takes the place of an earlier one."""
    mockobject.logins += 1
    path = f"{SESSIONS}_3{mockobject.logins}"
    self.AddObject(path, SESSION_IFACE, {"LockedHint": False, "Active": False}, [])
    mockobject.session = mockobject.objects[path]
    mockobject.objects[SESSIONS + "auto"].props = mockobject.session.props
    SetSessionProperty(self, "Active", True)


@dbus.service.method(MOCK_IFACE, in_signature="sb")
def SetSessionProperty(self, name, value):
    """Sets a property of the user's session, which reports the change."""
    mockobject.session.UpdateProperties(SESSION_IFACE, {name: dbus.Boolean(value)})
