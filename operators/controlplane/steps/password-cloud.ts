// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { identityAddressOf, namesOf, propagationAnnotation } from '../api/names.ts';
import { wasMinted } from '../api/settings.ts';
import { korcReady as cases } from '../conditions/korc.ts';
import { cloudsYamlKey } from '../objects/credential/clouds-yaml.ts';
import { passwordCloudSecret } from '../objects/credential/credential-secrets.ts';
import { heldPlaces } from '../objects/held-children.ts';
import { secretPredicate } from '../objects/secret-changes.ts';
import { adminPassword } from './admin-password.ts';
import { keystone } from './keystone.ts';
import { holdChildren } from './korc/hold-children.ts';
import { passwordRefused } from './korc/mint-context.ts';
import { releaseTerminating, terminatingFor } from './korc/release-terminating.ts';
import { step } from './step.ts';

/**
 * Keeps the login by password, with which K-ORC imports the administrator and mints and revokes the application credential. A
 * new password goes in once Keystone accepts it: until then the old one still works, or nothing does.
 */
export const passwordCloud = step({
  name: 'PasswordCloud',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { keystone, adminPassword },
  owns: [owned(Secret, ['apply', 'adopt'], { predicate: secretPredicate })],
  reads: heldPlaces.map(({ kind, names }) => reads(kind, names, { predicate: () => false })),
  modifies: [modified(Secret, 'patch', 'release'), ...heldPlaces.map(({ kind }) => modified(kind, 'patch', 'delete'))],
  async run(context) {
    const { object: controlPlane, needs, services, get, apply, patch, signal } = context;
    const { password } = needs.adminPassword;
    if (password === undefined) return waiting(cases.waitingForPassword());
    const wanted = passwordCloudSecret(controlPlane, password);
    const live = get(Secret, wanted.metadata.name);
    const terminating = terminatingFor(live, context);
    const isCurrent = live?.data?.[cloudsYamlKey] === wanted.data?.[cloudsYamlKey];
    const address = identityAddressOf(controlPlane);
    const ask = isCurrent ? 'recentLogIn' : 'retryLogIn';
    const { bootstrap } = needs.keystone;
    const { result, recheck: loginDue } = await services.identity[ask](address, { password }, signal, bootstrap);
    const problem = result === 'refused' ? passwordRefused : undefined;
    if (!isCurrent && result !== 'accepted') {
      const { applicationCredential: name } = namesOf(controlPlane);
      return waiting((wasMinted(controlPlane) ? cases.revoking : cases.waiting)({ name }, problem));
    }
    const recheck = await failOnError(
      (error) => cases.passwordCloudRefused({ error }),
      async () => {
        const applied = await apply(wanted, { retainOnDelete: true, adopt: isLeftBehind(live) });
        // The annotation of an earlier ControlPlane does not apply to this one.
        if (applied.metadata.annotations?.[propagationAnnotation] !== undefined)
          await patch(Secret, applied, { metadata: { annotations: { [propagationAnnotation]: null } } });
        await holdChildren(applied, context);
        return await releaseTerminating(applied, terminating, context);
      },
    );
    const extras = { output: { password, loginDue, problem }, ...(recheck !== undefined && { recheck }) };
    // The credential may work all the same; the next one could not be minted.
    if (problem !== undefined) return degraded(cases.waitingForPassword(undefined, problem), extras);
    // With a text: the case of a minted credential in the catalog does not include the recheck of the KORC step.
    return ready(cases.minted(), extras);
  },
});

/** Whether it belongs to an earlier ControlPlane whose finalizer somebody removed; a Secret of the user has no such label. */
function isLeftBehind(live: Secret | undefined): boolean {
  return live?.metadata.annotations?.[ownerAnnotation] !== undefined;
}
