// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { catalogReady as rows } from '../contract/catalog.ts';
import type { ControlPlane } from '../control-plane.ts';
import { namesOf } from '../names.ts';
import { childState } from '../objects/child-state.ts';
import { administratorOf, identityEndpoint, identityService } from '../objects/korc/catalog.ts';
import { isCurrentlyAvailable, terminalError, type KorcObject } from '../objects/korc/korc-object.ts';
import { step, type Services } from '../step.ts';
import { adminCredential } from './admin-credential.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import type { PasswordCloud } from './korc/mint-context.ts';
import { passwordCloud } from './korc/password-cloud.ts';
import { isGuarded, recreateTerminal } from './korc/recreate-terminal.ts';

type CatalogContext = StepContext<ControlPlane, Services, { readonly passwordCloud: PasswordCloud }>;

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
  reads: [reads(User, (controlPlane) => [namesOf(controlPlane).user])],
  touches: [touched(Service, 'patch'), touched(Endpoint, 'patch')],
  async run(context) {
    const { object: controlPlane, get } = context;
    const names = namesOf(controlPlane);
    const found = { service: get(Service, names.identityService), endpoint: get(Endpoint, names.identityEndpoint) };
    const administrator = get(User, names.user)?.status?.id;
    if (await dropStale(found, administrator, context)) return waiting(rows.waiting());
    // What was noted stays: a stale entry that is guarded has to go later.
    const wanted = {
      service: identityService(controlPlane, administratorOf(found.service) ?? administrator),
      endpoint: identityEndpoint(controlPlane, administratorOf(found.endpoint) ?? administrator),
    };
    const service = await problemOf(Service, wanted.service, rows.serviceRefused, context);
    if (childState(get(Service, names.identityService), controlPlane) === 'leaving') {
      await removeEndpoint(context);
      return waiting(service ?? rows.waiting());
    }
    const endpoint = await problemOf(Endpoint, wanted.endpoint, rows.endpointRefused, context);
    // What K-ORC gave up on is more than a wait.
    const problems = [service, endpoint].filter((each) => each !== undefined);
    const problem = problems.find(({ reason }) => reason === 'CatalogFailed') ?? problems[0];
    return problem === undefined ? ready(rows.registered()) : waiting(problem);
  },
});

/**
 * Deletes the entries of a Keystone that is gone: K-ORC keeps their ids. Not when something of others holds the Service, which
 * would be Terminating for ever.
 *
 * @returns whether they have to go.
 */
async function dropStale(
  { service, endpoint }: { service: Service | undefined; endpoint: Endpoint | undefined },
  administrator: string | undefined,
  context: CatalogContext,
): Promise<boolean> {
  const { object: controlPlane, remove } = context;
  const isStale = [service, endpoint].some((each) => {
    const registered = childState(each, controlPlane) === 'own' ? administratorOf(each) : undefined;
    return administrator !== undefined && registered !== undefined && registered !== administrator;
  });
  if (!isStale || (service !== undefined && isGuarded(service, [Service, Endpoint]))) return false;
  await removeEndpoint(context);
  if (childState(service, controlPlane) === 'own') {
    await failOnError(
      (error) => rows.serviceRefused({ error }),
      () => remove(Service, namesOf(controlPlane).identityService),
    );
  }
  return true;
}

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
      await recreateTerminal(kind, live, needs.passwordCloud, context, { guards: [Endpoint] });
      return rows.failed({ kind: kind.kind, name, error });
    },
  );
}
