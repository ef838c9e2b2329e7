// SPDX-License-Identifier: Apache-2.0
import { mergeIni, type Ini } from '@forge/openstack/ini.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import type { Keystone } from '../../api/keystone.ts';
import { cacheServersOf } from '../backends.ts';
import { configDir } from '../pod.ts';

/** The connection URL in keystone.conf: a placeholder that can be parsed and contains no secret. */
const connectionPlaceholder = 'mysql+pymysql://placeholder';

/** How long a process uses a connection to the database before it opens another. */
export const connectionRecycleTime = minutes(10);

/** keystone.conf: the options of the operator; the sections of plugins override them, and the user's options override both. */
export function keystoneConf(keystone: Keystone, { hasPolicy }: { hasPolicy: boolean }): Ini {
  const { extraConfig = {} } = keystone.spec;
  const policy: Ini = hasPolicy ? { oslo_policy: { policy_file: `${configDir}policy.yaml` } } : {};
  return mergeIni(defaults(keystone), pluginSections(keystone), extraConfig, policy);
}

/** What keystone.conf says about logging to standard error. */
export function useStderrOf(keystone: Keystone): string {
  return keystoneConf(keystone, { hasPolicy: false })['DEFAULT']?.['use_stderr'] ?? '';
}

function defaults(keystone: Keystone): Ini {
  const { spec } = keystone;
  const servers = cacheServersOf(keystone).join(',');
  return {
    DEFAULT: defaultOptions(keystone),
    token: { provider: 'fernet' },
    fernet_tokens: { key_repository: '/etc/keystone/fernet-keys', max_active_keys: keyCount(spec.fernet) },
    // Without it, `keystone-manage` looks for the keys of receipts in a folder that is not mounted.
    fernet_receipts: { key_repository: '/etc/keystone/fernet-keys' },
    credential: { key_repository: '/etc/keystone/credential-keys', max_active_keys: keyCount(spec.credentialKeys) },
    cache: {
      enabled: 'true',
      backend: spec.cache.backend,
      memcache_servers: servers,
      // With these two, oslo_cache.memcache_pool gives up on a frozen server before the client does.
      memcache_socket_timeout: '0.25',
      memcache_dead_retry: '30',
    },
    memcache: { servers },
    oslo_middleware: { enable_proxy_headers_parsing: 'true' },
    oslo_policy: { enforce_scope: 'true', enforce_new_defaults: 'true' },
    identity: { default_domain_id: 'default' },
    database: {
      connection: connectionPlaceholder,
      max_retries: '-1',
      connection_recycle_time: String(connectionRecycleTime / 1000),
    },
    paste_deploy: { config_file: `${configDir}api-paste.ini` },
  };
}

const keyCount = ({ maxActiveKeys }: { maxActiveKeys: number }) => String(Math.max(maxActiveKeys, 3));

function defaultOptions({ spec: { logging } }: Keystone): Ini[string] {
  const levels = Object.entries(logging.perLoggerLevels ?? {})
    .map(([logger, level]) => `${logger}=${level}`)
    .toSorted();
  return {
    // Key files need no other owner: every process runs as the user that reads them.
    keystone_user: '',
    keystone_group: '',
    use_stderr: 'true',
    debug: String(logging.debug),
    ...(levels.length > 0 && { default_log_levels: levels.join(',') }),
    ...(logging.format === 'json' && { log_config_append: `${configDir}logging.conf` }),
  };
}

/** The sections of the plugins. The schema refuses what is refused here; objects stored before it may still have it. */
function pluginSections({ spec: { plugins = [] } }: Keystone): Ini {
  const sections: Record<string, Readonly<Record<string, string>>> = {};
  for (const [index, { name, configSection, config = {} }] of plugins.entries()) {
    const field = `spec.plugins[${index}]`;
    if (name === '') throw new Error(`${field}.name must not be empty: name the plugin`);
    if (configSection === '') throw new Error(`${field}.configSection must not be empty: name the section`);
    if (Object.hasOwn(sections, configSection)) {
      throw new Error(`${field}.configSection "${configSection}" belongs to another plugin: merge the two`);
    }
    sections[configSection] = config;
  }
  return sections;
}
