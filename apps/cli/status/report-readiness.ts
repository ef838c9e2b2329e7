// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import { conditionCatalogOf } from '../../../operators/operators.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Demo, OwnResource } from '../up/demo.ts';
import { follow } from '../up/follow.ts';
import { ownStatus } from './own-status.ts';
import { causeOf } from './summary.ts';

type State = 'ready' | 'not ready' | 'terminating';

/**
 * Reports each change of a resource of the demo's kinds, until the signal aborts: when it becomes unready and why, when
 * it is ready again, and when it is deleted. The demo's resources must be ready when this starts.
 */
export async function reportReadiness(
  kube: Client,
  { namespace, resources }: Demo,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const followed = resources.map(({ kind, name }) => {
    const known = new Map<string, State>([[name, 'ready']]);
    const changed = (type: string, object: OwnResource) => report(known, type, object, progress);
    return follow(kube, { kind, namespace, objects: new Map() }, changed, signal);
  });
  await Promise.all(followed);
}

function report(known: Map<string, State>, type: string, object: OwnResource, progress: Progress): void {
  const { name } = object.metadata;
  const before = known.get(name);
  if (type === 'DELETED') {
    known.delete(name);
    return progress.done(name, 'is deleted');
  }
  const now = stateOf(object);
  known.set(name, now);
  if (now === before) return undefined;
  if (now === 'terminating') return progress.doing(name, 'is being deleted');
  if (now === 'ready') return progress.done(name, 'is ready');
  if (before === 'ready') progress.doing(name, `is no longer ready: ${causeOf(ownStatus(object))}`);
  return undefined;
}

function stateOf({ kind, metadata, status }: OwnResource): State {
  if (metadata.deletionTimestamp !== undefined) return 'terminating';
  const ready = readinessOf(conditionCatalogOf(kind), status?.conditions);
  return ready.status === 'True' ? 'ready' : 'not ready';
}
