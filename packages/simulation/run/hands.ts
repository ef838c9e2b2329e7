// SPDX-License-Identifier: Apache-2.0
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { ownerUidsOf } from '@forge/runtime/objects/owner-reference.ts';
import type { Fault, Hand, HandAction } from '../faults/fault-plan.ts';
import type { Child } from '../faults/sweep.ts';
import { stableKey } from '../outcome/end-state.ts';
import type { SimulationContext } from '../process/simulation-context.ts';
import type { ClusterState } from '../scenario/cluster-state.ts';
import type { ManualChanges } from '../scenario/scenario.ts';

/** The kinds of children that the controllers own, and of those without an owner. */
function kindsOf({ controllers, unowned = [] }: ManualChanges): Kind[] {
  const owned = controllers.flatMap(({ owns = [] }) => owns.map((each) => ('plural' in each ? each : each.kind)));
  return [...owned, ...unowned.map(({ kind }) => kind)];
}

/** The children of resources at the start and at the end of a run. */
export function childrenIn(start: Snapshot, end: Snapshot, hands: ManualChanges): Child[] {
  const snapshots = [start, end];
  const all = (kind: Kind) => snapshots.flatMap(({ objects }) => [...objects.withPrefix(`${resourceName(kind)}/`)]);
  const owners = new Set(
    hands.controllers.flatMap((each) => all(each.for)).map(({ value }) => value.metadata.uid ?? ''),
  );
  const isUnowned = (key: string) => hands.unowned?.some(({ keys }) => keys.test(key)) === true;
  const children = kindsOf(hands)
    .flatMap(all)
    .filter(({ key, value }) => ownerUidsOf(value).some((uid) => owners.has(uid)) || isUnowned(key));
  const keys = [...new Set(children.map(({ key }) => key))].toSorted();
  return keys.map((key) => ({ key, isAtStart: start.objects.get(key) !== undefined }));
}

/** The manual changes of a run, and what they have destroyed. */
export interface Hands {
  act: SimulationContext['act'];
  /** The keys of objects whose data cannot be restored. */
  readonly lost: ReadonlySet<string>;
  /**
   * The stable keys of objects that a deletion orphaned, or that were deleted with an owner that is created only once.
   */
  readonly dependents: ReadonlySet<string>;
}

/** Performs manual changes of children; missing objects are skipped, and rejected edits are ignored. */
export function handsOf(context: SimulationContext, cluster: ClusterState, options: ManualChanges): Hands {
  const kinds = new Map(kindsOf(options).map((kind) => [resourceName(kind), kind]));
  const lost = new Set<string>();
  const dependents = new Set<string>();
  const user = client(
    inProcessTransport({
      handle(request) {
        context.writer = 'user';
        return context.server.handle(request);
      },
    }),
  );

  async function edit(kind: Kind, ref: ObjectRef, patch: object): Promise<void> {
    try {
      await user.patch(kind, ref, 'merge', patch);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** With their own dependents, and the Endpoints of Services, which have no owner. */
  function dependentsOf({ metadata: { uid } }: KubeObject): string[] {
    const all = [...context.server.store.current.objects.withPrefix('')];
    const owned = all.filter(({ value }) => value.metadata.ownerReferences?.some((owner) => owner.uid === uid));
    return owned.flatMap((each) => [
      stableKey(each),
      each.key.replace(/^services\//, 'endpoints/'),
      ...dependentsOf(each.value),
    ]);
  }

  return {
    lost,
    dependents,
    async act(hand) {
      const { on, does } = hand;
      const [resource = '', namespace = '', name = ''] = on.split('/');
      const kind = kinds.get(resource);
      const live = context.server.store.current.objects.get(on)?.value;
      if (kind === undefined || live === undefined) return;
      context.note(`hand: ${does} ${on}`);
      context.markActivity();
      if (options.destroysData?.(hand, cluster) === true) lost.add(on);
      if (does === 'Orphan' || (isDeletion(does) && options.createdOnce?.test(on) === true))
        for (const key of dependentsOf(live)) dependents.add(key);
      const ref = { namespace, name };
      if (isDeletion(does)) await user.delete(kind, ref, { propagation: does });
      else for (const patch of does === 'unlabel' ? [withoutLabels] : emptied(live)) await edit(kind, ref, patch);
    },
  };
}

function isDeletion(does: HandAction): does is Exclude<HandAction, 'unlabel' | 'empty'> {
  return does !== 'unlabel' && does !== 'empty';
}

const withoutLabels = { metadata: { labels: null } };

/** Patches that remove the data, or else each field of the spec. */
function emptied(live: KubeObject): object[] {
  const { data, spec = {} } = live as { data?: object; spec?: object };
  return data === undefined ? Object.keys(spec).map((field) => ({ spec: { [field]: null } })) : [{ data: null }];
}

/** The manual changes in a plan. */
export function handsIn(faults: readonly Fault[]): (Hand & Fault)[] {
  return faults.filter((fault) => fault.fault === 'hand');
}

/**
 * Which objects may differ after manual changes: orphans, objects that are created only once and their dependents, and
 * those that `mayDifferAfter` names.
 */
export function mayDifferAfterHands(
  faults: readonly Fault[],
  { createdOnce, mayDifferAfter }: ManualChanges,
  { dependents }: Hands,
): (key: string) => boolean {
  // At rest it is in use, and recreated; later it may only be history, which is not recreated.
  const isOnce = ({ on, does, at }: Hand & Fault) => createdOnce?.test(on) === true && (at > 0 || does === 'unlabel');
  const hands = handsIn(faults);
  return (key) =>
    dependents.has(key.replace(/\*+$/, '*')) ||
    hands.some((hand) => (hand.on === key && isOnce(hand)) || mayDifferAfter?.(hand.on, hand)?.test(key) === true);
}

/** Objects that have data again although it was lost: new keys cannot decrypt what the lost ones encrypted. */
export function restoredWithNewData(end: Snapshot, lost: ReadonlySet<string>): string[] {
  const dataOf = (key: string) => (end.objects.get(key)?.value as { data?: object } | undefined)?.data ?? {};
  return [...lost]
    .filter((key) => Object.keys(dataOf(key)).length > 0)
    .map((key) => `${key} has data again although the original data was lost`);
}
