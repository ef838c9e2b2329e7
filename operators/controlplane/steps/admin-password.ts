// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { passwordRefOf } from '../api/names.ts';
import { isManaged } from '../api/settings.ts';
import { adminPasswordReady as cases } from '../conditions/credentials.ts';
import { childState } from '../objects/child-state.ts';
import { valueIn } from '../objects/credential/credential-secrets.ts';
import { adminPassword as adminPasswordSecret } from '../objects/external-secrets.ts';
import { secretPredicate } from '../objects/secret-changes.ts';
import { step } from './step.ts';
import { unavailable } from './unavailable.ts';

/** The output: the password, if its Secret exists and has one. */
interface AdminPassword {
  readonly password: SecretValue | undefined;
}

/**
 * Has External Secrets sync the admin password of a managed control plane. Once a credential was minted, an outage does not
 * stop the other steps.
 */
export const adminPassword = step({
  name: 'AdminPassword',
  condition: 'AdminPasswordReady',
  owns: [owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [
    secretStoreRead,
    reads(Secret, (controlPlane) => [passwordRefOf(controlPlane).name], { predicate: secretPredicate }),
  ],
  async run({ object: controlPlane, services: { secretStore: store }, get, apply }) {
    const { name, key } = passwordRefOf(controlPlane);
    const output: AdminPassword = { password: valueIn(get(Secret, name), key) };
    if (!isManaged(controlPlane)) return ready(cases.brownfield(), { output });
    if (!isReady(get(ClusterSecretStore, store)))
      return unavailable(controlPlane, cases.storeNotReady({ store }), { output });
    const wanted = adminPasswordSecret(controlPlane, store);
    if (childState(get(ExternalSecret, name), controlPlane) === 'terminating')
      return unavailable(controlPlane, cases.waiting(), { output });
    const live = await failOnError(
      (error) => cases.refused({ error }),
      () => apply(wanted, { adopt: true }),
    );
    return isReady(live) ? ready(cases.ready(), { output }) : unavailable(controlPlane, cases.waiting(), { output });
  },
});
