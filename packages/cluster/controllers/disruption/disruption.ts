// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { LabelSelector } from '@forge/kube/generated/types.ts';
import { Deployment, Pod, PodDisruptionBudget, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { labelMatcher, matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import { goSelector } from '../../objects/go-selector.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { budgetStatus, failedStatus } from './budget-status.ts';
import { expectedPods, UnknownScale } from './expected-pods.ts';

/** The disruption controller: updates the status of every PodDisruptionBudget, which evictions are checked against. */
export const disruptionController: Controller = {
  // The source component of its Events in Kubernetes.
  name: 'controllermanager',
  for: PodDisruptionBudget,
  watches: [
    watch(Pod, (pod, { cache }) =>
      cache
        .list(PodDisruptionBudget, { namespace: pod.metadata.namespace })
        .filter(({ spec }) => matchesLabelSelector(spec?.selector, pod.metadata.labels))
        .map(refOf),
    ),
    // Watched for the cache only.
    watch(ReplicaSet, () => []),
    watch(Deployment, () => []),
  ],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const { cache, client, event } = context;
    const budget = cache.get(PodDisruptionBudget, ref);
    if (budget === undefined) return undefined;
    const isSelected = labelMatcher(budget.spec?.selector);
    const pods = cache.list(Pod, { namespace: ref.namespace }).filter(({ metadata }) => isSelected(metadata.labels));
    const { status, recheck, notes, notDeleted = [] } = await observe(budget, pods, context);
    // An unchanged status has been reported before.
    if (!isDeepStrictEqual(status, budget.status)) for (const note of notes) await event(budget, note);
    for (const pod of notDeleted) {
      // Kubernetes also prints the namespace twice.
      const message = `Pod was expected by PDB ${ref.namespace}/${ref.namespace} to be deleted but it wasn't`;
      await event(pod, { type: 'Warning', reason: 'NotDeleted', message });
    }
    await writeStatus(client, PodDisruptionBudget, budget, status);
    return recheck;
  },
};

interface Observed extends Partial<Omit<ReturnType<typeof budgetStatus>, 'status'>> {
  status: NonNullable<PodDisruptionBudget['status']>;
  notes: EventNote[];
}

/** The status and the Events about it; a budget that cannot be computed allows nothing. */
async function observe(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<Observed> {
  const now = context.clock.now();
  const noPods: EventNote = { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' };
  const notes = pods.length === 0 ? [noPods] : [];
  try {
    const { hasUnmanaged, ...expectation } = await expectedPods(budget, pods, context);
    if (hasUnmanaged) notes.push(unmanagedPods(budget.spec?.selector));
    return { ...budgetStatus(budget, pods, expectation, now), notes };
  } catch (error) {
    if (!(error instanceof UnknownScale)) throw error;
    const message = `Failed to calculate the number of expected pods: ${error.message}`;
    notes.push({ type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message });
    return { status: failedStatus(budget, error.message, now), notes };
  }
}

function unmanagedPods(selector: LabelSelector | undefined): EventNote {
  const message =
    `Pods selected by this PodDisruptionBudget (selector: ${goSelector(selector)}) were found to be unmanaged. ` +
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
  return { type: 'Warning', reason: 'UnmanagedPods', message };
}
