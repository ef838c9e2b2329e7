// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import { identityAddressOf, namesOf } from '../../names.ts';
import { cloudsYamlKey } from '../../objects/credential/clouds-yaml.ts';
import { passwordCloudSecret } from '../../objects/credential/credential-secrets.ts';
import { heldPlaces } from '../../objects/held-children.ts';
import { concernsSecret } from '../../objects/secret-changes.ts';
import { wasMinted } from '../../settings.ts';
import { step } from '../../step.ts';
import { adminPassword } from '../admin-password.ts';
import { keystone } from '../keystone.ts';
import { holdChildren } from './hold-children.ts';
import { passwordRefused } from './mint-context.ts';
import { releaseTerminating, terminatingFor } from './release-terminating.ts';

/**
 * Keeps the login by password, with which K-ORC imports the administrator and mints and revokes the application credential. A
 * new password goes in once Keystone accepts it: until then the old one still works, or nothing does.
 */
export const passwordCloud = step({
  name: 'PasswordCloud',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { keystone, adminPassword },
  owns: [owned(Secret, ['apply', 'adopt'], { predicate: concernsSecret })],
  reads: heldPlaces.map(({ kind, names }) => reads(kind, names, { predicate: () => false })),
  touches: [touched(Secret, 'release'), ...heldPlaces.map(({ kind }) => touched(kind, 'patch', 'delete'))],
  async run(context) {
    const { object: controlPlane, needs, services, get, apply, signal } = context;
    const { password } = needs.adminPassword;
    if (password === undefined) return waiting(rows.waitingForPassword());
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
      return waiting((wasMinted(controlPlane) ? rows.revoking : rows.waiting)({ name }, problem));
    }
    const recheck = await failOnError(
      (error) => rows.passwordCloudRefused({ error }),
      async () => {
        const applied = await apply(wanted, { outlives: true, adopt: isLeftBehind(live) });
        await holdChildren(applied, context);
        return await releaseTerminating(applied, terminating, context);
      },
    );
    const extras = { output: { password, loginDue, problem }, ...(recheck !== undefined && { recheck }) };
    // The credential may work all the same; the next one could not be minted.
    if (problem !== undefined) return degraded(rows.waitingForPassword(undefined, problem), extras);
    return ready(rows.minted(), extras);
  },
});

/** Whether it is that of an earlier ControlPlane, whose finalizer somebody removed; one of the user's own has no such mark. */
function isLeftBehind(live: Secret | undefined): boolean {
  return live?.metadata.annotations?.[ownerAnnotation] !== undefined;
}
