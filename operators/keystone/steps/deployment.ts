// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { Deployment, PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { deploymentReady } from '../contract/deployment.ts';
import { endpointOf, namesOf, selectorLabels } from '../names.ts';
import { apiDeployment } from '../objects/api/api-deployment.ts';
import { apiDisruptionBudget, apiService } from '../objects/api/api-service.ts';
import { replicasOf } from '../objects/api/replicas.ts';
import { step } from '../step.ts';
import { config } from './config.ts';
import { database } from './database/database.ts';
import { dbConnection } from './db-connection-secret.ts';
import { credentialKeys, fernetKeys } from './keys.ts';
import { networkPolicy } from './network-policy.ts';
import { policyValidation } from './policy-validation.ts';
import { apiPods, isAvailable, isRolledOut, isStalled } from './rollout.ts';

/** Pods are listed when a rollout has made no progress for this long. */
const podCheckDelay = seconds(30);

/** Runs the API pods behind their Service. */
export const deployment = step({
  name: 'Deployment',
  condition: 'DeploymentReady',
  needs: { config, dbConnection, fernetKeys, credentialKeys, networkPolicy, database, policyValidation },
  owns: [owned(Deployment, ['apply', 'remove']), Service, PodDisruptionBudget],
  reads: [apiPods],
  writes: ['endpoint', 'replicas', 'selector'],
  async run({ object: keystone, needs, get, apply, remove, fetchAll, clock }) {
    const before = get(Deployment, namesOf(keystone).api);
    const replicas = replicasOf(keystone, before);
    const { image } = needs.database;
    const { configMap } = needs.config;
    const desired = apiDeployment(keystone, {
      image,
      replicas,
      configMap,
      connectionDigest: needs.dbConnection.digest,
    });
    await apply(apiService(keystone));
    await apply(apiDisruptionBudget(keystone, replicas));
    if (before?.metadata.deletionTimestamp !== undefined) return waiting(deploymentReady.waiting());
    // A selector cannot be changed.
    if (before !== undefined && !isDeepStrictEqual(before.spec?.selector, desired.spec?.selector)) {
      await remove(Deployment, before);
      return waiting(deploymentReady.waiting());
    }

    const live = await apply(desired);
    const pods = isStalled(live, clock.now(), podCheckDelay) ? await fetchAll(apiPods) : [];
    const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const problem = podProblem(present, needs.dbConnection.secrets);
    // Old pods may serve while new ones cannot start.
    if (!isAvailable(live) || problem !== undefined) return waiting(deploymentReady.waiting(undefined, problem));
    const rolledOut = isRolledOut(live);
    return ready(rolledOut ? deploymentReady.available() : deploymentReady.rollingOut(), {
      output: { rolledOut },
      status: {
        endpoint: endpointOf(keystone),
        selector: labelText(selectorLabels(keystone)),
        // Not every number on the way.
        ...(rolledOut && { replicas: live.status?.replicas ?? 0 }),
      },
    });
  },
});

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
