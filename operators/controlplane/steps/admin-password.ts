// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isReady, readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { adminPasswordReady as rows } from '../contract/credentials.ts';
import { passwordRefOf } from '../names.ts';
import { childState } from '../objects/child-state.ts';
import { valueIn } from '../objects/credential/credential-secrets.ts';
import { adminPassword as adminPasswordSecret } from '../objects/external-secrets.ts';
import { concernsSecret } from '../objects/secret-changes.ts';
import { isManaged } from '../settings.ts';
import { step } from '../step.ts';
import { unavailable } from './unavailable.ts';

/** What the other steps get: the password, as far as its Secret is there and holds one. */
interface AdminPassword {
  readonly password: SecretValue | undefined;
}

/** Has External Secrets sync the admin password of a managed control plane. Once a credential was minted, an outage stops nothing. */
export const adminPassword = step({
  name: 'AdminPassword',
  condition: 'AdminPasswordReady',
  owns: [owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [
    reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged }),
    reads(Secret, (controlPlane) => [passwordRefOf(controlPlane).name], { predicate: concernsSecret }),
  ],
  async run({ object: controlPlane, services: { secretStore: store }, get, apply }) {
    const { name, key } = passwordRefOf(controlPlane);
    const output: AdminPassword = { password: valueIn(get(Secret, name), key) };
    if (!isManaged(controlPlane)) return ready(rows.brownfield(), { output });
    if (!isReady(get(ClusterSecretStore, store)))
      return unavailable(controlPlane, rows.storeNotReady({ store }), { output });
    const wanted = adminPasswordSecret(controlPlane, store);
    if (childState(get(ExternalSecret, name), controlPlane) === 'leaving')
      return unavailable(controlPlane, rows.waiting(), { output });
    const live = await failOnError(
      (error) => rows.refused({ error }),
      () => apply(wanted, { adopt: true }),
    );
    return isReady(live) ? ready(rows.ready(), { output }) : unavailable(controlPlane, rows.waiting(), { output });
  },
});
