// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { readCertificate } from '@forge/pki/read-certificate.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { home } from './openbao-fixture.ts';
import { changeSpec, deleted, runningCluster } from './running-cluster.ts';

const cluster = 'namespace="default",name="demo"';
const controller = 'controller="openbaocluster-controller"';

/** The value of a series; undefined when it is not there. */
function valueIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('a cluster has its metrics while it lives, and none afterwards', async () => {
  const metrics = prometheusMetrics();
  await using operator = await runningCluster({ metrics });
  const { client, clock } = operator.cluster;
  const value = async (series: string) => valueIn(await metrics.text(), series);
  const end = async () => {
    const { data } = await client.get(Secret, { ...home, name: 'demo-tls-server' });
    return readCertificate(Buffer.from(data?.['tls.crt'] ?? '', 'base64').toString()).notAfter / 1000;
  };
  await clock.settle();

  assert.equal(await value(`openbao_cluster_ready_replicas{${cluster}}`), 3);
  assert.equal(await value(`openbao_cluster_phase{${cluster},phase="Running"}`), 1);
  assert.equal(await value(`openbao_cluster_phase{${cluster},phase="Initializing"}`), 0);
  const expiry = `openbao_tls_cert_expiry_timestamp{${cluster},type="OperatorManaged"}`;
  assert.equal(await value(expiry), await end());
  assert.equal(await value(`openbao_tls_rotation_total{${cluster}}`), 0);

  await clock.advance(seconds(10));
  await changeSpec(operator, { tls: { extraSANs: ['bao.example.com'] } });
  await clock.settle();
  assert.equal(await value(`openbao_tls_rotation_total{${cluster}}`), 1);
  assert.equal(await value(expiry), await end());

  const passes = await value(`openbao_reconcile_duration_seconds_count{${cluster},${controller}}`);
  assert.ok(passes !== undefined && passes > 2, `${passes} passes`);
  const buckets = [...(await metrics.text()).matchAll(/^openbao_reconcile_duration_seconds_bucket\{le="(\S+?)"/gm)];
  assert.deepEqual(
    buckets.map(([, bound]) => bound),
    ['0.5', '1', '2', '5', '10', '20', '30', '60', '+Inf'],
  );
  const refused = `openbao_reconcile_errors_total{${cluster},${controller},reason="Forbidden"}`;
  assert.equal(await value(refused), undefined);
  await operator.deny('create', Secret);
  await client.delete(Secret, { ...home, name: 'demo-tls-server' });
  await operator.untilCondition('TLSReady', 'Error: Secret demo-tls-server was refused: Forbidden');
  assert.ok(((await value(refused)) ?? 0) > 0);

  await deleted(operator);
  await clock.settle();
  assert.doesNotMatch(await metrics.text(), /name="demo"/);
});
