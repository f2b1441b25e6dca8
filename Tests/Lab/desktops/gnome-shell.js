// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets GnomeShell.swift act on GNOME Shell as a person does, and read what the shell shows. The
// shell evaluates this script by org.gnome.Shell.Eval; `Main` is the shell's ui/main.js. The script
// works in GNOME Shell 43, whose own scripts are imported, and in 45 and later, where they are
// modules.

global.lab = new class {
  constructor() {
    this.clutter = imports.gi.Clutter;
    const backend = this.clutter.get_default_backend?.() ?? global.stage.context.get_backend();
    const seat = backend.get_default_seat();
    const {POINTER_DEVICE, KEYBOARD_DEVICE} = this.clutter.InputDeviceType;
    this.pointer = seat.create_virtual_device(POINTER_DEVICE);
    this.keyboard = seat.create_virtual_device(KEYBOARD_DEVICE);
    this.watchPrograms();
    this.shown = [];
    const tray = Main.messageTray;
    const show = tray._showNotification;
    tray._showNotification = () => {
      show.call(tray);
      this.shown.push(tray._notification?.title ?? '');
    };
  }

  // Watches whether the shell still has to read the list of programs. The shell does so about 5 s
  // after a file or folder has been created where GLib looks for programs or their settings, such
  // as in ~/.config. If it does so during a search, the search never shows a result.
  watchPrograms() {
    const {Gio, GLib, Shell} = imports.gi;
    Gio.AppInfoMonitor.get().connect('changed', () => {
      this.mustReadPrograms = true;
    });
    Shell.AppSystem.get_default().connect('installed-changed', () => {
      this.mustReadPrograms = false;
    });
    // Make the shell read the list once, because something may have been created before this script
    // ran.
    this.mustReadPrograms = true;
    GLib.mkdir_with_parents(`${GLib.get_user_config_dir()}/${GLib.uuid_string_random()}`, 0o700);
  }

  move(x, y) {
    this.pointer.notify_absolute_motion(this.now(), x, y);
  }

  button(isDown) {
    const {PRESSED, RELEASED} = this.clutter.ButtonState;
    this.pointer.notify_button(
      this.now(), this.clutter.BUTTON_PRIMARY, isDown ? PRESSED : RELEASED);
  }

  key(name) {
    const {PRESSED, RELEASED} = this.clutter.KeyState;
    for (const state of [PRESSED, RELEASED])
      this.keyboard.notify_keyval(this.now(), this.clutter[`KEY_${name}`], state);
  }

  // Returns the time in microseconds, as events have it.
  now() {
    return imports.gi.GLib.get_monotonic_time();
  }

  // Returns the texts and buttons that are drawn inside `actor`, with their positions.
  words(actor, found = []) {
    if (!actor?.visible || !actor.mapped) return found;
    const area = actor.get_transformed_extents();
    // An actor that has no layout yet has no position.
    if (!Number.isFinite(area.origin.x + area.size.width)) return found;
    const widget = {
      kind: 'text', text: '', x: area.origin.x, y: area.origin.y,
      width: area.size.width, height: area.size.height,
      isCut: (actor.clutter_text ?? actor).get_layout?.().is_ellipsized() ?? false,
    };
    if (typeof actor.label === 'string' && actor.label)
      found.push({...widget, kind: 'button', text: actor.label});
    else if (typeof actor.text === 'string' && actor.text)
      found.push({...widget, text: actor.text});
    else if (/close-button/.test(actor.style_class ?? ''))
      found.push({...widget, kind: 'close'});
    for (const child of actor.get_children()) this.words(child, found);
    return found;
  }

  // Returns the texts and buttons of the banner, or none while the banner is moving.
  banner() {
    const tray = Main.messageTray;
    return tray._notificationState === 2 ? this.words(tray._banner) : [];
  }

  bannerNow() {
    const tray = Main.messageTray;
    return tray.visible ? this.words(tray._banner) : [];
  }

  // Returns the titles of all banners since the last `clear`. A banner stays for only 4 seconds.
  bannersShown() {
    return this.shown;
  }

  // Returns the state of the message tray, which explains why there is no banner.
  bannerState() {
    const {_notificationState, _bannerBlocked, _busy, queueCount} = Main.messageTray;
    return {_notificationState, _bannerBlocked, _busy, queueCount, shown: this.shown};
  }

  // Returns the texts of the lock screen.
  locked() {
    return this.words(Main.screenShield._lockDialogGroup);
  }

  // Returns where the banner is on the screen: left, top, width and height.
  bannerArea() {
    const {origin, size} = Main.messageTray._banner.get_transformed_extents();
    return [origin.x, origin.y, size.width, size.height].map(Math.round);
  }

  panel() {
    return this.words(Main.panel);
  }

  symbols() {
    return Object.keys(Main.panel.statusArea).filter(name => /^appindicator/.test(name)).length;
  }

  list() {
    return this.words(Main.panel.statusArea.dateMenu._messageList);
  }

  openList(isOpen) {
    const {menu} = Main.panel.statusArea.dateMenu;
    isOpen ? menu.open(false) : menu.close(false);
  }

  get results() {
    const {searchController, _overview} = Main.overview;
    return (searchController ?? _overview._controls._searchController)._searchResults;
  }

  // Returns the name of the search result that Enter would open, or an empty text while the search
  // is running.
  found() {
    const {searchInProgress, _defaultResult} = this.results;
    if (searchInProgress || !_defaultResult) return '';
    return _defaultResult.metaInfo?.name ?? _defaultResult.app.get_name();
  }

  // Returns the state of the search, which explains why it has not found what was expected.
  searchState() {
    const {searchInProgress, _terms, _providers} = this.results;
    const providers = _providers.map(each => each.id);
    return {found: this.found(), searchInProgress, _terms, providers};
  }

  // Returns whether the shell takes Belfry for a program that is starting. It does so for 15 s
  // after a click on one of Belfry's notifications, and during this time Belfry's launcher does
  // nothing.
  isStarting() {
    const {AppState, AppSystem} = imports.gi.Shell;
    const app = AppSystem.get_default().lookup_app('org.belfry.Belfry.desktop');
    return app?.state === AppState.STARTING;
  }

  // Returns all notifications that the shell keeps, shown or not.
  kept() {
    return Main.messageTray.getSources().flatMap(source => source.notifications.map(each => ({
      title: each.title, body: each.bannerBodyText ?? each.body ?? '', urgency: each.urgency,
      buttons: each.actions.map(action => action.label),
    })));
  }

  clear() {
    this.openList(false);
    Main.overview.hide();
    for (const source of Main.messageTray.getSources()) source.destroy();
    this.shown = [];
  }
};
0
