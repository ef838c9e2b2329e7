// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { apiPaste } from './api-paste.ts';

type Filter = NonNullable<Keystone['spec']['middleware']>[number];

const own = 'cors sizelimit http_proxy_to_wsgi osprofiler url_normalize request_id authtoken';
const filter = (name: string, change: Partial<Filter> = {}): Filter => ({
  name,
  filterFactory: `${name}:factory`,
  position: 'before',
  ...change,
});

describe('api-paste.ini', () => {
  test("has Keystone's own sections without middleware", () => {
    assert.deepEqual(apiPaste(keystoneFixture()), {
      'composite:main': { use: 'egg:Paste#urlmap', '/v3': 'public_api' },
      'pipeline:public_api': { pipeline: `${own} admin_service` },
      'app:admin_service': { use: 'egg:keystone#service_v3' },
      'filter:cors': { use: 'egg:oslo.middleware#cors', oslo_config_project: 'keystone' },
      'filter:sizelimit': { use: 'egg:oslo.middleware#sizelimit' },
      'filter:http_proxy_to_wsgi': { use: 'egg:oslo.middleware#http_proxy_to_wsgi' },
      'filter:request_id': { use: 'egg:oslo.middleware#request_id' },
      'filter:url_normalize': { use: 'egg:keystone#url_normalize' },
    });
  });

  test('has the filters of the user before and after it, in their order', () => {
    const middleware = [
      filter('b'),
      filter('c', { position: 'after' }),
      filter('a'),
      filter('d', { position: 'after' }),
    ];
    const paste = apiPaste(keystoneFixture({ middleware }));
    assert.equal(paste['pipeline:public_api']?.['pipeline'], `b a ${own} c d admin_service`);
  });

  test('lets the entry point of a filter win over an option of that name', () => {
    const middleware = [filter('audit', { config: { audit_map: '/x', 'paste.filter_factory': 'other' } })];
    const expected = { audit_map: '/x', 'paste.filter_factory': 'audit:factory' };
    assert.deepEqual(apiPaste(keystoneFixture({ middleware }))['filter:audit'], expected);
  });

  test('refuses filters that would break the pipeline', () => {
    for (const [middleware, error] of [
      [[filter('')], /spec\.middleware\[0\]\.name must not be empty/],
      [[filter('a', { filterFactory: '' })], /\[0\]\.filterFactory must not be empty/],
      [[filter('a', { position: 'middle' as 'after' })], /\[0\]\.position must be before or after/],
      [[filter('a'), filter('a')], /\[1\]\.name "a" is there twice/],
      [[filter('cors')], /\[0\]\.name "cors" is a filter of Keystone itself/],
    ] as const) {
      assert.throws(() => apiPaste(keystoneFixture({ middleware: [...middleware] })), error);
    }
  });
});
