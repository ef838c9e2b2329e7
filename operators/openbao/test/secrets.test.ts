// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { builtinKinds, Pod, Secret, type PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { planText } from '@forge/runtime/plan/plan-text.ts';
import { secretForms } from '@forge/testing/programs/secret-forms.ts';
import { secretIn } from '@forge/testing/secret-in.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { observedOutput } from './observed-output.ts';
import { home, openbaoFixture } from './openbao-fixture.ts';
import { planNow } from './plan-now.ts';
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

/** Creates a cluster with this seal, and waits for it; what is confidential in each of its Secrets. */
async function createdCanaries(
  operator: StartedOpenBaoOperator,
  unseal: OpenBaoCluster['spec']['unseal'],
  sealSecret: string,
): Promise<Map<string, string[]>> {
  const { client } = operator.cluster;
  await client.create(Secret, secretIn(home.namespace)('seal', { token: 's.credential-of-the-seal' }));
  await client.create(OpenBaoCluster, openbaoFixture({ unseal }));
  await operator.untilCondition('Available', allReady(3));
  const names = ['demo-root-token', 'demo-tls-ca', 'demo-tls-server', sealSecret];
  const found = await Promise.all(names.map((name) => client.get(Secret, { ...home, name })));
  const canaries = new Map(found.map(({ metadata, data }) => [metadata.name, secretForms(data)]));
  for (const [name, forms] of canaries) assert.ok(forms.length >= 3, `${name} has no canary`);
  return canaries;
}

/** The objects, except its own Secret, and the other texts by what they are, in which a value of the Secret stands. */
function leaksOf(
  secret: string,
  forms: readonly string[],
  objects: readonly KubeObject[],
  texts: Readonly<Record<string, readonly string[]>>,
): string[] {
  const holds = (text: string) => forms.some((form) => text.includes(form));
  const objectsWithIt = objects
    .filter(({ kind, metadata }) => kind !== Secret.kind || metadata.name !== secret)
    .filter((object) => holds(JSON.stringify(object)))
    .map(({ kind, metadata }) => `${secret} in ${kind} ${metadata.name}`);
  const textsWithIt = Object.entries(texts).flatMap(([what, each]) =>
    each.filter(holds).map((text) => `${secret} in the ${what}: ${text}`),
  );
  return [...objectsWithIt, ...textsWithIt];
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
    const output = observedOutput();
    let isLost = false;
    await using operator = await startOpenBaoOperator({ ...output.options, losesReply: () => isLost });
    const { client, clock } = operator.cluster;
    const canaries = await createdCanaries(operator, unseal, sealSecret);
    const leaks = async () => {
      const objects = await everything(operator);
      const { log, spans } = output;
      const texts = { log, spans, metrics: [await output.metrics()] };
      return [...canaries].flatMap(([name, forms]) => leaksOf(name, forms, objects, texts));
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
    assert.ok(output.log.some((line) => line.includes('TLSReady False')));
    assert.ok(output.spans.some((span) => span.startsWith('Certificates ') && span.includes('"failed"')));
    assert.match(await output.metrics(), /^openbao_reconcile_errors_total\{/m);
    assert.deepEqual(await leaks(), []);
  });

  test(`a plan of a cluster with a ${seal} seal shows none of them, whatever it would replace`, async () => {
    await using operator = await startOpenBaoOperator();
    const canaries = await createdCanaries(operator, unseal, sealSecret);
    await operator.stop();
    await changeSpec(operator, { tls: { extraSANs: ['bao.example.com'] }, config: { log_level: 'debug' } });
    const text = planText(await planNow(operator, []));
    assert.match(text, /change Secret default\/demo-tls-server \(Certificates\)\n[^]*\[redacted\]/);
    assert.deepEqual(
      [...canaries].flatMap(([name, forms]) => leaksOf(name, forms, [], { plan: [text] })),
      [],
    );
  });
}

test('the secrets of the test would be found', async () => {
  const { data } = secretIn(home.namespace)('seal', { token: 's.credential-of-the-seal' });
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...home, name: 'data', annotations: { note: `token=${data?.['token']}` } },
  };
  const texts = { log: ['s.credential-of-the-seal is wrong'], spans: ['Init {"token":"s.credential-of-the-seal"}'] };
  assert.deepEqual(leaksOf('seal', secretForms(data), [claim], texts), [
    `seal in PersistentVolumeClaim ${refOf(claim).name}`,
    'seal in the log: s.credential-of-the-seal is wrong',
    'seal in the spans: Init {"token":"s.credential-of-the-seal"}',
  ]);
});
