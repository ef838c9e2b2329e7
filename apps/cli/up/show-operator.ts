// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Progress } from '../terminal/progress.ts';
import { follow } from './follow.ts';
import type { OperatorInstallation } from './install-operator.ts';
import { isLive } from './is-live.ts';

/** Shows what the operator's pods wait for, until a pod that was started after `since` is ready. */
export async function showOperatorUntilReady(
  kube: Client,
  { namespace, deployment }: Pick<OperatorInstallation, 'namespace' | 'deployment'>,
  { progress, since, signal }: { progress: Progress; since: number; signal: AbortSignal },
): Promise<void> {
  const { name } = deployment.metadata;
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const pods = new Map<string, Pod>();
  const deployments = new Map<string, Deployment>();

  function show(): void {
    const live = deployments.get(name);
    if (live === undefined) return;
    if (isLive(live, [...pods.values()], since)) {
      progress.done(name, 'is ready');
      return done.abort();
    }
    const own = [...pods.values()].filter(({ metadata }) => matchesLabelSelector(live.spec?.selector, metadata.labels));
    progress.doing(name, own.map(problemOf).find((problem) => problem !== undefined) ?? 'is starting');
  }

  await Promise.all([
    follow(kube, { kind: Pod, namespace, objects: pods }, show, either),
    follow(kube, { kind: Deployment, namespace, objects: deployments }, show, either),
  ]);
  signal.throwIfAborted();
}

/** Why a container of a pod is not running; undefined when it is running or has not been started yet. */
function problemOf({ metadata, status }: Pod): string | undefined {
  for (const { state } of status?.containerStatuses ?? []) {
    const { reason, message } = state?.waiting ?? {};
    if (reason !== undefined && message !== undefined) return `pod ${metadata.name}: ${reason}: ${message}`;
  }
  return undefined;
}
