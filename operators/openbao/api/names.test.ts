// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import {
  annotations,
  apiPort,
  backupJobName,
  backupTypeLabel,
  clusterLabel,
  clusterPort,
  clusterServerName,
  componentLabel,
  components,
  finalizer,
  imageOf,
  labelsOf,
  namesOf,
  podUrl,
  preUpgradeBackup,
  preUpgradeJobName,
  revisionLabel,
  revisionOf,
  serverLabels,
  upgradeJobName,
} from './names.ts';

const cluster = openbaoFixture();
const named = (name: string) => ({ metadata: { name } });
const time = new Date('2026-01-31T03:04:05.678Z');

describe('names of a cluster', () => {
  test('are those of the specification: clusters and dashboards know them', () => {
    const { pod, claim, ...names } = namesOf(cluster);
    assert.deepEqual(Object.values(names), [
      'demo',
      'demo',
      'demo-public',
      'demo-acme',
      'demo',
      'demo-config',
      'demo-serviceaccount',
      'demo-serviceaccount-role',
      'demo-serviceaccount-rolebinding',
      'demo-backup-serviceaccount',
      'demo-upgrade-serviceaccount',
      'demo-tls-ca',
      'demo-tls-server',
      'demo-tls-trusted',
      'demo-unseal-key',
      'demo-root-token',
      'demo-network-policy',
      'demo-pdb',
    ]);
    assert.deepEqual([pod(0), claim(2)], ['demo-0', 'data-demo-2']);
    assert.deepEqual(
      [finalizer, clusterLabel, revisionLabel, componentLabel, backupTypeLabel, preUpgradeBackup],
      [
        'openbao.org/openbaocluster-finalizer',
        'openbao.org/cluster',
        'openbao.org/revision',
        'openbao.org/component',
        'openbao.org/backup-type',
        'pre-upgrade',
      ],
    );
    assert.deepEqual(Object.values(components), ['server', 'backup', 'upgrade']);
    assert.deepEqual([apiPort, clusterPort], [8200, 8201]);
    assert.deepEqual(labelsOf(cluster), {
      'app.kubernetes.io/name': 'openbao',
      'app.kubernetes.io/instance': 'demo',
      'app.kubernetes.io/managed-by': 'openbao-operator',
      'openbao.org/cluster': 'demo',
    });
    assert.deepEqual(Object.values(serverLabels), [
      'openbao-active',
      'openbao-initialized',
      'openbao-sealed',
      'openbao-perf-standby',
      'openbao-version',
    ]);
    assert.deepEqual(Object.values(annotations), [
      'openbao.org/tls-cert-hash',
      'openbao.org/config-hash',
      'openbao.org/trigger-backup',
      'openbao.org/retry-upgrade',
      'openbao.org/upgrade-action',
      'openbao.org/upgrade-run-id',
      'openbao.org/backup-key',
      'openbao.org/version',
      'openbao.org/initialization',
      'openbao.org/raft-removal',
      'openbao.org/template-hash',
      'openbao.org/unseal-key-fingerprint',
    ]);
  });

  test('of a revision carry it, those that revisions share do not', () => {
    const { statefulSet, config, headlessService, pod, claim } = namesOf(cluster, 'abc');
    assert.deepEqual(
      [statefulSet, config, headlessService, pod(1), claim(1)],
      ['demo-abc', 'demo-config-abc', 'demo', 'demo-abc-1', 'data-demo-abc-1'],
    );
  });

  test('lead to a pod, and to the name in its certificate', () => {
    assert.equal(podUrl(cluster, 'demo-0'), 'https://demo-0.demo.default.svc:8200');
    assert.equal(clusterServerName(cluster), 'openbao-cluster-demo.local');
  });
});

describe('the revision', () => {
  test('is made of version, image and replicas, and of nothing else', () => {
    const lines = 'version=v2.7.2\nimage=openbao/openbao:2.7.2\nreplicas=3\n';
    const revision = createHash('sha256').update(lines).digest('hex').slice(0, 16);
    assert.equal(revisionOf(openbaoFixture({ version: 'v2.7.2' })), revision);
    assert.equal(revisionOf(openbaoFixture({ version: 'v2.7.2', config: { ui: 'false' } })), revision);
    for (const change of [{ replicas: 5 }, { image: 'mine' }, { version: '2.7.2' }]) {
      assert.notEqual(revisionOf(openbaoFixture({ version: 'v2.7.2', ...change })), revision);
    }
  });

  test('has the image of the spec, or the official one, whose tags have no v', () => {
    assert.equal(imageOf(openbaoFixture({ version: 'v2.7.2' })), 'openbao/openbao:2.7.2');
    assert.equal(imageOf(openbaoFixture({ image: 'mine:1' })), 'mine:1');
  });
});

describe('names of Jobs', () => {
  test('say when, in UTC and to the second', () => {
    assert.equal(backupJobName(cluster, time), 'backup-demo-20260131-030405');
    assert.equal(preUpgradeJobName(cluster, time), 'pre-upgrade-backup-demo-20260131-030405');
  });

  test('fit into the label of a pod, also for the longest name of a cluster, and differ as those names do', () => {
    const longest = ['n'.repeat(35), `${'n'.repeat(34)}m`].map(named);
    const [one, other] = longest.map((each) => preUpgradeJobName(each, time));
    assert.match(one ?? '', /^pre-upgrade-backup-n{17}-[0-9a-f]{10}-20260131-030405$/);
    assert.deepEqual([one?.length, other?.length, one === other], [63, 63, false]);
    assert.equal(preUpgradeJobName(named('n'.repeat(28)), time).length, 63);
    assert.match(preUpgradeJobName(named('n'.repeat(28)), time), /-n{28}-2026/);
    assert.ok(longest.every((each) => backupJobName(each, time).length <= 63));
  });

  test('of upgrades are the same for the same run and never too long', () => {
    const run = {
      action: 'bluegreen-demote-blue-nonvoters-stepdown',
      runID: '1',
      blueRevision: 'a',
      greenRevision: 'b',
    };
    const digest = createHash('sha256').update(`demo|${run.action}|1|a|b`).digest('hex').slice(0, 10);
    assert.equal(upgradeJobName(cluster, run), `upgrade-demo-bluegreen-demote-blue-nonvoters-stepdow-${digest}`);
    assert.notEqual(upgradeJobName(cluster, { ...run, runID: '2' }), upgradeJobName(cluster, run));
    const longest = upgradeJobName({ metadata: { name: 'n'.repeat(35) } }, run);
    assert.ok(longest.length <= 63, longest);
    // Where the cut ends at a dash, that goes, too.
    const dashed = upgradeJobName(cluster, { ...run, action: `${'a'.repeat(38)}-tail` });
    assert.match(dashed, /^upgrade-demo-a{38}-[0-9a-f]{10}$/);
  });
});
