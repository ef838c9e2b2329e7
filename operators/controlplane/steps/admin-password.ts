// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isReady, readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { adminPasswordReady as rows } from '../contract/credentials.ts';
import { passwordRefOf } from '../names.ts';
import { childState } from '../objects/child-state.ts';
import { adminPassword as adminPasswordSecret } from '../objects/external-secrets.ts';
import { isManaged, wasMinted } from '../settings.ts';
import { step } from '../step.ts';

/** What the other steps get: the password, as far as its Secret is there and holds one. */
export interface AdminPassword {
  readonly password: SecretValue | undefined;
}

/** Has External Secrets sync the admin password of a managed control plane. Once a credential was minted, an outage stops nothing. */
export const adminPassword = step({
  name: 'AdminPassword',
  condition: 'AdminPasswordReady',
  owns: [owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [
    reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged }),
    reads(Secret, (controlPlane) => [passwordRefOf(controlPlane).name]),
  ],
  async run({ object: controlPlane, services: { secretStore: store }, get, apply }) {
    const { name, key } = passwordRefOf(controlPlane);
    const output: AdminPassword = { password: passwordIn(get(Secret, name), key) };
    if (!isManaged(controlPlane)) return ready(rows.brownfield(), { output });
    const unavailable = wasMinted(controlPlane) ? degraded<AdminPassword> : waiting;
    if (!isReady(get(ClusterSecretStore, store))) return unavailable(rows.storeNotReady({ store }), { output });
    const wanted = adminPasswordSecret(controlPlane, store);
    if (childState(get(ExternalSecret, name), controlPlane) === 'leaving')
      return unavailable(rows.waiting(), { output });
    const live = await failOnError(
      (error) => rows.refused({ error }),
      () => apply(wanted, { adopt: true }),
    );
    return isReady(live) ? ready(rows.ready(), { output }) : unavailable(rows.waiting(), { output });
  },
});

function passwordIn(secret: Secret | undefined, key: string): SecretValue | undefined {
  const password = fieldOf(secret?.data ?? {}, key);
  return password === undefined || password === '' ? undefined : SecretValue.fromBase64(password);
}
