// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configKeys, configLimits, protectedStanzas } from './config-keys.ts';

/** The keys that are written in this way. */
const ofType = (...types: readonly string[]) =>
  Object.entries(configKeys).flatMap(([name, { type }]) => (types.includes(type) ? [name] : []));

test('users can set the keys of the specification, each written as the type that the server reads', () => {
  assert.deepEqual(ofType('bool'), [
    'allow_audit_log_prefixing',
    'disable_cache',
    'disable_standby_reads',
    'enable_response_header_hostname',
    'enable_response_header_raft_node_id',
    'imprecise_lease_role_tracking',
    'introspection_endpoint',
    'plugin_auto_download',
    'plugin_auto_register',
    'raw_storage_endpoint',
    'ui',
    'unsafe_allow_api_audit_creation',
  ]);
  assert.deepEqual(ofType('int'), ['cache_size', 'log_rotate_bytes', 'log_rotate_max_files', 'plugin_file_uid']);
  assert.deepEqual(ofType('text', 'duration', 'permissions'), [
    'cluster_name',
    'default_lease_ttl',
    'default_max_request_duration',
    'detect_deadlocks',
    'log_file',
    'log_format',
    'log_level',
    'log_rotate_duration',
    'max_lease_ttl',
    'pid_file',
    'plugin_directory',
    'plugin_download_behavior',
    'plugin_file_permissions',
    'tls_acme_ca_root',
  ]);
  assert.deepEqual(
    Object.entries(configKeys).flatMap(([name, { inListener, since }]) =>
      inListener === undefined && since === undefined ? [] : [[name, inListener, since]],
    ),
    [
      ['disable_standby_reads', undefined, '2.5.0'],
      ['tls_acme_ca_root', true, undefined],
    ],
  );
});

test('the choices of a setting are those with which the server starts', () => {
  const choices = Object.entries(configKeys).flatMap(([name, { values }]) =>
    values === undefined ? [] : [[name, values]],
  );
  assert.deepEqual(Object.fromEntries(choices), {
    log_format: ['standard', 'json'],
    log_level: ['trace', 'debug', 'info', 'warn', 'error'],
    plugin_download_behavior: ['fail', 'continue'],
  });
});

test('the limits and the protected stanzas are those of the specification', () => {
  assert.deepEqual(configLimits, { entries: 64, keyLength: 128, valueLength: 4096 });
  assert.deepEqual(protectedStanzas, ['listener', 'storage', 'seal']);
});
