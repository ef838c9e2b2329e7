// SPDX-License-Identifier: Apache-2.0
import { Deployment, type Pod } from '@forge/kube/kinds/builtin.ts';
import { namesOf } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import { apiPods, isRolledOut } from './rollout.ts';

/** Whether the Deployment has replaced every API pod by one of this image, and none of another is left. */
export async function isRolloutComplete(
  image: string,
  { object, get, fetchAll }: Pick<ContextWith, 'object' | 'get' | 'fetchAll'>,
): Promise<boolean> {
  const deployment = get(Deployment, namesOf(object).api);
  if (deployment === undefined || !isRolledOut(deployment)) return false;
  if (!runsOnly(image, deployment.spec?.template.spec)) return false;
  const pods = await fetchAll(apiPods);
  return pods.every((pod) => hasEnded(pod) || runsOnly(image, pod.spec));
}

function runsOnly(image: string, pod: Pod['spec']): boolean {
  return pod?.containers.every((container) => container.name !== 'keystone' || container.image === image) === true;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
