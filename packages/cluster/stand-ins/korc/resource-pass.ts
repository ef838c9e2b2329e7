// SPDX-License-Identifier: Apache-2.0
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { releaseObject } from '@forge/runtime/controller/finalizers.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import type { Actuator, Remote, Work } from './actuator.ts';
import type { AuthenticatedClients } from './authenticated-clients.ts';
import { authenticate, findDependencies } from './dependencies.ts';
import { withKorcFinalizer } from './korc-finalizer.ts';
import { finalizerOf, isManaged, type KorcObject } from './korc-object.ts';
import { TerminalError, Waiting } from './outcome.ts';

/** One reconcile of an object; its fields become the status when it ends, with or without an error. */
export interface ResourcePass<T extends KorcObject> {
  readonly object: T;
  readonly context: ReconcileContext;
  /** The resource as fetched in this reconcile. */
  remote: Remote | undefined;
  id: string | undefined;
  /** Whether `status.resource` is updated to the fetched resource. */
  isObserved: boolean;
  /** Saves the id before any further action. */
  saveId(): Promise<void>;
}

const importPoll = seconds(15);
const deletePoll = seconds(1);

/** Creates, adopts or imports the resource, and changes fields that differ; throws when it is not up to date. */
export async function ensureResource<T extends KorcObject>(
  actuator: Actuator<T>,
  clients: AuthenticatedClients,
  pass: ResourcePass<T>,
): Promise<void> {
  const { object, context } = pass;
  const { kind } = actuator;
  const identity = await authenticate(kind, object, clients, context);
  await withKorcFinalizer(kind, object, kind, context);
  const work = { object, identity, context };
  const remote = pass.id === undefined ? await findOrCreate(actuator, work) : await refetch(actuator, work, pass);
  pass.remote = remote;
  if (pass.id !== remote.id) {
    pass.id = remote.id;
    await pass.saveId();
  }
  if (isManaged(object) && actuator.update !== undefined) {
    const isChanged = await actuator.update(work, remote);
    pass.isObserved = true;
    if (isChanged) throw new Waiting(['Resource status will be refreshed'], now);
  }
  pass.isObserved = true;
}

/** The resource with the id in the status; if it was deleted, it is created again, unless it was imported. */
async function refetch<T extends KorcObject>(
  actuator: Actuator<T>,
  work: Work<T>,
  pass: ResourcePass<T>,
): Promise<Remote> {
  const remote = await actuator.get(work, pass.id ?? '');
  if (remote !== undefined) return remote;
  if (!isManaged(pass.object)) {
    throw new TerminalError('UnrecoverableError', 'resource has been deleted from OpenStack');
  }
  pass.id = undefined;
  throw new Waiting(['OpenStack resource was deleted externally; will recreate on next reconcile'], now);
}

async function findOrCreate<T extends KorcObject>(actuator: Actuator<T>, work: Work<T>): Promise<Remote> {
  const { object, context } = work;
  const { id, filter } = object.spec.import ?? {};
  if (id !== undefined) {
    const remote = await actuator.get(work, id);
    if (remote !== undefined) return remote;
    throw new TerminalError('UnrecoverableError', 'referenced resource does not exist in OpenStack');
  }
  if (filter !== undefined) {
    const dependencies = await findDependencies(object, actuator.filterReferences(object), context);
    const remote = onlyOne(await listed(actuator.listForImport(work, dependencies)), 'import');
    if (remote !== undefined) return remote;
    throw new Waiting(['Waiting for OpenStack resource to be created externally'], importPoll);
  }
  const dependencies = await findDependencies(object, actuator.references(object), context, actuator.kind);
  const adopted = onlyOne(await listed(actuator.listForAdoption(work, dependencies)), 'adoption');
  if (adopted !== undefined) return adopted;
  return await actuator.create(work, dependencies);
}

/** Like K-ORC, treats a failed list as empty. */
function listed(list: Promise<Remote[]>): Promise<Remote[]> {
  return list.catch(() => []);
}

function onlyOne(found: readonly Remote[], purpose: 'import' | 'adoption'): Remote | undefined {
  if (found.length <= 1) return found[0];
  const message = `found more than one matching OpenStack resource during ${purpose}`;
  throw new TerminalError('InvalidConfiguration', message);
}

/** Deletes the resource, unless it is detached or imported, and removes the finalizer; throws until it is deleted. */
export async function deleteResource<T extends KorcObject>(
  actuator: Actuator<T>,
  clients: AuthenticatedClients,
  pass: ResourcePass<T>,
): Promise<void> {
  const { object, context } = pass;
  const { kind } = actuator;
  const own = finalizerOf(kind);
  const identity = await authenticate(kind, object, clients, context);
  const work = { object, identity, context };
  if (pass.id !== undefined) pass.remote = await actuator.get(work, pass.id);
  const others = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== own);
  if (others.length > 0) throw new Waiting(others.map((each) => `Waiting for finalizer ${each} to be removed`));
  const isKept = !isManaged(object) || object.spec.managedOptions?.onDelete === 'detach';
  if (!isKept) {
    const found = pass.id === undefined ? await adoptable(actuator, work) : pass.remote;
    if (found !== undefined) {
      const references = actuator.deleteReferences?.(object) ?? [];
      await actuator.delete(work, found, await findDependencies(object, references, context));
      throw new Waiting(['Waiting for OpenStack resource to be deleted'], deletePoll);
    }
  }
  await releaseObject(kind, object, { finalizers: (finalizer) => finalizer === own }, context);
}

/** The resource that an object without an id would adopt: one that was created, but whose id was not saved. */
async function adoptable<T extends KorcObject>(actuator: Actuator<T>, work: Work<T>): Promise<Remote | undefined> {
  try {
    const dependencies = await findDependencies(work.object, actuator.references(work.object), work.context);
    return onlyOne(await listed(actuator.listForAdoption(work, dependencies)), 'adoption');
  } catch (error) {
    // Without its dependencies, nothing was created.
    if (error instanceof Waiting) return undefined;
    throw error;
  }
}
