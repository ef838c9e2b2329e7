// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { apiServer } from '../../api-server.ts';
import { durableStorage } from '../../storage/durable-storage.ts';
import { inProcessTransport } from '../../wire/in-process-transport.ts';
import { serve } from '../../wire/serve.ts';
import { deployment } from '../objects.ts';
import {
  configMaps,
  definitions,
  deployments,
  manager,
  namespace,
  templates,
  things,
  type Attacker,
} from './attack.ts';
import { crds } from './crds.ts';
import { policies, webhooks } from './hostile-policies.ts';

/** A served API server with users and objects to attack. */
export interface Ground extends AsyncDisposable {
  url: string;
  /** Deletes the objects of a collection that attacks created. */
  removeOthers(path: string): Promise<void>;
  /** Restores an object that an attack has changed; deletes one that it has created. */
  restore(path: string): Promise<void>;
  /** Makes a webhook the only one, called for every object that is created. */
  callWebhook(url: string, ca: string): Promise<void>;
}

/** What stays between attacks. */
const keptNames = [
  'crowded',
  'managed',
  'deep',
  'things.example.com',
  'larges.example.com',
  'conditions',
  ...policies.map(([{ metadata }]) => metadata.name),
];

/** The tokens of the attackers are their names. */
const attackers: readonly Attacker[] = ['nobody', 'editor', 'definer', 'requester'];
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

/** Starts a server with users, and with large objects and collections for patches and lists. */
export async function ground(): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  const tokens = Object.fromEntries(attackers.map((name) => [name, { name, groups: [] }]));
  const validity = { now: systemClock.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'test', ...validity });
  const dir = await mkdtemp(join(tmpdir(), 'forge-attacked-'));
  stack.defer(() => rm(dir, { recursive: true }));
  const server = await apiServer({
    clock: systemClock,
    random: seededRandom(),
    tokens,
    serviceAccounts: { signingKey: authority.key },
    storage: await durableStorage(dir),
  });
  stack.defer(() => server.close());
  const tls = issueServerCertificate(authority, { names: ['localhost'], addresses: ['127.0.0.1'], ...validity });
  const listening = await serve(server, { port: 0, tls: { ...tls, clientCa: authority.cert } });
  stack.defer(() => listening.close());
  const transport = inProcessTransport(server);
  const originals = new Map<string, KubeObject>();
  for (const [path, body] of objects()) {
    const object = body as KubeObject;
    originals.set(`${path}/${object.metadata.name}`, object);
    const { status, body: answer } = await transport.request({ method: 'POST', path, body });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
  const owned = stack.move();
  return {
    url: `https://127.0.0.1:${listening.port}`,
    async removeOthers(path) {
      const [collection = ''] = path.split('?');
      await transport.request({
        method: 'DELETE',
        path: collection,
        query: { fieldSelector: keptNames.map((name) => `metadata.name!=${name}`).join() },
      });
    },
    async restore(path) {
      const [of = ''] = path.split('?');
      const original = originals.get(of);
      if (original === undefined) {
        await transport.request({ method: 'DELETE', path: of });
        return;
      }
      const { body: current } = await transport.request({ method: 'GET', path: of });
      // Custom resources are not updated without it.
      const { resourceVersion } = (current as KubeObject).metadata;
      const body = { ...original, metadata: { ...original.metadata, resourceVersion } };
      const { status, body: answer } = await transport.request({ method: 'PUT', path: of, body });
      if (status !== 200) throw new Error(`${of}: ${JSON.stringify(answer)}`);
    },
    async callWebhook(url, ca) {
      const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
      await transport.request({ method: 'DELETE', path });
      await transport.request({ method: 'POST', path, body: webhookConfiguration(url, ca) });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function* objects(): Generator<[string, object]> {
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'admin')];
  yield [`${rbac}/clusterroles`, role('define', 'apiextensions.k8s.io', ['customresourcedefinitions'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'define')];
  yield [`${rbac}/clusterroles`, role('review', '*', ['tokenreviews', 'subjectaccessreviews'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'review')];
  yield [`${rbac}/clusterroles`, role('request', 'certificates.k8s.io', ['certificatesigningrequests'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'requester', 'request')];
  yield [`${rbac}/clusterroles`, role('write-things', 'example.com', ['things', 'larges'])];
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'write-things')];
  // No role of the cluster's own has these; controllers of third parties do.
  yield [`${rbac}/clusterroles`, role('write-endpoints', 'discovery.k8s.io', ['endpointslices'])];
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'write-endpoints')];
  // So that the validation of quotas is attacked, too.
  yield [`${rbac}/clusterroles`, role('write-quotas', '', ['resourcequotas'])];
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'write-quotas')];
  yield [`${rbac}/clusterroles`, role('admit', 'admissionregistration.k8s.io', ['*'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'admit')];
  yield [`${rbac}/clusterroles`, role('aggregate', 'rbac.authorization.k8s.io', ['clusterroles'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'aggregate')];
  for (const crd of crds) yield [definitions, crd];
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, 'a']));
  yield [configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'crowded' }, data }];
  const managedFields = Array.from({ length: 1000 }, (_, index) => manager(index));
  yield [configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'managed', managedFields }, data }];
  yield [deployments, deployment('crowded')];
  const map = Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}` }));
  const set = Array.from({ length: 10_000 }, (_, index) => `a${index}`);
  const spec = { map, set, free: { a: 1 } };
  yield [things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'crowded' }, spec }];
  let free: object = Object.fromEntries([1, 2, 3, 4].map((name) => [name, set]));
  for (let level = 0; level < 480; level += 1) free = { a: free };
  yield [things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'deep' }, spec: { free } }];
  const texts = Array.from({ length: 19_000 }, (_, index) => `${'a'.repeat(60)} ${index}`);
  for (let index = 0; index < 30; index += 1) {
    const config = [{ opaque: { driver: 'a.example.com', parameters: { texts } } }];
    const template = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: `a${index}` },
    };
    yield [templates, { ...template, spec: { spec: { devices: { config } } } }];
  }
  const admission = '/apis/admissionregistration.k8s.io/v1';
  for (const [policy, bound] of policies) {
    yield [`${admission}/validatingadmissionpolicies`, policy];
    yield [`${admission}/validatingadmissionpolicybindings`, bound];
  }
  yield [`${admission}/validatingwebhookconfigurations`, webhooks];
  for (let index = 0; index < 3000; index += 1) {
    const metadata = { name: `a${index}`, annotations: { a: 'a'.repeat(1000) } };
    yield [`${namespace}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata }];
  }
}

function role(name: string, group: string, resources: string[]): object {
  const rules = [{ apiGroups: [group], resources, verbs: ['*'] }];
  return { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: { name }, rules };
}

function binding(kind: string, user: Attacker, name: string): object {
  const subjects = [{ apiGroup, kind: 'User', name: user }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name };
  return { apiVersion: `${apiGroup}/v1`, kind, metadata: { name: `${user}-${name}` }, subjects, roleRef };
}

function webhookConfiguration(url: string, ca: string): object {
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url, caBundle: Buffer.from(ca).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['things'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'hostile' },
    webhooks: [webhook],
  };
}

/** A thread that sends attacks. */
export function startAttacker(): Worker {
  return new Worker(new URL('attacker.ts', import.meta.url));
}
