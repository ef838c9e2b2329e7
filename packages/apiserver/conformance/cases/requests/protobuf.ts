// SPDX-License-Identifier: Apache-2.0
import { encodeEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { definitions, valueDefinition } from '../../objects/define-values.ts';
import { configMap, deployment } from '../../objects/objects.ts';

const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };

/** Bodies in protobuf, as clients written in Go send them. */
export const protobuf: readonly ConformanceCase[] = [
  testCase('an object may come as protobuf', async (api) => {
    await api.post('configmaps', encodeEnvelope(configMap('a', { color: 'red', empty: '' })), {}, headers);
    const created = await api.get('configmaps/a');
    await api.put('configmaps/a', encodeEnvelope({ ...created, data: { color: 'blue' } }), {}, headers);
  }),

  testCase('the kinds kubectl creates may come as protobuf', async (api) => {
    const metadata = { name: 'a' };
    await api.post(
      'secrets',
      encodeEnvelope({ apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'AAEC/w==' }, immutable: false }),
      {},
      headers,
    );
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules };
    await api.post('rbac.authorization.k8s.io/v1/roles', encodeEnvelope(role), {}, headers);
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None', ports } };
    await api.post('services', encodeEnvelope(service), {}, headers);
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { maxUnavailable: 0 } };
    await api.post('policy/v1/poddisruptionbudgets', encodeEnvelope(budget), {}, headers);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: leaseSpec };
    await api.post('coordination.k8s.io/v1/leases', encodeEnvelope(lease), {}, headers);
  }),

  testCase('a deployment and its scale may come as protobuf', async (api) => {
    const web = deployment('web', { replicas: 0, strategy: { type: 'Recreate' } });
    await api.post('apps/v1/deployments', encodeEnvelope(web), {}, headers);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 3 } };
    await api.put('apps/v1/deployments/web/scale', encodeEnvelope(scale), {}, headers);
    await api.get('apps/v1/deployments/web');
  }),

  testCase('options of a delete may come as protobuf', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
    await api.delete('configmaps/a', encodeEnvelope({ ...options, preconditions: { uid: 'other' } }), {}, headers);
    const preconditions = { uid: metadata.uid };
    await api.delete('configmaps/a', encodeEnvelope({ ...options, preconditions }), {}, headers);
  }),

  testCase('a definition may come as protobuf', async (api) => {
    const definition = valueDefinition(api, properties);
    await api.post(definitions, encodeEnvelope(definition), {}, headers);
    const { group } = definition.spec;
    await api.eventually(`${group}/v1/values`, (_, status) => status === 200);
    const value = {
      apiVersion: `${group}/v1`,
      kind: 'Value',
      metadata: { name: 'a' },
      ports: [0, 80],
      labels: { a: '' },
    };
    await api.post(`${group}/v1/values`, value);
  }),

  testCase('what says nothing of its kind is taken for that of its path', async (api) => {
    await api.post('configmaps', Buffer.from('6b38730012050a030a0161', 'hex'), {}, headers);
  }),

  testCase('malformed protobuf is refused', async (api) => {
    const send = (hex: string) => api.post('configmaps', Buffer.from(hex, 'hex'), {}, headers);
    for (const envelope of ['6b38', '7b7d', '6b387300', '6b3873000a', '6b3873000a05', '6b3873000801', '6b38730007']) {
      await send(envelope);
    }
    // The head of a v1 ConfigMap, followed by an invalid rest.
    const head = '6b3873000a0f0a02763112 09436f6e6669674d617012'.replaceAll(' ', '');
    for (const message of ['010a', '020801', '020a01', '021001', '010c', '0100', '017f', '0bffffffffffffffffffff01']) {
      await send(head + message);
    }
    await send(`${head}0b0affffffffffffffffff01`);
    await api.delete('configmaps/a', Buffer.from('6b3873000a', 'hex'), {}, headers);
  }),

  testCase('a body in no known form is refused', async (api) => {
    const plain = { 'content-type': 'text/plain' };
    await api.post('configmaps', '{}', {}, plain);
    await api.put('configmaps/a', '{}', {}, plain);
    await api.delete('configmaps/a', '{}', {}, plain);
  }),
];

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
const leaseSpec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000006Z' };
const properties = {
  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  ports: { type: 'array', items: { type: 'integer', default: 0, minimum: 0, maximum: 65535 } },
  note: { type: 'string', nullable: true, default: null, enum: ['a', null] },
  rate: { type: 'number', 'x-kubernetes-validations': [{ rule: 'self > oldSelf', optionalOldSelf: false }] },
};
