// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { PodSpec } from '@forge/kube/generated/types.ts';
import { CronJob, Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { StepControl } from '../scenario/scenario.ts';

/** What the command of a CronJob's pod has: its environment, its mounted Secrets, and the API as its ServiceAccount. */
export interface PlayedPod {
  readonly client: Client;
  readonly clock: Clock;
  /** The variables of the first container that have a value of their own or the namespace. */
  readonly variables: Readonly<Record<string, string>>;
  /** The files of a volume made from a Secret; throws when the pod has none of this name, or the Secret is not there. */
  readonly mounted: (volume: string) => Readonly<Record<string, string>>;
}

/**
 * Plays one run of a CronJob: `script` does what the command of its pod does, with the rights of its ServiceAccount. It
 * may start while the world stands still; let things happen with `during`.
 */
export async function playCronJob(
  { state, as, clock }: StepControl,
  ref: ObjectRef,
  script: (pod: PlayedPod) => Promise<unknown>,
): Promise<void> {
  const spec = state.find(CronJob, ref)?.spec;
  if (spec === undefined) throw new Error(`there is no CronJob ${ref.namespace}/${ref.name}`);
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
