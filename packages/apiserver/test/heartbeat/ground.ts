// SPDX-License-Identifier: Apache-2.0
import { Worker } from 'node:worker_threads';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { apiServer } from '../../api-server.ts';
import { inProcessTransport } from '../../wire/in-process-transport.ts';
import { serve } from '../../wire/serve.ts';
import { deployment } from '../objects.ts';
import { configMaps, definitions, deployments, namespace, things, type Attacker } from './attack.ts';
import { crds } from './crds.ts';

/** A served API server with something to attack. */
export interface Ground extends AsyncDisposable {
  url: string;
  /** Deletes the objects of a collection that attacks created. */
  removeOthers(path: string): Promise<void>;
}

/** What stays between attacks. */
const keptNames = ['crowded', 'things.example.com', 'larges.example.com'];

/** The tokens of the attackers are their names. */
const attackers: readonly Attacker[] = ['nobody', 'editor', 'definer'];
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

/** Starts a server with users, and objects that patches and lists find crowded. */
export async function ground(): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  const tokens = Object.fromEntries(attackers.map((name) => [name, { name, groups: [] }]));
  const server = await apiServer({ clock: systemClock, random: seededRandom(), tokens });
  stack.defer(() => server.close());
  const validity = { now: systemClock.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'test', ...validity });
  const tls = issueServerCertificate(authority, { names: ['localhost'], addresses: ['127.0.0.1'], ...validity });
  const listening = await serve(server, { port: 0, tls: { ...tls, clientCa: authority.cert } });
  stack.defer(() => listening.close());
  const transport = inProcessTransport(server);
  for (const [path, body] of objects()) {
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
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function* objects(): Generator<[string, object]> {
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'admin')];
  yield [`${rbac}/clusterroles`, role('define', 'apiextensions.k8s.io', ['customresourcedefinitions'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'define')];
  yield [`${rbac}/clusterroles`, role('review', '*', ['tokenreviews', 'subjectaccessreviews'])];
  yield [`${rbac}/clusterrolebindings`, binding('ClusterRoleBinding', 'definer', 'review')];
  yield [`${rbac}/clusterroles`, role('write-things', 'example.com', ['things', 'larges'])];
  yield [`${rbac}/namespaces/default/rolebindings`, binding('RoleBinding', 'editor', 'write-things')];
  for (const crd of crds) yield [definitions, crd];
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, 'a']));
  yield [configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'crowded' }, data }];
  yield [deployments, deployment('crowded')];
  const map = Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}` }));
  const set = Array.from({ length: 10_000 }, (_, index) => `a${index}`);
  const spec = { map, set, free: { a: 1 } };
  yield [things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'crowded' }, spec }];
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

/** A thread that sends attacks. */
export function startAttacker(): Worker {
  return new Worker(new URL('attacker.ts', import.meta.url));
}
