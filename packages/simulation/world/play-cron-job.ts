// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { PodSpec } from '@forge/kube/generated/types.ts';
import { CronJob, Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { StepControl } from '../scenario/scenario.ts';

/**
 * What the command of a CronJob's pod can use: its environment, its mounted Secrets, and the API as its ServiceAccount.
 */
export interface PlayedPod {
  readonly client: Client;
  readonly clock: Clock;
  /** The variables of the first container that have a literal value or the namespace. */
  readonly variables: Readonly<Record<string, string>>;
  /** The files of a Secret volume; throws when there is no such volume, or the Secret does not exist. */
  readonly mounted: (volume: string) => Readonly<Record<string, string>>;
}

/**
 * Simulates one run of a CronJob: `script` takes the place of the command of its pod, with the permissions of its
 * ServiceAccount. Outside of a user step, await it with `during`, which advances the world.
 */
export async function playCronJob(
  { state, as, clock }: StepControl,
  ref: ObjectRef,
  script: (pod: PlayedPod) => Promise<unknown>,
): Promise<void> {
  const spec = state.find(CronJob, ref)?.spec;
  if (spec === undefined) throw new Error(`CronJob ${ref.namespace}/${ref.name} does not exist`);
  if (spec.suspend === true) throw new Error(`CronJob ${ref.namespace}/${ref.name} is suspended`);
  const pod = spec.jobTemplate.spec?.template.spec ?? { containers: [] };
  const { namespace = '' } = ref;
  const account = pod.serviceAccountName ?? 'default';
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  await script({
    client: as({ name: `system:serviceaccount:${namespace}:${account}`, groups }),
    clock,
    variables: variablesOf(pod, namespace),
    mounted(volume) {
      const name = pod.volumes?.find((each) => each.name === volume)?.secret?.secretName;
      const secret = name === undefined ? undefined : state.find(Secret, { namespace, name });
      if (secret === undefined) throw new Error(`the pod of CronJob ${ref.name} cannot mount volume ${volume}`);
      const files = Object.entries(secret.data ?? {});
      return Object.fromEntries(files.map(([file, content]) => [file, Buffer.from(content, 'base64').toString()]));
    },
  });
}

function variablesOf({ containers }: PodSpec, namespace: string): Record<string, string> {
  const variables = (containers[0]?.env ?? []).flatMap(({ name, value, valueFrom }) => {
    const text = valueFrom?.fieldRef?.fieldPath === 'metadata.namespace' ? namespace : value;
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(variables);
}
