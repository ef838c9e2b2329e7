// SPDX-License-Identifier: Apache-2.0
import { mergeIni, renderIni, type Ini } from '@forge/openstack/ini.ts';
import type { Keystone } from '../keystone.ts';
import { cacheServersOf } from './backends.ts';
import { configDir } from './pod.ts';

/** Stands in keystone.conf where the connection URL would: valid to parse, and without a secret. */
const connectionPlaceholder = 'mysql+pymysql://placeholder';

/** The files of the configuration ConfigMap: name → text. Throws when the user's own options cannot be rendered. */
export function configFiles(keystone: Keystone): Record<string, string> {
  return {
    'keystone.conf': renderIni(mergeIni(defaults(keystone), keystone.spec.extraConfig ?? {})),
    'api-paste.ini': renderIni(pastePipeline),
    ...(keystone.spec.logging.format === 'json' && { 'logging.conf': renderIni(jsonLogging(keystone)) }),
  };
}

function defaults(keystone: Keystone): Ini {
  const { spec } = keystone;
  const servers = cacheServersOf(keystone).join(',');
  return {
    DEFAULT: loggingOptions(keystone),
    token: { provider: 'fernet' },
    fernet_tokens: { key_repository: '/etc/keystone/fernet-keys', max_active_keys: String(spec.fernet.maxActiveKeys) },
    // Without it `keystone-manage` looks for receipts' keys in a folder that nobody mounts.
    fernet_receipts: { key_repository: '/etc/keystone/fernet-keys' },
    credential: { key_repository: '/etc/keystone/credential-keys' },
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
    identity: { default_domain_id: 'default' },
    database: { connection: connectionPlaceholder, max_retries: '-1', connection_recycle_time: '600' },
    paste_deploy: { config_file: `${configDir}api-paste.ini` },
  };
}

function loggingOptions({ spec: { logging } }: Keystone): Ini[string] {
  const levels = Object.entries(logging.perLoggerLevels ?? {})
    .map(([logger, level]) => `${logger}=${level}`)
    .toSorted();
  return {
    use_stderr: 'true',
    debug: String(logging.debug),
    ...(levels.length > 0 && { default_log_levels: levels.join(',') }),
    ...(logging.format === 'json' && { log_config_append: `${configDir}logging.conf` }),
  };
}

function jsonLogging({ spec: { logging } }: Keystone): Ini {
  return {
    loggers: { keys: 'root' },
    handlers: { keys: 'stderr' },
    formatters: { keys: 'json' },
    logger_root: { level: logging.level, handlers: 'stderr' },
    handler_stderr: { class: 'StreamHandler', args: '(sys.stderr,)', level: 'NOTSET', formatter: 'json' },
    formatter_json: { class: 'oslo_log.formatters.JSONFormatter' },
  };
}

const filters = ['cors', 'sizelimit', 'http_proxy_to_wsgi', 'osprofiler', 'url_normalize', 'request_id', 'authtoken'];

const pastePipeline: Ini = {
  'composite:main': { use: 'egg:Paste#urlmap', '/v3': 'public_api' },
  'pipeline:public_api': { pipeline: [...filters, 'admin_service'].join(' ') },
  'app:admin_service': { use: 'egg:keystone#service_v3' },
  'filter:cors': { use: 'egg:oslo.middleware#cors', oslo_config_project: 'keystone' },
  'filter:sizelimit': { use: 'egg:oslo.middleware#sizelimit' },
  'filter:http_proxy_to_wsgi': { use: 'egg:oslo.middleware#http_proxy_to_wsgi' },
  'filter:request_id': { use: 'egg:oslo.middleware#request_id' },
  'filter:url_normalize': { use: 'egg:keystone#url_normalize' },
};
