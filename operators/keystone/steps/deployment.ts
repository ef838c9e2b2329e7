// SPDX-License-Identifier: Apache-2.0
import { Deployment, PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { deploymentReady } from '../contract/deployment.ts';
import { internalUrl } from '../names.ts';
import { apiDeployment, apiDisruptionBudget, apiService } from '../objects/api.ts';
import { step } from '../step.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { dbConnection } from './db-connection-secret.ts';
import { credentialKeys, fernetKeys } from './keys.ts';
import { networkPolicy } from './network-policy.ts';

/** Runs the API pods behind their Service. */
export const deployment = step({
  name: 'Deployment',
  condition: 'DeploymentReady',
  needs: { config, dbConnection, fernetKeys, credentialKeys, networkPolicy, database },
  owns: [Deployment, Service, PodDisruptionBudget],
  writes: ['endpoint'],
  async run({ object: keystone, needs, apply }) {
    const inputs = { configMap: needs.config.configMap, connectionDigest: needs.dbConnection.digest };
    await apply(apiService(keystone));
    const live = await apply(apiDeployment(keystone, inputs));
    await apply(apiDisruptionBudget(keystone));
    if (!isAvailable(live)) return waiting(deploymentReady.waiting());
    return ready(deploymentReady.available(), {
      output: { rolledOut: isRolledOut(live) },
      status: { endpoint: internalUrl(keystone) },
    });
  },
});

function isAvailable({ metadata, spec, status }: Deployment): boolean {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1) &&
    available?.status === 'True'
  );
}

function isRolledOut({ spec, status }: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0 } = status ?? {};
  return updatedReplicas >= (spec?.replicas ?? 1) && replicas === updatedReplicas;
}
