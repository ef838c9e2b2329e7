// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { configFiles as filesOf } from './config-files.ts';

const configFiles = (keystone: Keystone) => filesOf(keystone, {});
const keys = (maxActiveKeys: number) => ({ rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys });

describe('keystone.conf', () => {
  test('is this one without options of the user', () => {
    assert.equal(
      configFiles(keystoneFixture())['keystone.conf'],
      `[DEFAULT]
debug = false
keystone_group = ${''}
keystone_user = ${''}
use_stderr = true

[cache]
backend = oslo_cache.memcache_pool
enabled = true
memcache_dead_retry = 30
memcache_servers = cache-0:11211,cache-1:11211
memcache_socket_timeout = 0.25

[credential]
key_repository = /etc/keystone/credential-keys
max_active_keys = 3

[database]
connection = mysql+pymysql://placeholder
connection_recycle_time = 600
max_retries = -1

[fernet_receipts]
key_repository = /etc/keystone/fernet-keys

[fernet_tokens]
key_repository = /etc/keystone/fernet-keys
max_active_keys = 3

[identity]
default_domain_id = default

[memcache]
servers = cache-0:11211,cache-1:11211

[oslo_middleware]
enable_proxy_headers_parsing = true

[oslo_policy]
enforce_new_defaults = true
enforce_scope = true

[paste_deploy]
config_file = /etc/keystone/keystone.conf.d/api-paste.ini

[token]
provider = fernet
`,
    );
  });

  test('has a section per plugin, over the defaults and under the options of the user', () => {
    const keystone = keystoneFixture({
      plugins: [
        { name: 'keycloak', configSection: 'keycloak', config: { url: 'a', realm: 'b' } },
        { name: 'other', configSection: 'token', config: { provider: 'jws' } },
        { name: 'bare', configSection: 'bare' },
      ],
      extraConfig: { keycloak: { url: 'c' } },
    });
    const conf = configFiles(keystone)['keystone.conf'] ?? '';
    assert.match(conf, /\[keycloak\]\nrealm = b\nurl = c\n/);
    assert.match(conf, /^provider = jws$/m);
    assert.match(conf, /\[bare\]\n\n/);
  });

  test('refuses plugins without a name, and sections without a name or with two plugins', () => {
    for (const [plugins, error] of [
      [[{ name: '', configSection: 'a' }], /spec\.plugins\[0\]\.name must not be empty/],
      [[{ name: 'a', configSection: '' }], /spec\.plugins\[0\]\.configSection must not be empty/],
      [['a', 'b'].map((name) => ({ name, configSection: 'x' })), /\[1\]\.configSection "x" belongs to another plugin/],
    ] as const) {
      assert.throws(() => configFiles(keystoneFixture({ plugins: [...plugins] })), error);
    }
  });

  test('points at policy.yaml, whatever the user says, and only where there are rules', () => {
    const keystone = keystoneFixture({ extraConfig: { oslo_policy: { policy_file: 'x', enforce_scope: 'false' } } });
    const { 'keystone.conf': conf = '', 'policy.yaml': policy } = filesOf(keystone, { b: 'role:b', a: '@' });
    assert.match(conf, /^policy_file = \/etc\/keystone\/keystone\.conf\.d\/policy\.yaml$/m);
    assert.match(conf, /^enforce_scope = false$/m);
    assert.equal(policy, 'a: "@"\nb: role:b\n');
    assert.equal(configFiles(keystoneFixture())['policy.yaml'], undefined);
  });

  test('a managed cache is reached through its Service', () => {
    const keystone = keystoneFixture({ cache: { backend: 'oslo_cache.memcache_pool', clusterRef: { name: 'cache' } } });
    assert.match(configFiles(keystone)['keystone.conf'] ?? '', /^memcache_servers = cache\.openstack\.svc:11211$/m);
  });

  test('keeps three keys at least, and as many as the spec says', () => {
    const conf = configFiles(keystoneFixture({ fernet: keys(1), credentialKeys: keys(5) }))['keystone.conf'] ?? '';
    assert.match(conf, /\[credential\]\nkey_repository = .*\nmax_active_keys = 5\n/);
    assert.match(conf, /\[fernet_tokens\]\nkey_repository = .*\nmax_active_keys = 3\n/);
  });

  test("the user's options win over the defaults", () => {
    const conf = configFiles(keystoneFixture({ extraConfig: { token: { provider: 'jws' }, ldap: { url: 'x' } } }));
    assert.match(conf['keystone.conf'] ?? '', /\[ldap\]\nurl = x\n/);
    assert.match(conf['keystone.conf'] ?? '', /^provider = jws$/m);
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
    assert.equal(
      json['logging.conf'],
      `[formatter_json]
class = oslo_log.formatters.JSONFormatter

[formatters]
keys = json

[handler_stderr]
args = (sys.stderr,)
class = StreamHandler
formatter = json
level = NOTSET

[handlers]
keys = stderr

[logger_root]
handlers = stderr
level = WARNING

[loggers]
keys = root
`,
    );
    const text = configFiles(keystoneFixture());
    assert.deepEqual(Object.keys(text), ['keystone.conf', 'api-paste.ini']);
    assert.doesNotMatch(text['keystone.conf'] ?? '', /log_config_append/);
  });
});
