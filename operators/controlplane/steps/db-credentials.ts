// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { isManaged } from '../api/settings.ts';
import { dbCredentialsReady as cases } from '../conditions/credentials.ts';
import { childState } from '../objects/child-state.ts';
import { dbCredentials as dbCredentialsSecret } from '../objects/external-secrets.ts';
import { step } from './step.ts';
import { unavailable } from './unavailable.ts';

/**
 * Has External Secrets sync the account of a managed database. Once a credential was minted, an outage does not stop the other
 * steps.
 */
export const dbCredentials = step({
  name: 'DBCredentials',
  condition: 'DBCredentialsReady',
  owns: [owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [secretStoreRead],
  async run({ object: controlPlane, services: { secretStore: store }, get, apply }) {
    if (!isManaged(controlPlane)) return ready(cases.brownfield());
    if (!isReady(get(ClusterSecretStore, store))) return unavailable(controlPlane, cases.storeNotReady({ store }));
    const wanted = dbCredentialsSecret(controlPlane, store);
    if (childState(get(ExternalSecret, wanted.metadata.name), controlPlane) === 'terminating')
      return unavailable(controlPlane, cases.waiting());
    const live = await failOnError(
      (error) => cases.refused({ error }),
      () => apply(wanted, { adopt: true }),
    );
    return isReady(live) ? ready(cases.ready()) : unavailable(controlPlane, cases.waiting());
  },
});
