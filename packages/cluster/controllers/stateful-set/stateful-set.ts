// SPDX-License-Identifier: Apache-2.0
import { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { untilNextAvailable } from '../../objects/pod-state.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { claim, watchOrphans } from '../ownership/claim.ts';
import { ordinalOf } from './identity.ts';
import { nextActions } from './next-actions.ts';
import { performAll } from './perform.ts';
import { byRevision, ensureRevisions, pruneRevisions } from './revisions.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

/** The StatefulSet controller: pods with stable names and volumes, in order. */
export const statefulSetController: Controller = {
  name: 'statefulset-controller',
  for: StatefulSet,
  owns: [Pod, ControllerRevision],
  watches: [watchOrphans(Pod, StatefulSet), watch(PersistentVolumeClaim, () => [])],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const set = context.cache.get(StatefulSet, ref);
    if (set?.spec === undefined) return undefined;
    const { selector } = set.spec;
    const isMember = (pod: Pod): boolean => ordinalOf(set, pod) !== undefined;
    const history = (await claim(ControllerRevision, StatefulSet, set, selector, context)).toSorted(byRevision);
    const pods = await claim(Pod, StatefulSet, set, selector, context, isMember);
    const revisions = await ensureRevisions(set, history, context);
    const now = context.clock.now();
    const stages = nextActions(set, pods, {
      now,
      updateRevision: revisions.update.metadata.name,
      claimOf: (wanted) => context.cache.get(PersistentVolumeClaim, refOf(wanted)),
    });
    try {
      await performAll(set, stages, revisions, context);
    } finally {
      await writeStatus(context.client, StatefulSet, set, statefulSetStatus(set, pods, revisions, now));
      await pruneRevisions(set, history, revisions, pods, context);
    }
    return untilNextAvailable(pods, set.spec.minReadySeconds ?? 0, now);
  },
};
