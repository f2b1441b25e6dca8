// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of GIO, which is loaded by it: see CLibrary.h. It brings seven libraries along,
// and to tell what comes next takes no bus. It comes with GLib: that it is missing is no condition
// to go on in, and GLib's log ends the program with what the loader says.
#include "CLibrary.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

#define PASS(type, function, parameters, arguments)                                              \
  FORWARD("libgio-2.0.so.0",                                                                     \
          (g_log("belfry", G_LOG_LEVEL_ERROR, "%s", library_trouble()), (type)0), type, function, \
          parameters, arguments)

// MARK: - The bus

PASS(void, g_bus_get, (GBusType bus, GCancellable *stop, GAsyncReadyCallback done, gpointer data),
     (bus, stop, done, data))
PASS(GDBusConnection *, g_bus_get_finish, (GAsyncResult *result, GError **error), (result, error))
PASS(GDBusConnection *, g_bus_get_sync, (GBusType bus, GCancellable *stop, GError **error),
     (bus, stop, error))
PASS(guint, g_bus_own_name_on_connection,
     (GDBusConnection *bus, const gchar *name, GBusNameOwnerFlags flags,
      GBusNameAcquiredCallback acquired, GBusNameLostCallback lost, gpointer data,
      GDestroyNotify free),
     (bus, name, flags, acquired, lost, data, free))
PASS(guint, g_bus_watch_name_on_connection,
     (GDBusConnection *bus, const gchar *name, GBusNameWatcherFlags flags,
      GBusNameAppearedCallback appeared, GBusNameVanishedCallback vanished, gpointer data,
      GDestroyNotify free),
     (bus, name, flags, appeared, vanished, data, free))
PASS(void, g_bus_unwatch_name, (guint watch), (watch))

PASS(void, g_dbus_connection_set_exit_on_close, (GDBusConnection *bus, gboolean exits),
     (bus, exits))
PASS(const gchar *, g_dbus_connection_get_guid, (GDBusConnection *bus), (bus))
PASS(void, g_dbus_connection_flush,
     (GDBusConnection *bus, GCancellable *stop, GAsyncReadyCallback done, gpointer data),
     (bus, stop, done, data))
PASS(gboolean, g_dbus_connection_flush_finish,
     (GDBusConnection *bus, GAsyncResult *result, GError **error), (bus, result, error))
PASS(gboolean, g_dbus_connection_flush_sync,
     (GDBusConnection *bus, GCancellable *stop, GError **error), (bus, stop, error))

PASS(void, g_dbus_connection_call,
     (GDBusConnection *bus, const gchar *name, const gchar *path, const gchar *interface,
      const gchar *method, GVariant *arguments, const GVariantType *answer, GDBusCallFlags flags,
      gint patience, GCancellable *stop, GAsyncReadyCallback done, gpointer data),
     (bus, name, path, interface, method, arguments, answer, flags, patience, stop, done, data))
PASS(GVariant *, g_dbus_connection_call_finish,
     (GDBusConnection *bus, GAsyncResult *result, GError **error), (bus, result, error))
PASS(GVariant *, g_dbus_connection_call_sync,
     (GDBusConnection *bus, const gchar *name, const gchar *path, const gchar *interface,
      const gchar *method, GVariant *arguments, const GVariantType *answer, GDBusCallFlags flags,
      gint patience, GCancellable *stop, GError **error),
     (bus, name, path, interface, method, arguments, answer, flags, patience, stop, error))
PASS(void, g_dbus_connection_call_with_unix_fd_list,
     (GDBusConnection *bus, const gchar *name, const gchar *path, const gchar *interface,
      const gchar *method, GVariant *arguments, const GVariantType *answer, GDBusCallFlags flags,
      gint patience, GUnixFDList *files, GCancellable *stop, GAsyncReadyCallback done,
      gpointer data),
     (bus, name, path, interface, method, arguments, answer, flags, patience, files, stop, done,
      data))
PASS(GVariant *, g_dbus_connection_call_with_unix_fd_list_finish,
     (GDBusConnection *bus, GUnixFDList **files, GAsyncResult *result, GError **error),
     (bus, files, result, error))
PASS(gint, g_unix_fd_list_get, (GUnixFDList *files, gint index, GError **error),
     (files, index, error))
PASS(gint, g_unix_fd_list_get_length, (GUnixFDList *files), (files))

PASS(gboolean, g_dbus_connection_emit_signal,
     (GDBusConnection *bus, const gchar *name, const gchar *path, const gchar *interface,
      const gchar *signal, GVariant *arguments, GError **error),
     (bus, name, path, interface, signal, arguments, error))
PASS(guint, g_dbus_connection_signal_subscribe,
     (GDBusConnection *bus, const gchar *sender, const gchar *interface, const gchar *signal,
      const gchar *path, const gchar *first, GDBusSignalFlags flags, GDBusSignalCallback callback,
      gpointer data, GDestroyNotify free),
     (bus, sender, interface, signal, path, first, flags, callback, data, free))
PASS(void, g_dbus_connection_signal_unsubscribe, (GDBusConnection *bus, guint subscription),
     (bus, subscription))
PASS(guint, g_dbus_connection_add_filter,
     (GDBusConnection *bus, GDBusMessageFilterFunction filter, gpointer data, GDestroyNotify free),
     (bus, filter, data, free))
PASS(void, g_dbus_connection_remove_filter, (GDBusConnection *bus, guint filter), (bus, filter))

PASS(GDBusNodeInfo *, g_dbus_node_info_new_for_xml, (const gchar *xml, GError **error),
     (xml, error))
PASS(GDBusInterfaceInfo *, g_dbus_node_info_lookup_interface,
     (GDBusNodeInfo *node, const gchar *name), (node, name))
PASS(void, g_dbus_node_info_unref, (GDBusNodeInfo *node), (node))
PASS(guint, g_dbus_connection_register_object,
     (GDBusConnection *bus, const gchar *path, GDBusInterfaceInfo *interface,
      const GDBusInterfaceVTable *functions, gpointer data, GDestroyNotify free, GError **error),
     (bus, path, interface, functions, data, free, error))
PASS(void, g_dbus_method_invocation_return_value, (GDBusMethodInvocation *call, GVariant *answer),
     (call, answer))
PASS(void, g_dbus_method_invocation_return_dbus_error,
     (GDBusMethodInvocation *call, const gchar *name, const gchar *text), (call, name, text))

PASS(GDBusMessageType, g_dbus_message_get_message_type, (GDBusMessage *message), (message))
PASS(const gchar *, g_dbus_message_get_member, (GDBusMessage *message), (message))
PASS(GVariant *, g_dbus_message_get_body, (GDBusMessage *message), (message))
PASS(guint32, g_dbus_message_get_serial, (GDBusMessage *message), (message))
PASS(guint32, g_dbus_message_get_reply_serial, (GDBusMessage *message), (message))
PASS(GDBusMessage *, g_dbus_message_new, (void), ())
PASS(GDBusMessage *, g_dbus_message_new_method_error_literal,
     (GDBusMessage *call, const gchar *name, const gchar *text), (call, name, text))
PASS(void, g_dbus_message_set_message_type, (GDBusMessage *message, GDBusMessageType type),
     (message, type))
PASS(void, g_dbus_message_set_reply_serial, (GDBusMessage *message, guint32 serial),
     (message, serial))
PASS(void, g_dbus_message_set_error_name, (GDBusMessage *message, const gchar *name),
     (message, name))
PASS(void, g_dbus_message_set_body, (GDBusMessage *message, GVariant *body), (message, body))
PASS(gboolean, g_dbus_connection_send_message,
     (GDBusConnection *bus, GDBusMessage *message, GDBusSendMessageFlags flags,
      volatile guint32 *serial, GError **error),
     (bus, message, flags, serial, error))

// MARK: - Errors

PASS(GQuark, g_io_error_quark, (void), ())
PASS(GQuark, g_dbus_error_quark, (void), ())
PASS(gchar *, g_dbus_error_get_remote_error, (const GError *error), (error))
PASS(gboolean, g_dbus_error_strip_remote_error, (GError * error), (error))

// MARK: - Settings of the desktop

PASS(GSettingsSchemaSource *, g_settings_schema_source_get_default, (void), ())
PASS(GSettingsSchema *, g_settings_schema_source_lookup,
     (GSettingsSchemaSource *source, const gchar *schema, gboolean recursive),
     (source, schema, recursive))
PASS(gboolean, g_settings_schema_has_key, (GSettingsSchema *schema, const gchar *key),
     (schema, key))
PASS(void, g_settings_schema_unref, (GSettingsSchema *schema), (schema))
PASS(GSettings *, g_settings_new_full,
     (GSettingsSchema *schema, GSettingsBackend *backend, const gchar *path),
     (schema, backend, path))
PASS(GVariant *, g_settings_get_value, (GSettings *settings, const gchar *key), (settings, key))
PASS(gboolean, g_settings_get_boolean, (GSettings *settings, const gchar *key), (settings, key))

// MARK: - Other programs

PASS(GSubprocess *, g_subprocess_newv,
     (const gchar *const *words, GSubprocessFlags flags, GError **error), (words, flags, error))
PASS(void, g_subprocess_communicate_utf8_async,
     (GSubprocess *process, const char *input, GCancellable *stop, GAsyncReadyCallback done,
      gpointer data),
     (process, input, stop, done, data))
PASS(gboolean, g_subprocess_communicate_utf8_finish,
     (GSubprocess *process, GAsyncResult *result, char **output, char **errors, GError **error),
     (process, result, output, errors, error))
PASS(gboolean, g_subprocess_get_successful, (GSubprocess *process), (process))
PASS(void, g_subprocess_force_exit, (GSubprocess *process), (process))
PASS(void, g_app_info_launch_default_for_uri_async,
     (const char *uri, GAppLaunchContext *context, GCancellable *stop, GAsyncReadyCallback done,
      gpointer data),
     (uri, context, stop, done, data))
PASS(gboolean, g_app_info_launch_default_for_uri_finish, (GAsyncResult *result, GError **error),
     (result, error))
PASS(GList *, g_app_info_get_all_for_type, (const char *type), (type))
PASS(gboolean, g_app_info_launch_uris,
     (GAppInfo *program, GList *uris, GAppLaunchContext *context, GError **error),
     (program, uris, context, error))
