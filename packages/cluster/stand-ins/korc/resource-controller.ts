// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { watch, type Controller, type ReconcileContext, type Watch } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import type { Actuator } from './actuator.ts';
import type { AuthenticatedClients } from './authenticated-clients.ts';
import { fieldManagerOf, finalizerOf, type KorcObject, type Reference } from './korc-object.ts';
import { conditionsAfter, isSettled, TerminalError, Waiting } from './outcome.ts';
import { deleteResource, ensureResource, type ResourcePass } from './resource-pass.ts';

/** The controller of one kind; `targets` are the kinds that its objects refer to. */
export function resourceController<T extends KorcObject>(
  actuator: Actuator<T>,
  clients: AuthenticatedClients,
  targets: readonly Kind<KorcObject>[],
): Controller {
  const { kind } = actuator;

  async function run(pass: ResourcePass<T>): Promise<Duration | undefined> {
    const isDeleting = pass.object.metadata.deletionTimestamp !== undefined;
    const work = (isDeleting ? deleteResource : ensureResource)(actuator, clients, pass);
    const failure = await work.then(
      () => undefined,
      (error: unknown) => error ?? new Error('unknown error'),
    );
    // An error of the API server says nothing about the resource.
    if (isApiError(failure)) throw failure;
    if (isDeleting && failure === undefined) return undefined;
    await report(pass, failure);
    if (failure === undefined) return untilResync(pass.object, pass.context);
    if (failure instanceof Waiting) return failure.recheck;
    if (failure instanceof TerminalError) return undefined;
    throw failure;
  }

  async function report({ object, context, remote, id, isObserved }: ResourcePass<T>, error: unknown): Promise<void> {
    const outcome = { error, isKnown: remote !== undefined, id };
    const conditions = conditionsAfter(object, outcome, context.clock);
    const resource = isObserved && remote !== undefined ? actuator.observe(remote, object) : object.status?.resource;
    const isVanished = id === undefined && object.status?.id !== undefined;
    const synced = error === undefined ? timestamp(context.clock) : object.status?.lastSyncTime;
    await writeStatus(kind, object, context, {
      conditions,
      ...(id !== undefined && { id }),
      ...(resource !== undefined && !isVanished && { resource }),
      ...(synced !== undefined && { lastSyncTime: synced }),
    });
  }

  return {
    name: `korc-${kind.singular}-controller`,
    for: kind,
    watches: [watch(Secret, dependents(kind, secretsOf(actuator))), ...targets.map(watchTarget(actuator))],
    async reconcile(ref, context) {
      const object = context.cache.get(kind, ref);
      if (object === undefined) return undefined;
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      if (deletionTimestamp !== undefined && !finalizers.includes(finalizerOf(kind))) return undefined;
      if (deletionTimestamp === undefined && isSettled(object)) {
        const left = untilResync(object, context);
        if (left === undefined || left > 0) return left;
      }
      const { id } = object.status ?? {};
      const pass: ResourcePass<T> = {
        object,
        context,
        remote: undefined,
        id,
        isObserved: false,
        saveId: () => writeId(kind, object, context, pass.id ?? null),
      };
      return await run(pass);
    },
  };
}

/** The time until an up-to-date object is resynced; undefined for never, the default. */
function untilResync({ spec, status }: KorcObject, { clock }: ReconcileContext): Duration | undefined {
  const period = parseDuration(spec.resyncPeriod ?? '');
  if (period === undefined || period === 0) return undefined;
  const progressing = conditionOf(status?.conditions, 'Progressing');
  if (progressing !== undefined && progressing.reason !== 'Success') return undefined;
  return milliseconds(Date.parse(status?.lastSyncTime ?? timestamp(clock)) + period - clock.now());
}

/** Writes only the id; like K-ORC with a separate patch, so that a status applied without it does not clear it. */
async function writeId<T extends KorcObject>(
  kind: Kind<T>,
  object: T,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  id: string | null,
): Promise<void> {
  const { uid } = object.metadata;
  await client.patch(
    kind,
    refOf(object),
    'merge',
    { metadata: { uid }, status: { id } },
    { subresource: 'status', signal },
  );
}

/** Applies the status of exactly this object, in any version, since there is no other writer. */
async function writeStatus<T extends KorcObject>(
  kind: Kind<T>,
  object: T,
  { cache, client, signal }: ReconcileContext,
  status: NonNullable<KorcObject['status']>,
): Promise<void> {
  const { apiVersion, metadata } = object;
  if (jsonEqual(cache.get(kind, refOf(object))?.status, status)) return;
  const applied: KubeObject & { status: object } = {
    apiVersion,
    kind: kind.kind,
    metadata: { ...refOf(object), ...(metadata.uid !== undefined && { uid: metadata.uid }) } as KubeObject['metadata'],
    status,
  };
  const isVanished = status.id === undefined && object.status?.id !== undefined;
  if (isVanished) await writeId(kind, object, { client, signal }, null);
  const fieldManager = fieldManagerOf(kind, 'status');
  await client.apply<KubeObject>(kind, applied, { subresource: 'status', fieldManager, force: true, signal });
}

/** The Secrets that an object reads. */
function secretsOf<T extends KorcObject>(actuator: Actuator<T>): (object: T) => readonly string[] {
  return (object) => [object.spec.cloudCredentialsRef.secretName, ...(actuator.secrets?.(object) ?? [])];
}

function watchTarget<T extends KorcObject>(actuator: Actuator<T>): (target: Kind<KorcObject>) => Watch {
  return (target) => {
    const names = (references: readonly Reference[]) =>
      references.filter(({ kind }) => kind === target).map(({ name }) => name);
    return watch(
      target,
      dependents(actuator.kind, (object) =>
        names([...actuator.references(object), ...actuator.filterReferences(object)]),
      ),
    );
  };
}

/** Maps a target to the objects of the kind that name it. */
function dependents<T extends KorcObject>(kind: Kind<T>, namesOf: (object: T) => readonly string[]) {
  return ({ metadata }: KubeObject, { cache }: Pick<ReconcileContext, 'cache'>): ObjectRef[] =>
    cache
      .list(kind, { namespace: metadata.namespace })
      .filter((object) => namesOf(object).includes(metadata.name))
      .map(refOf);
}
