// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { namesOf } from '../api/names.ts';
import { keystoneReady as cases } from '../conditions/keystone.ts';
import { childPredicate } from '../objects/child-changes.ts';
import { childProblem } from '../objects/child-problem.ts';
import { childState } from '../objects/child-state.ts';
import { isKeystoneReady, keptFields, keystoneChild } from '../objects/keystone-child.ts';
import type { KeystonePlace } from '../objects/korc/application-credential.ts';
import { rotationSchedule } from '../objects/rotation-schedule.ts';
import { adminPassword } from './admin-password.ts';
import { dbCredentials } from './db-credentials.ts';
import { infrastructure } from './infrastructure.ts';
import { loginRead, releaseLeftBehind } from './release-left-behind.ts';
import { step } from './step.ts';
import { unavailable } from './unavailable.ts';

const predicate = childPredicate(isKeystoneReady);

/**
 * The Keystone that credentials are minted in; its database, which is unknown while pods may still use another one; and what it
 * was last bootstrapped with, such as the password.
 */
const placeOf = (keystone: Keystone): KeystonePlace & { readonly bootstrap: string | undefined } => ({
  uid: keystone.metadata.uid,
  database: isKeystoneReady(keystone) ? keystone.status?.syncedDatabase : undefined,
  bootstrap: keystone.status?.completedBootstrap,
});

/**
 * Applies the Keystone of the control plane, which is deleted only with the ControlPlane. The first credential waits until it
 * is ready, later ones only until it answers.
 */
export const keystone = step({
  name: 'Keystone',
  condition: 'KeystoneReady',
  needs: { infrastructure, dbCredentials, adminPassword },
  skipped: { infrastructure: cases.waitingForInfrastructure() },
  owns: [owned(Keystone, ['apply', 'adopt', 'transferFields'], { predicate })],
  reads: [reads(Keystone, (controlPlane) => [namesOf(controlPlane).keystone], { predicate }), loginRead],
  modifies: [modified(Keystone, 'release')],
  async run(context) {
    const { object: controlPlane, get, apply } = context;
    const { rotationInterval } = controlPlane.spec.services.keystone;
    const schedule =
      rotationInterval &&
      (await failOnError(
        (error) => cases.invalidInterval({ error }),
        () => rotationSchedule(rotationInterval),
      ));
    const { keystone: name } = namesOf(controlPlane);
    const found = get(Keystone, name);
    if (found !== undefined && childState(found, controlPlane) === 'terminating') {
      await releaseLeftBehind(Keystone, found, context);
      return unavailable(controlPlane, cases.waiting({ name }), { output: placeOf(found) });
    }
    const live = await failOnError(
      (error) => cases.refused({ error }),
      () => apply(keystoneChild(controlPlane, schedule || undefined), { adopt: true, transferredFields: keptFields }),
    );
    // Steps that hold something of an earlier Keystone of the name must see that it is gone.
    const output = placeOf(live);
    return isKeystoneReady(live)
      ? ready(cases.ready(), { output })
      : unavailable(controlPlane, cases.waiting({ name }, childProblem(live)), { output });
  },
});
