// SPDX-License-Identifier: Apache-2.0
import { nameRule, spec, text, type AdmissionCase } from './admission-case.ts';

const gateway = { parentRef: { name: 'public' }, hostname: 'keystone.example.com' };

/** Gateway and network policy. */
export const exposureCases: readonly AdmissionCase[] = [
  {
    name: 'a policy that lets nobody in',
    change: spec({ networkPolicy: { ingress: [] } }),
    webhook: ['spec.networkPolicy.ingress', 'Required value: at least one ingress source must be specified'],
    schema: ['spec.networkPolicy', 'at least one ingress source must be specified'],
  },
  {
    name: 'a route without a host',
    change: spec({ gateway: { ...gateway, hostname: '' } }),
    webhook: ['spec.gateway.hostname', 'Required value: hostname must be set when spec.gateway is configured'],
    schema: ['spec.gateway.hostname', 'must be a host name in lower case without scheme'],
  },
  {
    name: 'a route without a Gateway',
    change: spec({ gateway: { ...gateway, parentRef: { name: '' } } }),
    webhook: [
      'spec.gateway.parentRef.name',
      'Required value: parentRef.name must be set when spec.gateway is configured',
    ],
    schema: ['spec.gateway.parentRef.name', nameRule],
  },
  {
    ...text(
      'spec.gateway.hostname',
      'https://keystone.example.com',
      'must be a host name in lower case without scheme, port and path, for example keystone.example.com',
    ),
    change: spec({ gateway: { ...gateway, hostname: 'https://keystone.example.com' } }),
  },
  {
    ...text(
      'spec.gateway.parentRef.namespace',
      'my.namespace',
      'must be the name of a namespace: at most 63 lower-case letters, digits and -, beginning and ending with a letter or digit',
    ),
    change: spec({ gateway: { ...gateway, parentRef: { name: 'public', namespace: 'my.namespace' } } }),
  },
  {
    ...text(
      'spec.gateway.path',
      '/my path',
      'must be the path of a URL, for example /identity: no spaces, other characters percent-encoded',
    ),
    change: spec({ gateway: { ...gateway, path: '/my path' } }),
  },
];
