// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isReady, readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { dbCredentialsReady as rows } from '../contract/credentials.ts';
import { childState } from '../objects/child-state.ts';
import { dbCredentials as dbCredentialsSecret } from '../objects/external-secrets.ts';
import { isManaged } from '../settings.ts';
import { step } from '../step.ts';
import { unavailable } from './unavailable.ts';

/** Has External Secrets sync the account of a managed database. Once a credential was minted, an outage stops nothing. */
export const dbCredentials = step({
  name: 'DBCredentials',
  condition: 'DBCredentialsReady',
  owns: [owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged })],
  async run({ object: controlPlane, services: { secretStore: store }, get, apply }) {
    if (!isManaged(controlPlane)) return ready(rows.brownfield());
    if (!isReady(get(ClusterSecretStore, store))) return unavailable(controlPlane, rows.storeNotReady({ store }));
    const wanted = dbCredentialsSecret(controlPlane, store);
    if (childState(get(ExternalSecret, wanted.metadata.name), controlPlane) === 'leaving')
      return unavailable(controlPlane, rows.waiting());
    const live = await failOnError(
      (error) => rows.refused({ error }),
      () => apply(wanted, { adopt: true }),
    );
    return isReady(live) ? ready(rows.ready()) : unavailable(controlPlane, rows.waiting());
  },
});
