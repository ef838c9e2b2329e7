// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { builtinKinds, Pod, Secret, type PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { home, openbaoFixture } from './openbao-fixture.ts';
import { allReady, changeSpec } from './running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from './start-openbao-operator.ts';

/** Every object in the cluster. */
async function everything({ cluster: { client } }: StartedOpenBaoOperator): Promise<KubeObject[]> {
  const lists = [...builtinKinds, OpenBaoCluster].map(async (kind) => {
    try {
      return (await client.list(kind)).items;
    } catch (error) {
      // A review is only created.
      if (isApiError(error, 'MethodNotAllowed') || isApiError(error, 'NotFound')) return [];
      throw error;
    }
  });
  return (await Promise.all(lists)).flat();
}

/** The forms in which a value could be shown; lines, since a key may be shown in part. */
function formsOf(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  const lines = bytes.toString('latin1').split('\n');
  const text = lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
  return [base64, bytes.toString('base64url'), bytes.toString('hex'), ...text];
}

/** What is confidential: everything in these Secrets but certificates. */
async function canariesIn(operator: StartedOpenBaoOperator, names: readonly string[]): Promise<Map<string, string[]>> {
  const { client } = operator.cluster;
  const found = await Promise.all(names.map((name) => client.get(Secret, { ...home, name })));
  return new Map(
    found.map(({ metadata, data = {} }) => [
      metadata.name,
      Object.entries(data).flatMap(([key, value]) => (key.endsWith('.crt') ? [] : formsOf(value))),
    ]),
  );
}

/** The objects, except its own Secret, and the log entries in which a value of the Secret stands. */
function leaksOf(secret: string, forms: readonly string[], objects: readonly KubeObject[], log: readonly string[]) {
  const holds = (text: string) => forms.some((form) => text.includes(form));
  const objectsWithIt = objects
    .filter(({ kind, metadata }) => kind !== Secret.kind || metadata.name !== secret)
    .filter((object) => holds(JSON.stringify(object)))
    .map(({ kind, metadata }) => `${secret} in ${kind} ${metadata.name}`);
  return [...objectsWithIt, ...log.filter(holds).map((line) => `${secret} in the log: ${line}`)];
}

for (const [seal, unseal, sealSecret] of [
  ['static', { type: 'static' }, 'demo-unseal-key'],
  [
    'transit',
    {
      type: 'transit',
      transit: { address: 'https://keys:8200', keyName: 'demo', mountPath: 'transit' },
      credentialsSecretRef: { name: 'seal' },
    },
    'seal',
  ],
] as const) {
  test(`no token, key or credential of a cluster with a ${seal} seal stands anywhere but in its Secret`, async () => {
    const log: string[] = [];
    let isLost = false;
    await using operator = await startOpenBaoOperator({
      write: (entry) => void log.push(JSON.stringify(entry)),
      losesReply: () => isLost,
    });
    const { client, clock } = operator.cluster;
    const metadata = { ...home, name: 'seal' };
    const data = { VAULT_TOKEN: Buffer.from('s.credential-of-the-seal').toString('base64') };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await client.create(OpenBaoCluster, openbaoFixture({ unseal }));
    await operator.untilCondition('Available', allReady(3));
    const names = ['demo-root-token', 'demo-tls-ca', 'demo-tls-server', sealSecret];
    const canaries = await canariesIn(operator, names);
    assert.deepEqual(
      [...canaries.values()].filter(({ length }) => length < 3),
      [],
      'a Secret without a canary',
    );
    const leaks = async () => {
      const objects = await everything(operator);
      return [...canaries].flatMap(([name, forms]) => leaksOf(name, forms, objects, log));
    };
    assert.deepEqual(await leaks(), []);

    // What goes wrong is reported, and the reports do not tell either.
    isLost = true;
    await operator.deny('create', Secret);
    await client.delete(Secret, { ...home, name: 'demo-tls-server' });
    await client.patch(Pod, { ...home, name: 'demo-1' }, 'merge', {
      metadata: { labels: { 'openbao-active': 'true' } },
    });
    await changeSpec(operator, { replicas: 5, config: { log_level: 'debug' } });
    await clock.advance(seconds(20));
    assert.ok(log.some((line) => line.includes('TLSReady False')));
    assert.deepEqual(await leaks(), []);
  });
}

test('the secrets of the test would be found', async () => {
  const secret = Buffer.from('s.credential-of-the-seal').toString('base64');
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...home, name: 'data', annotations: { note: `token=${secret}` } },
  };
  assert.deepEqual(leaksOf('seal', formsOf(secret), [claim], ['s.credential-of-the-seal is wrong']), [
    `seal in PersistentVolumeClaim ${refOf(claim).name}`,
    'seal in the log: s.credential-of-the-seal is wrong',
  ]);
});
