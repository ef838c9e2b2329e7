// SPDX-License-Identifier: Apache-2.0
// The API must serve throughout a rollout. The Deployment therefore gets only what others have vouched for: an image that
// fits the schema, a configuration that is valid, keys and a connection that exist. Whatever pods read at their start
// changes the template, by its digest or name, and so rolls them.
//
// DeploymentReady is True when all pods are of the current template and serve, and stays True while their number alone
// changes. During a rollout the step is degraded as long as old pods serve, so that nothing else stops; it waits only when
// too few pods serve. A rollout may stall: after 30 seconds without progress the pods are listed, and their problem is
// appended to the message. A selector cannot be changed, so a Deployment with another one is deleted and created again.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Deployment, PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { endpointOf, namesOf, selectorLabels } from '../api/names.ts';
import { deploymentReady } from '../conditions/deployment.ts';
import { apiDeployment } from '../objects/api/api-deployment.ts';
import { apiDisruptionBudget, apiService } from '../objects/api/api-service.ts';
import { replicasOf } from '../objects/replicas.ts';
import { dbConnection } from './db-connection-secret.ts';
import { credentialKeys, fernetKeys } from './keys.ts';
import { networkPolicy } from './network-policy.ts';
import { policyValidation } from './policy-validation.ts';
import { apiPods, isAvailable, isRolledOut, isScaling, isStalled } from './rollout/rollout.ts';
import { step } from './step.ts';

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
    const statement = deploymentReady.waiting(undefined, podProblem(present, needs.dbConnection.secrets));
    const unfinished = rolledOutTemplate === template ? {} : { rolledOutTemplate: undefined };
    if (!isAvailable(live)) return waiting(statement, { status: unfinished });
    // Old pods serve, so that what needs the API goes on.
    return degraded(statement, { output: { rolledOut: false }, status: { ...address, ...unfinished } });
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
