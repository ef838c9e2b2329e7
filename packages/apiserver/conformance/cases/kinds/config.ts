// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap } from '../../objects/objects.ts';

function secret(name: string, more: object = {}) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...more };
}

const red = Buffer.from('red').toString('base64');

/** Config maps, secrets and service accounts. */
export const config: readonly ConformanceCase[] = [
  testCase('the keys of a config map are file names, each used once', async (api) => {
    // One at a time: Kubernetes reports several errors in random order.
    for (const key of ['not a key', '', '..', '..a'])
      await api.post('configmaps', configMap('a', { [key]: '', ok: '' }));
    await api.post('configmaps', { ...configMap('a', { color: 'red' }), binaryData: { color: red } });
    await api.post('configmaps', { ...configMap('a'), binaryData: { color: 'no base64!' } });
    await api.post('configmaps', configMap('a', { ['k'.repeat(254)]: '' }));
  }),

  testCase('names and labels have a greatest length', async (api) => {
    await api.post('services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a'.repeat(64) } });
    await api.post('configmaps', configMap('a'.repeat(254), {}, { labels: { ['k'.repeat(64)]: 'v'.repeat(64) } }));
  }),

  testCase('an immutable config map stays as it is', async (api) => {
    await api.post('configmaps', { ...configMap('a', { color: 'red' }), immutable: true });
    await api.patch('merge', 'configmaps/a', { data: { color: 'blue' } });
    await api.patch('merge', 'configmaps/a', { immutable: false, binaryData: { color: red } });
    await api.patch('merge', 'configmaps/a', { immutable: null });
    await api.patch('merge', 'configmaps/a', { metadata: { labels: { app: 'a' } } });
  }),

  testCase('a config map can be made immutable later', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.patch('merge', 'configmaps/a', { immutable: true, data: { color: 'blue' } });
  }),

  testCase('a secret is opaque unless it says otherwise, and keeps its type', async (api) => {
    await api.post('secrets', secret('a', { stringData: { color: 'red', size: 'big' }, data: { size: red } }));
    await api.patch('merge', 'secrets/a', { type: 'example.com/other' });
    await api.patch('merge', 'secrets/a', { stringData: { color: 'blue' } });
  }),

  testCase('an immutable secret stays as it is', async (api) => {
    await api.post('secrets', secret('a', { data: { color: red }, immutable: true }));
    await api.patch('merge', 'secrets/a', { stringData: { color: 'blue' } });
    await api.patch('merge', 'secrets/a', { immutable: false });
  }),

  testCase('a secret holds what its type needs', async (api) => {
    for (const more of [
      { data: { 'not a key': '' } },
      { data: { color: 'no base64!' } },
      { type: 'kubernetes.io/tls' },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': red } },
      { type: 'kubernetes.io/basic-auth' },
      { type: 'kubernetes.io/ssh-auth' },
      { type: 'kubernetes.io/dockerconfigjson' },
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': red } },
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': red } },
      { type: 'kubernetes.io/service-account-token' },
    ]) {
      await api.post('secrets', secret('a', more));
    }
  }),

  testCase('a service account is created with what it says', async (api) => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } };
    await api.post('serviceaccounts', { ...account, automountServiceAccountToken: false });
    await api.post('serviceaccounts', { ...account, metadata: { name: 'No_Name' } });
    await api.patch('merge', 'serviceaccounts/a', { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'i' }] });
  }),
];
