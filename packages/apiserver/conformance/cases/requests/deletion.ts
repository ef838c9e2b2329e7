// SPDX-License-Identifier: Apache-2.0
import type { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMap, ownerReference, pod } from '../../objects/objects.ts';

const gone = (_: KubeObject, status: number): boolean => status === 404;

/** Whether a terminating namespace reports remaining finalizers. */
function reportsFinalizers({ status }: Namespace): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'NamespaceFinalizersRemaining' && is === 'True') ===
    true
  );
}

async function family(api: Conversation, reference: object = {}): Promise<void> {
  const owner = await api.post('configmaps', configMap('owner'));
  await api.post('configmaps', configMap('child', {}, { ownerReferences: [ownerReference(owner, reference)] }));
}

/** Deletion: finalizers, grace periods, propagation, namespaces. */
export const deletion: readonly ConformanceCase[] = [
  testCase('a finalizer holds an object until it is taken away', async (api) => {
    await api.post('configmaps', configMap('a', {}, { finalizers: ['example.com/hold'] }));
    await api.delete('configmaps/a');
    await api.get('configmaps/a');
    await api.patch('merge', 'configmaps/a', { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } });
    await api.patch('merge', 'configmaps/a', { metadata: { finalizers: null } });
    await api.get('configmaps/a');
  }),

  testCase('a running pod is given its grace, which can only be cut', async (api) => {
    await api.post('pods', pod('a', { nodeName: 'node-1' }));
    await api.delete('pods/a');
    await api.delete('pods/a', { gracePeriodSeconds: 60 });
    await api.delete('pods/a', { gracePeriodSeconds: 5 });
    await api.delete('pods/a', { gracePeriodSeconds: 0 });
    await api.get('pods/a');
  }),

  testCase('a pod on no node goes at once', async (api) => {
    await api.post('pods', pod('a'));
    await api.delete('pods/a');
    await api.get('pods/a');
  }),

  testCase('preconditions of a deletion must hold', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    await api.delete('configmaps/a', { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } });
    await api.put('configmaps/a', configMap('a', { color: 'red' }));
    await api.delete('configmaps/a', { preconditions: { resourceVersion: metadata.resourceVersion } });
    await api.delete('configmaps/a', { preconditions: { uid: metadata.uid } });
  }),

  testCase('what is owned goes after its owner', async (api) => {
    await family(api);
    await api.delete('configmaps/owner', { propagationPolicy: 'Background' });
    await api.get('configmaps/owner');
    await api.eventually('configmaps/child', gone);
  }),

  testCase('in the foreground the owner waits for what blocks it', async (api) => {
    await family(api, { blockOwnerDeletion: true });
    await api.patch('merge', 'configmaps/child', { metadata: { finalizers: ['example.com/hold'] } });
    await api.delete('configmaps/owner', { propagationPolicy: 'Foreground' });
    await api.get('configmaps/owner');
    await api.eventually('configmaps/child', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await api.get('configmaps/owner');
    await api.patch('merge', 'configmaps/child', { metadata: { finalizers: null } });
    await api.eventually('configmaps/owner', gone);
  }),

  testCase('orphans stay and forget their owner', async (api) => {
    await family(api);
    await api.delete('configmaps/owner', { propagationPolicy: 'Orphan' });
    await api.eventually('configmaps/owner', gone);
    await api.get('configmaps/child');
  }),

  testCase('a collection is deleted as far as it is selected', async (api) => {
    await api.post('configmaps', configMap('a', {}, { labels: { app: 'web' } }));
    await api.post('configmaps', configMap('b'));
    await api.delete('configmaps', undefined, { labelSelector: 'app=web' });
    await api.get('configmaps');
  }),

  testCase('a namespace takes its contents along and takes nothing new', async (api) => {
    const namespace = `${api.namespace}-team`;
    const path = `/api/v1/namespaces/${namespace}`;
    await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await api.post(`${path}/configmaps`, configMap('a', {}, { finalizers: ['example.com/hold'] }));
    await api.delete(path);
    await api.post(`${path}/configmaps`, configMap('b'));
    await api.eventually<Namespace>(path, reportsFinalizers);
    await api.get(`${path}/configmaps/a`);
    await api.patch('merge', `${path}/configmaps/a`, { metadata: { finalizers: null } });
    await api.eventually(path, gone);
  }),
];
