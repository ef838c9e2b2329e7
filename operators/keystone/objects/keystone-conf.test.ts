// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { configFiles } from './keystone-conf.ts';

describe('keystone.conf', () => {
  test('carries the specified defaults', () => {
    const conf = configFiles(keystoneFixture())['keystone.conf'] ?? '';
    for (const line of [
      'use_stderr = true',
      'debug = false',
      'provider = fernet',
      'key_repository = /etc/keystone/credential-keys',
      'max_active_keys = 3',
      'backend = oslo_cache.memcache_pool',
      'memcache_servers = cache-0:11211,cache-1:11211',
      'memcache_socket_timeout = 0.25',
      'memcache_dead_retry = 30',
      'servers = cache-0:11211,cache-1:11211',
      'enable_proxy_headers_parsing = true',
      'default_domain_id = default',
      'connection = mysql+pymysql://placeholder',
      'max_retries = -1',
      'connection_recycle_time = 600',
    ]) {
      assert.ok(conf.split('\n').includes(line), `${line} is missing in\n${conf}`);
    }
  });

  test('a managed cache is reached through its Service', () => {
    const keystone = keystoneFixture({ cache: { backend: 'oslo_cache.memcache_pool', clusterRef: { name: 'cache' } } });
    assert.match(configFiles(keystone)['keystone.conf'] ?? '', /^memcache_servers = cache\.openstack\.svc:11211$/m);
  });

  test("the user's options win over the defaults", () => {
    const conf = configFiles(keystoneFixture({ extraConfig: { token: { provider: 'jws' }, ldap: { url: 'x' } } }));
    assert.match(conf['keystone.conf'] ?? '', /\[ldap\]\nurl = x\n/);
    assert.match(conf['keystone.conf'] ?? '', /\[token\]\nprovider = jws\n/);
  });

  test('per-logger levels stand in alphabetical order, so that their order in the resource changes nothing', () => {
    const logging = { format: 'text', level: 'INFO', debug: true } as const;
    const [ab, ba] = [
      configFiles(keystoneFixture({ logging: { ...logging, perLoggerLevels: { b: 'INFO', a: 'DEBUG' } } })),
      configFiles(keystoneFixture({ logging: { ...logging, perLoggerLevels: { a: 'DEBUG', b: 'INFO' } } })),
    ];
    assert.deepEqual(ab, ba);
    assert.match(ab['keystone.conf'] ?? '', /^default_log_levels = a=DEBUG,b=INFO$/m);
  });

  test('JSON logging adds logging.conf and points at it; text logging has neither', () => {
    const json = configFiles(keystoneFixture({ logging: { format: 'json', level: 'WARNING', debug: false } }));
    assert.match(json['keystone.conf'] ?? '', /^log_config_append = \/etc\/keystone\/keystone.conf.d\/logging.conf$/m);
    assert.match(json['logging.conf'] ?? '', /\[logger_root\]\nhandlers = stderr\nlevel = WARNING\n/);
    const text = configFiles(keystoneFixture());
    assert.deepEqual(Object.keys(text), ['keystone.conf', 'api-paste.ini']);
    assert.doesNotMatch(text['keystone.conf'] ?? '', /log_config_append/);
  });
});
