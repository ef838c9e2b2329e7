// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { createInstalled, jobOf, untilStart } from '../releases.ts';
import {
  allReady,
  createCredentials,
  createKeystone,
  home,
  startKeystoneOperator,
} from '../start-keystone-operator.ts';

const waiting = 'WaitingForDeployment: Keystone API deployment is not yet available';

/** API pods that do not start, and the number of API pods. */
export function deploymentFlows(observer: CatalogObserver): void {
  test('a rollout that hangs shows why although old pods serve, and its correction heals it', async () => {
    await using operator = await startKeystoneOperator(
      (component, { metadata }) =>
        component === 'api' && metadata.labels?.['app.kubernetes.io/name'] === 'keystone' && stuck(metadata.name)
          ? { stuck: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } }
          : {},
      { observer },
    );
    let old: string[] | undefined;
    const stuck = (name: string) => old !== undefined && !old.some((each) => name.startsWith(each));
    await createInstalled(operator);
    const { client } = operator.cluster;
    const setName = async () => {
      const pods = await operator.pods();
      return [...new Set(pods.map(({ metadata }) => metadata.name.slice(0, metadata.name.lastIndexOf('-'))))];
    };
    old = await setName();
    await client.patch(Keystone, home, 'merge', { spec: { resources: { requests: { cpu: '50m' } } } });
    await operator.untilCondition('DeploymentReady', `${waiting}: CreateContainerConfigError: secret "x" not found`);
    assert.equal((await client.get(Deployment, home)).status?.availableReplicas, 3);
    old = undefined;
    await operator.untilCondition('Ready', allReady);
  });

  test('bootstrap waits for the API pods', async () => {
    let ready: 'never' | undefined = 'never';
    await using operator = await startKeystoneOperator(
      (component) => (component === 'api' && ready !== undefined ? { ready } : {}),
      { observer },
    );
    await createKeystone(operator);
    await operator.untilCondition('DeploymentReady', waiting);
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(await jobOf(operator, 'bootstrap'), undefined);
    ready = undefined;
    await operator.untilCondition('Ready', allReady);
  });

  test('status has the endpoint, and what the scale subresource needs', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    const { status } = await operator.keystone();
    assert.deepEqual(
      [status?.endpoint, status?.replicas, status?.selector],
      [
        'http://identity.openstack.svc.cluster.local:5000/v3',
        3,
        'app.kubernetes.io/name=keystone,app.kubernetes.io/instance=identity',
      ],
    );
  });

  test('a Deployment with another selector is made anew', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client } = operator.cluster;
    const owner = await client.create(Keystone, keystoneFixture());
    const labels = { app: 'keystone-api' };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'keystone', image: 'c5c3/keystone:2025.1' }] },
    };
    const first = await client.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...home, ownerReferences: [controllerReference(owner)] },
      spec: { selector: { matchLabels: labels }, template },
    });
    await createCredentials(operator);
    await operator.untilCondition('Ready', allReady);
    const { metadata, spec } = await client.get(Deployment, home);
    assert.notEqual(metadata.uid, first.metadata.uid);
    assert.equal(spec?.selector.matchLabels?.['app.kubernetes.io/instance'], 'identity');
  });

  test('the way in which pods are replaced can be changed to any other and back', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    const { client, clock } = operator.cluster;
    const strategyAfter = async (strategy: object | null) => {
      const { spec: _, ...keystone } = await client.get(Keystone, home);
      await client.update(Keystone, {
        ...keystone,
        spec: keystoneFixture(strategy === null ? {} : { strategy }).spec,
      });
      await clock.advance(minutes(1));
      await operator.untilCondition('Ready', allReady);
      return (await operator.deployment()).spec?.strategy;
    };
    const byKubernetes = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };
    assert.deepEqual(await strategyAfter({ type: 'RollingUpdate' }), byKubernetes);
    // Defaults of the server must not stay: they are refused with Recreate.
    assert.deepEqual(await strategyAfter({ type: 'Recreate' }), { type: 'Recreate' });
    assert.deepEqual(await strategyAfter({}), byKubernetes);
    const rollingUpdate = { maxUnavailable: 0, maxSurge: 1 };
    assert.deepEqual(await strategyAfter(null), { type: 'RollingUpdate', rollingUpdate });
  });

  test('an autoscaler decides how many pods there are, and its last word stays when it goes', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    const { client, clock } = operator.cluster;
    const replicas = async () => (await client.get(Deployment, home)).spec?.replicas;
    const setSpec = async (spec: object) => {
      await client.patch(Keystone, home, 'merge', { spec });
      await clock.advance(minutes(1));
    };
    await setSpec({ autoscaling: { minReplicas: 1, maxReplicas: 9, targetCPUUtilization: 70 } });
    assert.equal(await replicas(), 3);
    assert.equal((await client.get(PodDisruptionBudget, home)).spec?.maxUnavailable, 1);
    await client.patch(Deployment, home, 'merge', { spec: { replicas: 7 } });
    await clock.advance(minutes(1));
    assert.equal(await replicas(), 7);
    await setSpec({ autoscaling: null });
    assert.equal(await replicas(), 7);
    assert.equal((await client.get(PodDisruptionBudget, home)).spec?.minAvailable, 1);
    assert.equal((await operator.keystone()).status?.replicas, 7);
    await setSpec({ replicas: 2 });
    assert.equal(await replicas(), 2);
    assert.equal(await client.find(HorizontalPodAutoscaler, home), undefined);
  });

  test('pods that never get ready keep the Keystone from being ready', async () => {
    let ready = false;
    await using operator = await startKeystoneOperator(
      (component) => (component === 'api' && !ready ? { ready: 'never' } : {}),
      { observer },
    );
    await createCredentials(operator);
    await operator.cluster.client.create(Keystone, keystoneFixture());
    await untilStart(operator, 'DeploymentReady', waiting);
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await operator.condition('KeystoneAPIReady'), undefined);
    ready = true;
    await operator.untilCondition('Ready', allReady);
  });
}
