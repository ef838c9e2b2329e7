// SPDX-License-Identifier: Apache-2.0

/** How a value of `spec.config` is written in HCL. */
type ConfigType = 'bool' | 'int' | 'duration' | 'permissions' | 'text';

/** A setting of the server that users may give in `spec.config`. */
export interface ConfigKey {
  readonly type: ConfigType;
  /** The values it can have; an unknown one makes the server exit. Default: any of its type. */
  readonly values?: readonly string[];
  /** Written into the listener block. Default: at the top level. */
  readonly inListener?: true;
  /** The first version that knows it. Default: every supported version does. */
  readonly since?: `2.${number}.0`;
}

/**
 * The settings that users may give. Everything else is refused: the stanzas that the operator writes, and
 * `disable_clustering`, with which Raft does not start.
 */
export const configKeys: Readonly<Record<string, ConfigKey>> = {
  allow_audit_log_prefixing: { type: 'bool' },
  cache_size: { type: 'int' },
  cluster_name: { type: 'text' },
  default_lease_ttl: { type: 'duration' },
  default_max_request_duration: { type: 'duration' },
  detect_deadlocks: { type: 'text' },
  disable_cache: { type: 'bool' },
  disable_standby_reads: { type: 'bool', since: '2.5.0' },
  enable_response_header_hostname: { type: 'bool' },
  enable_response_header_raft_node_id: { type: 'bool' },
  imprecise_lease_role_tracking: { type: 'bool' },
  introspection_endpoint: { type: 'bool' },
  log_file: { type: 'text' },
  log_format: { type: 'text', values: ['standard', 'json'] },
  log_level: { type: 'text', values: ['trace', 'debug', 'info', 'warn', 'error'] },
  log_rotate_bytes: { type: 'int' },
  log_rotate_duration: { type: 'duration' },
  log_rotate_max_files: { type: 'int' },
  max_lease_ttl: { type: 'duration' },
  pid_file: { type: 'text' },
  plugin_auto_download: { type: 'bool' },
  plugin_auto_register: { type: 'bool' },
  plugin_directory: { type: 'text' },
  plugin_download_behavior: { type: 'text', values: ['fail', 'continue'] },
  plugin_file_permissions: { type: 'permissions' },
  plugin_file_uid: { type: 'int' },
  raw_storage_endpoint: { type: 'bool' },
  tls_acme_ca_root: { type: 'text', inListener: true },
  ui: { type: 'bool' },
  unsafe_allow_api_audit_creation: { type: 'bool' },
};

/** Keys whose stanzas the operator writes itself. */
export const protectedStanzas = ['listener', 'storage', 'seal'] as const;

/** Limits of the map. */
export const configLimits = { entries: 64, keyLength: 128, valueLength: 4096 } as const;
