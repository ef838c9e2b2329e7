// SPDX-License-Identifier: Apache-2.0
import { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { untilNextAvailable } from '../../objects/pod-state.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { claim, watchOrphans } from '../ownership/claim.ts';
import { ordinalOf } from './identity.ts';
import { nextActions } from './next-actions.ts';
import { perform } from './perform.ts';
import { ensureRevisions, pruneRevisions } from './revisions.ts';
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
    const claimed = await claim(Pod, StatefulSet, set, set.spec.selector, context);
    const pods = claimed.filter((pod) => ordinalOf(set, pod) !== undefined);
    const revisions = await ensureRevisions(set, context);
    const now = context.clock.now();
    const situation = {
      now,
      currentRevision: revisions.current.metadata.name,
      updateRevision: revisions.update.metadata.name,
    };
    for (const action of nextActions(set, pods, situation)) await perform(set, action, revisions, context);
    await writeStatus(context.client, StatefulSet, set, statefulSetStatus(set, pods, revisions, now));
    await pruneRevisions(set, revisions, pods, context);
    return untilNextAvailable(pods, set.spec.minReadySeconds ?? 0, now);
  },
};
