// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { planText } from '@forge/runtime/plan/plan-text.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoFixture } from './openbao-fixture.ts';
import { planNow } from './plan-now.ts';
import { namesOf } from './running-cluster.ts';
import { startOpenBaoOperator } from './start-openbao-operator.ts';

test('a plan of a fresh cluster names what would be written, writes nothing, calls nobody, and shows no key', async () => {
  await using operator = await startOpenBaoOperator();
  await operator.stop();
  const { client } = operator.cluster;
  await client.create(OpenBaoCluster, openbaoFixture());
  const calls: string[] = [];
  const plan = await planNow(operator, calls);
  assert.deepEqual([calls, plan.calls], [[], []]);
  assert.deepEqual(await namesOf(Secret, operator), []);
  const written = plan.writes.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);
  for (const each of ['ServiceAccount demo-serviceaccount', 'Secret demo-tls-ca', 'Secret demo-unseal-key'])
    assert.ok(written.includes(`create ${each}`), `${each} is not among ${written.join(', ')}`);
  const text = planText(plan);
  assert.match(text, /create Secret default\/demo-unseal-key \(UnsealKey\)\n[^]*\[redacted\]/);
  assert.doesNotMatch(text, /PRIVATE KEY|[A-Za-z0-9+/]{43}=/);
});
