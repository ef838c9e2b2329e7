// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Deployment, PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { deploymentReady } from '../contract/deployment.ts';
import { endpointOf, namesOf, selectorLabels } from '../names.ts';
import { apiDeployment } from '../objects/api/api-deployment.ts';
import { apiDisruptionBudget, apiService } from '../objects/api/api-service.ts';
import { replicasOf } from '../objects/api/replicas.ts';
import { step } from '../step.ts';
import { dbConnection } from './db-connection-secret.ts';
import { credentialKeys, fernetKeys } from './keys.ts';
import { networkPolicy } from './network-policy.ts';
import { policyValidation } from './policy-validation.ts';
import { apiPods, isAvailable, isRolledOut, isScaling, isStalled } from './rollout.ts';

/** Pods are listed when a rollout has made no progress for this long. */
const podCheckDelay = seconds(30);

/** Runs the API pods behind their Service. */
export const deployment = step({
  name: 'Deployment',
  condition: 'DeploymentReady',
  needs: { dbConnection, fernetKeys, credentialKeys, networkPolicy, policyValidation },
  owns: [owned(Deployment, ['apply', 'remove']), Service, PodDisruptionBudget],
  reads: [apiPods],
  writes: ['endpoint', 'replicas', 'rolledOutTemplate', 'selector'],
  async run({ object: keystone, needs, get, apply, remove, fetchAll, clock }) {
    const before = get(Deployment, namesOf(keystone).api);
    const wanted = replicasOf(keystone, before);
    const desired = apiDeployment(keystone, {
      ...needs.policyValidation,
      replicas: wanted,
      connectionDigest: needs.dbConnection.digest,
    });
    await apply(apiService(keystone));
    await apply(apiDisruptionBudget(keystone, wanted));
    if (before?.metadata.deletionTimestamp !== undefined) return waiting(deploymentReady.waiting());
    // A selector cannot be changed.
    if (before !== undefined && !isDeepStrictEqual(before.spec?.selector, desired.spec?.selector)) {
      await remove(Deployment, before);
      return waiting(deploymentReady.waiting());
    }

    const live = await apply(desired);
    const template = digestOf(desired.spec?.template);
    const address = { endpoint: endpointOf(keystone), selector: labelText(selectorLabels(keystone)) };
    if (isRolledOut(live)) {
      // Not every number on the way.
      const replicas = live.status?.replicas ?? 0;
      const status = { ...address, replicas, rolledOutTemplate: template };
      return ready(deploymentReady.available(), { output: { rolledOut: true }, status });
    }
    const { rolledOutTemplate, replicas: former = 0 } = keystone.status ?? {};
    if (rolledOutTemplate === template && isScaling(live, former)) {
      return ready(deploymentReady.available(), { output: { rolledOut: false }, status: address });
    }

    const pods = isStalled(live, clock.now(), podCheckDelay) ? await fetchAll(apiPods) : [];
    const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const row = deploymentReady.waiting(undefined, podProblem(present, needs.dbConnection.secrets));
    const unfinished = rolledOutTemplate === template ? {} : { rolledOutTemplate: undefined };
    if (!isAvailable(live)) return waiting(row, { status: unfinished });
    // Old pods serve, so that what needs the API goes on.
    return degraded(row, { output: { rolledOut: false }, status: { ...address, ...unfinished } });
  },
});

function digestOf(template: unknown): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
