// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, deployment } from '../../objects/objects.ts';

/** A template of these containers. */
function templateOf(...containers: object[]) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers } };
}

/** A deployment whose container has these additional fields. */
function web(more: object) {
  return deployment('web', { template: templateOf({ name: 'main', image: 'example:1', ...more }) });
}

/** Server-side apply. */
export const apply: readonly ConformanceCase[] = [
  testCase('apply creates, changes, and takes back what its manager no longer says', async (api) => {
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'red', size: 'small' }));
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'blue' }));
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'blue' }));
  }),

  testCase('what another manager has said is a conflict, unless forced', async (api) => {
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'red' }));
    await api.apply('configmaps/a', 'bob', configMap('a', { color: 'blue', size: 'small' }));
    await api.apply('configmaps/a', 'bob', configMap('a', { color: 'blue' }), { force: 'true' });
    await api.apply('configmaps/a', 'alice', configMap('a', { shape: 'round' }));
  }),

  testCase('two managers who say the same share it', async (api) => {
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'red' }));
    await api.apply('configmaps/a', 'bob', configMap('a', { color: 'red' }));
    await api.apply('configmaps/a', 'alice', configMap('a'));
  }),

  testCase('an update after an apply takes fields over', async (api) => {
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { replicas: 1 }));
    await api.patch('merge', 'apps/v1/deployments/web', { spec: { replicas: 3 } });
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { replicas: 2 }));
  }),

  testCase('conflicts are told field by field', async (api) => {
    await api.post('apps/v1/deployments', deployment('web', { replicas: 1, minReadySeconds: 3 }));
    const labels = { app: 'web', tier: 'front' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example:2' }] } };
    await api.apply(
      'apps/v1/deployments/web',
      'alice',
      deployment('web', { replicas: 2, minReadySeconds: 4, template }),
    );
  }),

  testCase('an account of managers can be reset, and begins anew with an apply', async (api) => {
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'red' }));
    await api.patch('merge', 'configmaps/a', { metadata: { managedFields: [{}] } });
    await api.patch('merge', 'configmaps/a', { data: { size: 'small' } });
    await api.apply('configmaps/a', 'bob', configMap('a', { color: 'blue' }));
    await api.apply('configmaps/a', 'bob', configMap('a', { color: 'red', shape: 'round' }));
  }),

  testCase('a manager can be renamed, but not to what makes no sense', async (api) => {
    await api.apply('configmaps/a', 'alice', configMap('a', { color: 'red' }));
    const at = '/metadata/managedFields/0';
    await api.patch('json', 'configmaps/a', [{ op: 'replace', path: `${at}/manager`, value: 'zoe' }]);
    await api.patch('json', 'configmaps/a', [{ op: 'replace', path: `${at}/operation`, value: 'Guess' }]);
    await api.patch('json', 'configmaps/a', [{ op: 'replace', path: `${at}/fieldsV1`, value: { color: 1 } }]);
  }),

  testCase('of more than ten writers the oldest become one', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }), { fieldManager: 'w00' });
    for (let index = 1; index <= 12; index += 1) {
      const fieldManager = `w${String(index).padStart(2, '0')}`;
      await api.patch('merge', 'configmaps/a', { data: { [fieldManager]: 'x' } }, { fieldManager });
    }
  }),

  testCase('kubectl takes over what it applied from its own side', async (api) => {
    const first = configMap('a', { color: 'red', size: 'small' });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(first)}\n` };
    const manager = { fieldManager: 'kubectl-client-side-apply' };
    await api.post('configmaps', { ...first, metadata: { name: 'a', annotations } }, manager);
    await api.apply('configmaps/a', 'kubectl', configMap('a', { color: 'blue', shape: 'round' }));
    await api.apply('configmaps/a', 'kubectl', configMap('a', { color: 'blue' }));
    await api.patch('merge', 'configmaps/a', { data: { color: 'green' } }, { fieldManager: 'editor' });
    await api.apply('configmaps/a', 'kubectl', configMap('a', { color: 'blue' }));
  }),

  testCase('empty lists claim nothing, empty maps themselves', async (api) => {
    const container = { name: 'main', image: 'example:1', env: [], args: [], ports: [], resources: {} };
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container], nodeSelector: {} } };
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { template }));
  }),

  testCase('quantities are kept in their canonical form', async (api) => {
    const resources = { limits: { cpu: 0.5, memory: '1024Mi' }, requests: { cpu: '0.25', memory: 1e9 } };
    const containers = [{ name: 'main', image: 'example:1', resources }];
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { template }));
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { template }));
  }),

  testCase('an item goes with its applier, whatever others wrote into it', async (api) => {
    const main = { name: 'main', image: 'example:1' };
    const side = { name: 'side', image: 'side:1', env: [{ name: 'A', value: '1' }] };
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { template: templateOf(main, side) }));
    const change = { name: 'side', image: 'side:2', env: [{ name: 'B', value: '2' }] };
    await api.patch('strategic', 'apps/v1/deployments/web', { spec: { template: { spec: { containers: [change] } } } });
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { template: templateOf(main) }));
  }),

  testCase('a struct goes with the last field somebody owned in it', async (api) => {
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { strategy: { type: 'Recreate' } }));
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web'));
  }),

  testCase('status is applied apart', async (api) => {
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web'));
    const time = '2020-01-01T00:00:00Z';
    const condition = { type: 'Available', status: 'True', reason: 'Some', message: 'some' };
    await api.apply('apps/v1/deployments/web/status', 'controller', {
      ...deployment('web', { replicas: 9 }),
      status: { replicas: 1, conditions: [{ ...condition, lastUpdateTime: time, lastTransitionTime: time }] },
    });
    await api.apply('apps/v1/deployments/web', 'alice', { ...deployment('web'), status: { replicas: 4 } });
  }),

  testCase('what cannot be applied is refused with the place', async (api) => {
    await api.apply('configmaps/a', '', configMap('a'));
    await api.apply('configmaps/a', 'alice', configMap('b'));
    await api.apply('configmaps/a', 'alice', { ...configMap('a'), apiVersion: 'v2' });
    await api.apply('configmaps/a', 'alice', { ...configMap('a'), kind: 'Secret' });
    await api.apply('configmaps/a', 'alice', { ...configMap('a'), data: { color: 1 } });
    await api.apply('configmaps/a', 'alice', { ...configMap('a'), colors: {} });
    await api.apply('configmaps/a', 'alice', configMap('a', {}, { managedFields: [] }));
    await api.apply('configmaps/a', 'alice', configMap('a', {}, { namespace: 'other' }));
    await api.apply('configmaps/a', 'alice', configMap('a', {}, { uid: 'other' }));
    await api.apply('configmaps/a', 'alice', []);
    await api.apply('apps/v1/deployments/web', 'alice', web({ env: [{ name: 'A' }, { name: 'A' }] }));
    await api.apply('apps/v1/deployments/web', 'alice', web({ env: { A: 1 } }));
    await api.apply('apps/v1/deployments/web', 'alice', web({ tty: 'yes' }));
    await api.apply('apps/v1/deployments/web', 'alice', deployment('web', { replicas: '3' }));
  }),
];
