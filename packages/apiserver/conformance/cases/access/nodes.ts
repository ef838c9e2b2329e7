// SPDX-License-Identifier: Apache-2.0
import { account, as, grant, tokenOf } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { requestFor } from '../../objects/certificate-requests.ts';
import { configMap, ownerReference, pod } from '../../objects/objects.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const csiNodes = '/apis/storage.k8s.io/v1/csinodes';
const volumes = '/api/v1/persistentvolumes';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const nodes = '/api/v1/nodes';
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** The two nodes of a case, and the headers of their users. */
function nodesOf({ namespace }: Conversation) {
  const [own, other] = [`${namespace}-own`, `${namespace}-other`] as const;
  return { own, other, asOwn: asNode(own), asOther: asNode(other) };
}

function asNode(name: string): Record<string, string> {
  return as(`system:node:${name}`, 'system:nodes');
}

function node(name: string, metadata: object = {}, spec: object = {}) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata }, spec };
}

function secret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
}

function lease(name: string) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec: { holderIdentity: name } };
}

function csiNode(name: string) {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: 'example.com', nodeID: name, topologyKeys: ['zone'] }] },
  };
}

function claim(name: string, volumeName: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeName,
      storageClassName: '',
    },
  };
}

/** A volume bound to the claim of this name, with a Secret for mounting and one for controllers. */
function volume({ namespace }: Conversation, name: string, claimName: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      claimRef: { namespace, name: claimName },
      csi: {
        driver: 'example.com',
        volumeHandle: name,
        nodePublishSecretRef: { namespace, name: 'mounts' },
        controllerPublishSecretRef: { namespace, name: 'attaches' },
      },
    },
  };
}

/** A pod that uses objects in every way. */
function usingPod(name: string, nodeName: string) {
  return pod(name, {
    nodeName,
    imagePullSecrets: [{ name: 'pulls' }],
    containers: [
      {
        name: 'main',
        image: 'example:1',
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'variable', key: 'a' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'variable', key: 'a' } } },
        ],
        envFrom: [{ secretRef: { name: 'variables' } }, { configMapRef: { name: 'variables' } }],
      },
    ],
    volumes: [
      { name: 'a', secret: { secretName: 'volume' } },
      { name: 'b', configMap: { name: 'volume' } },
      { name: 'c', projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected' } }] } },
    ],
  });
}

/** What a node can read and write. */
export const nodeCases: readonly ConformanceCase[] = [
  testCase('a node reads the secrets and config maps of its pods', async (api) => {
    const { own, asOwn, asOther } = nodesOf(api);
    await api.post('pods', usingPod('a', own));
    await api.post('secrets', secret('volume'));
    await api.post('configmaps', configMap('volume'));
    await api.catchUp();
    for (const name of ['pulls', 'variable', 'variables', 'volume', 'projected', 'unused']) {
      await api.get(`secrets/${name}`, {}, asOwn);
      await api.get(`secrets/${name}`, {}, asOther);
    }
    for (const name of ['variable', 'variables', 'volume', 'projected', 'unused']) {
      await api.get(`configmaps/${name}`, {}, asOwn);
    }
    await api.get('secrets', { fieldSelector: 'metadata.name=volume' }, asOwn);
    await api.get('secrets', { fieldSelector: 'metadata.name=unused' }, asOwn);
    await api.get('secrets', {}, asOwn);
    await api.get('/api/v1/secrets', {}, asOwn);
    await api.get('configmaps', { watch: 'true' }, asOwn);
    await api.post('secrets', secret('b'), {}, asOwn);
    await api.patch('merge', 'configmaps/volume', { data: { a: '1' } }, {}, asOwn);
    await api.delete('secrets/volume', undefined, {}, asOwn);
    await api.delete('pods/a', { gracePeriodSeconds: 0 });
    await api.catchUp();
    await api.get('secrets/volume', {}, asOwn);
  }),

  testCase('a node reads its own pods', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    await api.post('pods', pod('a', { nodeName: own }));
    await api.post('pods', pod('b', { nodeName: other }));
    await api.post('pods', pod('c'));
    await api.catchUp();
    for (const name of ['a', 'b', 'c', 'missing']) await api.get(`pods/${name}`, {}, asOwn);
    await api.get('pods', {}, asOwn);
    await api.get('pods', { fieldSelector: `spec.nodeName=${own}` }, asOwn);
    await api.get('pods', { fieldSelector: `spec.nodeName=${other}` }, asOwn);
    await api.get('pods', { fieldSelector: `spec.nodeName!=${own}` }, asOwn);
    await api.get('pods', { fieldSelector: 'metadata.name=a' }, asOwn);
    await api.get('pods', { fieldSelector: 'metadata.name=b' }, asOwn);
    await api.get('pods/a/log', {}, asOwn);
    await api.get('pods/a/status', {}, asOwn);
    await api.delete('pods', undefined, { fieldSelector: `spec.nodeName=${own}` }, asOwn);
  }),

  testCase('a node reads the volumes of its pods', async (api) => {
    const { own, asOwn, asOther } = nodesOf(api);
    const [used, unused] = [`${api.namespace}-used`, `${api.namespace}-unused`];
    await api.post('persistentvolumeclaims', claim('used', used));
    await api.post('persistentvolumeclaims', claim('unused', unused));
    await api.post(volumes, volume(api, used, 'used'));
    await api.post(volumes, volume(api, unused, 'unused'));
    await api.post(
      'pods',
      pod('a', { nodeName: own, volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'used' } }] }),
    );
    await api.catchUp();
    for (const name of ['used', 'unused']) await api.get(`persistentvolumeclaims/${name}`, {}, asOwn);
    for (const name of [used, unused]) await api.get(`${volumes}/${name}`, {}, asOwn);
    await api.get(`${volumes}/${used}`, {}, asOther);
    await api.get('persistentvolumeclaims', {}, asOwn);
    await api.get(volumes, { fieldSelector: `metadata.name=${used}` }, asOwn);
    for (const name of ['mounts', 'attaches']) await api.get(`secrets/${name}`, {}, asOwn);
    await api.get('secrets/mounts', {}, asOther);
    const status = { capacity: { storage: '2Gi' } };
    await api.patch('merge', 'persistentvolumeclaims/used/status', { status }, {}, asOwn);
    await api.patch('merge', 'persistentvolumeclaims/unused/status', { status }, {}, asOwn);
    await api.patch('merge', 'persistentvolumeclaims/used', { metadata: { labels: { a: 'b' } } }, {}, asOwn);
    await api.get('persistentvolumeclaims/used/status', {}, asOwn);
  }),

  testCase('a node reads neither what a mirror pod names, nor Secrets of the same name elsewhere', async (api) => {
    const { own, asOwn } = nodesOf(api);
    const owner = ownerReference(await api.post(nodes, node(own)), { controller: true });
    const sources = [{ name: 'a', configMap: { name: 'named' } }];
    const mirror = pod('mirror', { nodeName: own, volumes: sources });
    await api.post('pods', {
      ...mirror,
      metadata: { name: 'mirror', annotations: mirrored, ownerReferences: [owner] },
    });
    const name = `${api.namespace}-elsewhere`;
    const elsewhere = volume(api, name, 'used');
    const secretRef = { namespace: 'default', name: 'mounts' };
    await api.post('persistentvolumeclaims', claim('used', name));
    await api.post(volumes, {
      ...elsewhere,
      spec: { ...elsewhere.spec, csi: { driver: 'example.com', volumeHandle: name, nodePublishSecretRef: secretRef } },
    });
    await api.post(
      'pods',
      pod('a', { nodeName: own, volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'used' } }] }),
    );
    await api.catchUp();
    await api.get('configmaps/named', {}, asOwn);
    await api.get('secrets/mounts', {}, asOwn);
    await api.get('/api/v1/namespaces/default/secrets/mounts', {}, asOwn);
    await api.delete(`${nodes}/${own}`);
  }),

  testCase('a node writes resource slices of itself', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    const pool = { name: 'a', generation: 0, resourceSliceCount: 1 };
    const slice = (name: string, where: object) => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: `${api.namespace}-${name}` },
      spec: { driver: 'example.com', pool, ...where },
    });
    await api.post(slices, slice('own', { nodeName: own }), {}, asOwn);
    await api.post(slices, slice('other', { nodeName: other }), {}, asOwn);
    await api.post(slices, slice('all', { allNodes: true }), {}, asOwn);
    await api.post(slices, slice('other', { nodeName: other }));
    await api.catchUp();
    for (const name of ['own', 'other']) {
      const path = `${slices}/${api.namespace}-${name}`;
      await api.get(path, {}, asOwn);
      await api.patch('merge', path, { metadata: { labels: { a: 'b' } } }, {}, asOwn);
    }
    await api.get(slices, { fieldSelector: `spec.nodeName=${other}` }, asOwn);
    for (const name of ['other', 'own']) await api.delete(`${slices}/${api.namespace}-${name}`, undefined, {}, asOwn);
    await api.delete(`${slices}/${api.namespace}-other`);
  }),

  testCase('a node changes no claim, whatever RBAC allows it', async (api) => {
    const { own, asOwn } = nodesOf(api);
    const rule = {
      apiGroups: [''],
      resources: ['persistentvolumeclaims', 'persistentvolumeclaims/status'],
      verbs: ['*'],
    };
    await grant(api, 'claims', `system:node:${own}`, rule);
    await api.post('persistentvolumeclaims', claim('a', ''));
    await api.catchUp();
    await api.patch('merge', 'persistentvolumeclaims/a', { metadata: { labels: { a: 'b' } } }, {}, asOwn);
    await api.post('persistentvolumeclaims', claim('b', ''), {}, asOwn);
    const status = { capacity: { storage: '2Gi' } };
    await api.patch('merge', 'persistentvolumeclaims/a/status', { status }, {}, asOwn);
  }),

  testCase('a node reads its own volume attachments', async (api) => {
    const { own, asOwn, asOther } = nodesOf(api);
    const name = `${api.namespace}-a`;
    const spec = { attacher: 'example.com', nodeName: own, source: { persistentVolumeName: 'a' } };
    await api.post(attachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name },
      spec,
    });
    await api.catchUp();
    await api.get(`${attachments}/${name}`, {}, asOwn);
    await api.get(`${attachments}/${name}`, {}, asOther);
    await api.get(attachments, {}, asOwn);
  }),

  testCase('a node registers itself, and changes nothing that attracts pods', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    const create = (...args: Parameters<typeof node>) => api.post(nodes, node(...args), {}, asOwn);
    await create(other);
    await create(own, { labels: { 'kubernetes.io/hostname': own, 'node-role.kubernetes.io/control-plane': '' } });
    await create(own, { labels: { 'a.node-restriction.kubernetes.io/b': '', 'k8s.io/c': '' } });
    await create(own, {}, { configSource: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } } });
    await create(own, {
      labels: {
        'kubernetes.io/hostname': own,
        'node.kubernetes.io/a': '',
        'b.kubelet.kubernetes.io/c': '',
        'example.com/d': '',
      },
    });
    const change = (patch: object, path: string = own) => api.patch('merge', `${nodes}/${path}`, patch, {}, asOwn);
    await change({ metadata: { labels: { 'example.com/d': '1', 'kubernetes.io/os': 'linux' } } });
    await change({ metadata: { labels: { 'kubernetes.io/a': '', 'node-restriction.kubernetes.io/b': '' } } });
    await change({ spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } });
    await change({ spec: { unschedulable: true } });
    await change({ metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }] } });
    await change({ status: { phase: 'Running' } }, `${own}/status`);
    await change({ metadata: { labels: { 'k8s.io/a': '' } } }, `${own}/status`);
    await api.post(nodes, node(other));
    await change({ metadata: { labels: { a: 'b' } } }, other);
    await change({ status: { phase: 'Running' } }, `${other}/status`);
    for (const path of [`/${own}`, `/${other}`, '', `/${own}/status`]) await api.get(`${nodes}${path}`, {}, asOwn);
    await api.get(nodes, { fieldSelector: `metadata.name=${own}` }, asOwn);
    await api.delete(`${nodes}/${own}`, undefined, {}, asOwn);
    for (const name of [own, other]) await api.delete(`${nodes}/${name}`);
  }),

  testCase('a node has one lease and one CSINode', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    for (const [path, object] of [
      [leases, lease],
      [csiNodes, csiNode],
    ] as const) {
      await api.post(path, object(other), {}, asOwn);
      await api.post(path, object(own), {}, asOwn);
      await api.patch('merge', `${path}/${own}`, { metadata: { labels: { a: 'b' } } }, {}, asOwn);
      await api.get(`${path}/${own}`, {}, asOwn);
      await api.get(`${path}/${other}`, {}, asOwn);
      await api.get(path, {}, asOwn);
      await api.delete(`${path}/${other}`, undefined, {}, asOwn);
      await api.delete(`${path}/${own}`, undefined, {}, asOwn);
    }
    await api.post('coordination.k8s.io/v1/leases', lease(own), {}, asOwn);
  }),

  testCase('a node creates mirror pods of itself only', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    const owner = ownerReference(await api.post(nodes, node(own)), { controller: true });
    await api.catchUp();
    const create = (spec: object, ownerReferences: readonly object[] = [owner], annotations: object = mirrored) => {
      const wanted = pod('a', { nodeName: own, ...spec });
      return api.post('pods', { ...wanted, metadata: { name: 'a', annotations, ownerReferences } }, {}, asOwn);
    };
    await create({}, [owner], {});
    await create({ nodeName: other });
    await create({}, []);
    await create({}, [owner, { ...owner, uid: 'another', controller: false }]);
    await create({}, [{ ...owner, kind: 'Pod' }]);
    await create({}, [{ ...owner, controller: false }]);
    await create({}, [{ ...owner, blockOwnerDeletion: true }]);
    await create({}, [{ ...owner, uid: 'another' }]);
    for (const source of [
      { configMap: { name: 'a' } },
      { persistentVolumeClaim: { claimName: 'a' } },
      { csi: { driver: 'example.com' } },
      { projected: { sources: [{ configMap: { name: 'a' } }] } },
      { ephemeral: { volumeClaimTemplate: { spec: claim('a', '').spec } } },
    ]) {
      await create({ volumes: [{ name: 'a', ...source }] });
    }
    await create({ resourceClaims: [{ name: 'a', resourceClaimName: 'a' }] });
    await create({ serviceAccountName: 'default' });
    await create({ volumes: [{ name: 'a', emptyDir: {} }] });
    await api.delete(`${nodes}/${own}`);
  }),

  testCase('a node reports on its own pods, deletes and evicts them', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    for (const [name, nodeName] of Object.entries({ a: own, b: own, c: other }))
      await api.post('pods', pod(name, { nodeName }));
    await api.catchUp();
    const status = { status: { phase: 'Running' } };
    for (const name of ['a', 'c', 'missing']) await api.patch('merge', `pods/${name}/status`, status, {}, asOwn);
    await api.patch('merge', 'pods/a/status', { metadata: { labels: { a: 'b' } } }, {}, asOwn);
    await api.patch(
      'merge',
      'pods/a/status',
      { status: { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'b' }] } },
      {},
      asOwn,
    );
    await api.patch('merge', 'pods/a', { metadata: { labels: { a: 'b' } } }, {}, asOwn);
    const evict = (name: string) =>
      api.post(`pods/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }, {}, asOwn);
    for (const name of ['c', 'b', 'missing']) await evict(name);
    const target = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target: { kind: 'Node', name: own } };
    await api.post('pods/a/binding', target, {}, asOwn);
    for (const name of ['c', 'a', 'missing']) await api.delete(`pods/${name}`, { gracePeriodSeconds: 0 }, {}, asOwn);
  }),

  testCase('a node requests tokens that are bound to its pods', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    await api.post('serviceaccounts', account('robot'));
    await api.post('serviceaccounts', account('idle'));
    const spec = { serviceAccountName: 'robot', volumes: [tokenVolume(), tokenVolume('vault')] };
    const { metadata: a } = await api.post('pods', pod('a', { ...spec, nodeName: own }));
    const { metadata: b } = await api.post('pods', pod('b', { ...spec, nodeName: other }));
    await api.catchUp();
    const ask = (name: string, more: object) =>
      api.post(`serviceaccounts/${name}/token`, tokenRequest(more), {}, asOwn);
    await ask('robot', {});
    await ask('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: own } });
    await ask('robot', bound('a', undefined));
    await ask('robot', bound('a', 'another'));
    await ask('robot', bound('missing', a.uid));
    await ask('robot', bound('b', b.uid));
    await ask('idle', bound('a', a.uid));
    await ask('robot', { ...bound('a', a.uid), audiences: ['vault', 'elsewhere'] });
    await ask('robot', { ...bound('a', a.uid), audiences: ['elsewhere'] });
    await ask('robot', { ...bound('a', a.uid), audiences: ['vault'] });
    await ask('robot', bound('a', a.uid));
    await api.get('serviceaccounts/robot', {}, asOwn);
    await api.get('serviceaccounts/idle', {}, asOwn);
    await api.get('serviceaccounts', {}, asOwn);
    await tokenOf(api, 'robot', bound('b', b.uid));
  }),

  testCase('a node requests certificates of nodes for itself', async (api) => {
    const { own, other, asOwn } = nodesOf(api);
    const ask = (name: string, commonName: string, signer: string) =>
      api.post(
        requests,
        {
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name: `${api.namespace}-${name}` },
          spec: { request: requestFor(commonName, ['system:nodes']), signerName: signer, usages: ['client auth'] },
        },
        {},
        asOwn,
      );
    for (const signer of [
      'kubernetes.io/kubelet-serving',
      'kubernetes.io/kube-apiserver-client-kubelet',
      'example.com/a',
    ]) {
      const [, part = ''] = signer.split('/');
      await ask(`${part}-own`, `system:node:${own}`, signer);
      await ask(`${part}-other`, `system:node:${other}`, signer);
      await ask(`${part}-someone`, 'someone', signer);
    }
    await api.patch('merge', `${requests}/${api.namespace}-a-own/approval`, {}, {}, asOwn);
  }),

  testCase('what a node may do is not what its group may do', async (api) => {
    const { own } = nodesOf(api);
    const user = `system:node:${own}`;
    const groups = ['system:nodes'];
    const review = (subject: object, resourceAttributes: object) =>
      api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { ...subject, resourceAttributes },
      });
    const secrets = { verb: 'get', resource: 'secrets', namespace: api.namespace, name: 'a' };
    const services = { verb: 'list', resource: 'services' };
    for (const subject of [{ user, groups }, { user }, { user: 'system:node:', groups }, { user: 'jane', groups }]) {
      await review(subject, secrets);
      await review(subject, services);
    }
    const pods = { verb: 'list', resource: 'pods' };
    const selecting = (value: string, operator = 'In') => ({
      ...pods,
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator, values: [value] }] },
    });
    for (const access of [pods, selecting(own), selecting('another'), selecting(own, 'NotIn')]) {
      await review({ user, groups }, access);
    }
    const rules = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: api.namespace },
    };
    await api.post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', rules, {}, asNode(own));
    await api.get('configmaps', {}, as('system:node:', 'system:nodes'));
    await api.get('services', {}, as(user, 'others'));
  }),
];

const mirrored = { 'kubernetes.io/config.mirror': 'a' };

function tokenRequest(spec: object) {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
}

/** A volume with a token for an audience, by default that of the server. */
function tokenVolume(audience?: string) {
  const serviceAccountToken = { path: 'token', ...(audience !== undefined && { audience }) };
  return { name: `token-${audience}`, projected: { sources: [{ serviceAccountToken }] } };
}

/** The part of a token request that binds it to a pod. */
function bound(name: string, uid: string | undefined) {
  return { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } };
}
