// SPDX-License-Identifier: Apache-2.0
import type { Ini } from '@forge/openstack/ini.ts';
import type { Keystone } from '../../api/keystone.ts';

type Filter = NonNullable<Keystone['spec']['middleware']>[number];

const baseFilters = [
  'cors',
  'sizelimit',
  'http_proxy_to_wsgi',
  'osprofiler',
  'url_normalize',
  'request_id',
  'authtoken',
];

const baseSections: Ini = {
  'composite:main': { use: 'egg:Paste#urlmap', '/v3': 'public_api' },
  'app:admin_service': { use: 'egg:keystone#service_v3' },
  'filter:cors': { use: 'egg:oslo.middleware#cors', oslo_config_project: 'keystone' },
  'filter:sizelimit': { use: 'egg:oslo.middleware#sizelimit' },
  'filter:http_proxy_to_wsgi': { use: 'egg:oslo.middleware#http_proxy_to_wsgi' },
  'filter:request_id': { use: 'egg:oslo.middleware#request_id' },
  'filter:url_normalize': { use: 'egg:keystone#url_normalize' },
};

/** api-paste.ini: Keystone's own filters, with the user's before and after them in the order of the resource. */
export function apiPaste({ spec: { middleware = [] } }: Keystone): Ini {
  checkFilters(middleware);
  const at = (position: Filter['position']) =>
    middleware.filter((filter) => filter.position === position).map(({ name }) => name);
  const pipeline = [...at('before'), ...baseFilters, ...at('after'), 'admin_service'].join(' ');
  const filters = middleware.map(({ name, filterFactory, config }): [string, Ini[string]] => [
    `filter:${name}`,
    { ...config, 'paste.filter_factory': filterFactory },
  ]);
  return { ...baseSections, 'pipeline:public_api': { pipeline }, ...Object.fromEntries(filters) };
}

/** The schema refuses all but the last; objects stored before it may still have it. */
function checkFilters(middleware: readonly Filter[]): void {
  const names = new Set<string>();
  for (const [index, { name, filterFactory, position }] of middleware.entries()) {
    const field = `spec.middleware[${index}]`;
    if (name === '') throw new Error(`${field}.name must not be empty: name the filter`);
    if (filterFactory === '') throw new Error(`${field}.filterFactory must not be empty: name its entry point`);
    if (!['before', 'after'].includes(position)) throw new Error(`${field}.position must be before or after`);
    if (names.has(name)) throw new Error(`${field}.name "${name}" is there twice: rename one of them`);
    names.add(name);
    if (baseFilters.includes(name)) {
      throw new Error(`${field}.name "${name}" is a filter of Keystone itself: choose another name`);
    }
  }
}
