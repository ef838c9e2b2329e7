// SPDX-License-Identifier: Apache-2.0
// The catalog tells clients where Keystone is: a Service and an Endpoint of K-ORC stand for the two entries. With a revoked
// credential Keystone answers as if the entries did not exist, and K-ORC would believe it. So their specs are changed only
// while the Secret that K-ORC logs in with holds the current credential.
//
// K-ORC keeps the id of an entry for ever. Each entry therefore notes the administrator whom it was registered under; when
// that is another one by now, Keystone was replaced, and both are deleted to be registered again: the Endpoint first, since
// it guards the Service. Where other objects of K-ORC guard the Service by finalizers, the entries stay, and the condition
// names the finalizers. An entry that K-ORC gave up on is created again.
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { ContextOf } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import { catalogReady as cases } from '../conditions/catalog.ts';
import { childState } from '../objects/child-state.ts';
import { administratorOf, identityEndpoint, identityService } from '../objects/korc/catalog.ts';
import { isCurrentlyAvailable, terminalError, type KorcObject } from '../objects/korc/korc-object.ts';
import { adminCredential } from './admin-credential.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import { guardsOf, recreateTerminal } from './korc/recreate-terminal.ts';
import { passwordCloud } from './password-cloud.ts';
import { step } from './step.ts';

type CatalogContext = ContextOf<typeof step, { passwordCloud: typeof passwordCloud }>;

/** Registers the identity service and its public endpoint. */
export const catalog = step({
  name: 'Catalog',
  condition: 'CatalogReady',
  needs: { adminCredential, passwordCloud },
  skipped: { adminCredential: cases.waitingForAdminCredential() },
  owns: [owned(Service, ['apply', 'remove']), owned(Endpoint, ['apply', 'remove'])],
  reads: [reads(User, (controlPlane) => [namesOf(controlPlane).user])],
  modifies: [modified(Service, 'patch'), modified(Endpoint, 'patch')],
  async run(context) {
    const { object: controlPlane, get } = context;
    const names = namesOf(controlPlane);
    const found = { service: get(Service, names.identityService), endpoint: get(Endpoint, names.identityEndpoint) };
    const administrator = get(User, names.user)?.status?.id;
    const isStale = Object.values(found).some((each) => isOfAnother(each, administrator, controlPlane));
    const guards = isStale && found.service ? guardsOf(found.service, [Service, Endpoint]) : [];
    if (isStale && guards.length === 0) {
      await removeEntries(found, context);
      return waiting(cases.waiting());
    }
    // The annotation stays: a stale entry that is guarded must be deleted later.
    const wanted = {
      service: identityService(controlPlane, administratorOf(found.service) ?? administrator),
      endpoint: identityEndpoint(controlPlane, administratorOf(found.endpoint) ?? administrator),
    };
    const service = await problemOf(Service, wanted.service, cases.serviceRefused, context);
    if (childState(get(Service, names.identityService), controlPlane) === 'terminating') {
      await removeEndpoint(context);
      return waiting(service ?? cases.waiting());
    }
    const endpoint = await problemOf(Endpoint, wanted.endpoint, cases.endpointRefused, context);
    const stale = isStale ? cases.stale({ name: names.identityService, guards: guards.join(', ') }) : undefined;
    // A terminal error of K-ORC is reported rather than a wait.
    const problems = [stale, service, endpoint].filter((each) => each !== undefined);
    const problem = problems.find(({ reason }) => reason === 'CatalogFailed') ?? problems[0];
    return problem === undefined ? ready(cases.registered()) : waiting(problem);
  },
});

/** Whether an entry belongs to a Keystone with another administrator, which no longer exists: K-ORC keeps its id. */
function isOfAnother(
  entry: Service | Endpoint | undefined,
  administrator: string | undefined,
  controlPlane: ControlPlane,
): boolean {
  const registered = childState(entry, controlPlane) === 'own' ? administratorOf(entry) : undefined;
  return administrator !== undefined && registered !== undefined && registered !== administrator;
}

/** Deletes the entries: the next pass registers others. */
async function removeEntries({ service }: { service: Service | undefined }, context: CatalogContext): Promise<void> {
  const { object: controlPlane, remove } = context;
  await removeEndpoint(context);
  if (childState(service, controlPlane) !== 'own') return;
  await failOnError(
    (error) => cases.serviceRefused({ error }),
    () => remove(Service, namesOf(controlPlane).identityService),
  );
}

/** Deletes the Endpoint first: it guards the Service. In Keystone both entries stay. */
async function removeEndpoint(context: CatalogContext): Promise<void> {
  const { identityEndpoint: name, cloudsYaml } = namesOf(context.object);
  const found = context.get(Endpoint, name);
  if (found === undefined) return;
  await failOnError(
    (error) => cases.endpointRefused({ error }),
    () => withCurrentLogin(Endpoint, found, cloudsYaml, context),
  );
  await context.remove(Endpoint, name);
}

/** Applies an entry; returns why it is not in the catalog as its current spec asks. */
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
      if (found !== undefined && childState(found, controlPlane) === 'terminating') {
        await withCurrentLogin(kind, found, namesOf(controlPlane).cloudsYaml, context);
        return cases.waiting();
      }
      const live = await apply(wanted);
      const error = terminalError(live);
      if (error === undefined) return isCurrentlyAvailable(live) ? undefined : cases.waiting();
      await recreateTerminal(kind, live, needs.passwordCloud, context, { guards: [Endpoint] });
      return cases.failed({ kind: kind.kind, name, error });
    },
  );
}
