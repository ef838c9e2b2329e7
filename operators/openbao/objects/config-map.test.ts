// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configKey } from '../api/names.ts';
import { labels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { configMap } from './config-map.ts';
import { configHash, configHcl } from './config/config-hcl.ts';
import { wrapper } from './wrapper.ts';

const cluster = openbaoFixture();
const first = { with: 'first-pod', pod: 'demo-0' } as const;
const any = { with: 'any-pod', pod: 'demo-0' } as const;
const audit = false;
const currentKey = configKey(configHash(cluster, { audit }));

describe('the ConfigMap', () => {
  test('has the configuration, also under its hash, and the script that starts servers', () => {
    const text = configHcl(cluster, { joins: first, audit });
    assert.deepEqual(configMap(cluster, { joins: first, audit, kept: {} }), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'demo-config', labels },
      data: { 'config.hcl': text, [currentKey]: text, 'wrapper.sh': wrapper },
    });
  });

  test('keeps what pods still have, but lets them join as the others do', () => {
    const log_level = 'storage "raft" {\n}\n$& $1';
    const former = openbaoFixture({ config: { log_level, raw_storage_endpoint: 'true' } });
    const kept = {
      [configKey('1')]: configHcl(former, { joins: first, audit: true }),
      [configKey('2')]: configHcl(former, { joins: { with: 'nobody' }, audit }),
      [currentKey]: configHcl(cluster, { joins: first, audit }),
    };
    const { data = {} } = configMap(cluster, { joins: any, audit, kept });
    const current = configHcl(cluster, { joins: any, audit });
    assert.equal(data[configKey('1')], configHcl(former, { joins: any, audit: true }));
    assert.equal(data[configKey('2')], configHcl(former, { joins: any, audit }));
    assert.deepEqual([data[currentKey], data['config.hcl']], [current, current]);
    assert.equal(Object.keys(data).length, 5);
  });

  test('does not have another hash because of whom a pod joins', () => {
    const keys = [first, any].map((joins) => Object.keys(configMap(cluster, { joins, audit, kept: {} }).data ?? {}));
    assert.deepEqual(keys[0], keys[1]);
  });
});
