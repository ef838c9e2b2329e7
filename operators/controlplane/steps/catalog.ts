// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { catalogReady as rows } from '../contract/catalog.ts';
import type { ControlPlane } from '../control-plane.ts';
import { namesOf } from '../names.ts';
import { childState } from '../objects/child-state.ts';
import { identityEndpoint, identityService } from '../objects/korc/catalog.ts';
import { isCurrentlyAvailable, terminalError, type KorcObject } from '../objects/korc/korc-object.ts';
import { step, type Services } from '../step.ts';
import { adminCredential } from './admin-credential.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import { passwordCloud } from './korc/password-cloud.ts';
import { recreateTerminal } from './korc/recreate-terminal.ts';

type CatalogContext = StepContext<
  ControlPlane,
  Services,
  { readonly passwordCloud: { readonly password: SecretValue } }
>;

/**
 * Registers the identity service and its public endpoint. Their specs are touched only while the Secret that K-ORC logs in with
 * holds the current credential: Keystone answers a revoked one as if the entries were gone.
 */
export const catalog = step({
  name: 'Catalog',
  condition: 'CatalogReady',
  needs: { adminCredential, passwordCloud },
  skipped: { adminCredential: rows.waitingForAdminCredential() },
  owns: [owned(Service, ['apply', 'remove']), owned(Endpoint, ['apply', 'remove'])],
  touches: [touched(Service, 'patch'), touched(Endpoint, 'patch')],
  async run(context) {
    const { object: controlPlane } = context;
    const service = await problemOf(Service, identityService(controlPlane), rows.serviceRefused, context);
    if (childState(context.get(Service, namesOf(controlPlane).identityService), controlPlane) === 'leaving') {
      await removeEndpoint(context);
      return waiting(service ?? rows.waiting());
    }
    const endpoint = await problemOf(Endpoint, identityEndpoint(controlPlane), rows.endpointRefused, context);
    // What K-ORC gave up on is more than a wait.
    const problems = [service, endpoint].filter((each) => each !== undefined);
    const problem = problems.find(({ reason }) => reason === 'CatalogFailed') ?? problems[0];
    return problem === undefined ? ready(rows.registered()) : waiting(problem);
  },
});

/** Deletes the Endpoint: it guards the Service, which could not go. In Keystone both stay. */
async function removeEndpoint(context: CatalogContext): Promise<void> {
  const { identityEndpoint: name, cloudsYaml } = namesOf(context.object);
  const found = context.get(Endpoint, name);
  if (found === undefined) return;
  await failOnError(
    (error) => rows.endpointRefused({ error }),
    () => withCurrentLogin(Endpoint, found, cloudsYaml, context),
  );
  await context.remove(Endpoint, name);
}

/** Applies an entry; gives what keeps it from being in the catalog as its current spec says. */
async function problemOf<R extends KorcObject>(
  kind: Kind<R>,
  wanted: R,
  refused: (values: { error: string }) => Statement,
  context: CatalogContext,
): Promise<Statement | undefined> {
  const { object: controlPlane, needs, get, apply } = context;
  const { name } = wanted.metadata;
  const found = get(kind, name);
  return await failOnError(
    (error) => refused({ error }),
    async () => {
      if (found !== undefined && childState(found, controlPlane) === 'leaving') {
        await withCurrentLogin(kind, found, namesOf(controlPlane).cloudsYaml, context);
        return rows.waiting();
      }
      const live = await apply(wanted);
      const error = terminalError(live);
      if (error === undefined) return isCurrentlyAvailable(live) ? undefined : rows.waiting();
      await recreateTerminal(kind, live, needs.passwordCloud.password, context, [Endpoint]);
      return rows.failed({ kind: kind.kind, name, error });
    },
  );
}
