// SPDX-License-Identifier: Apache-2.0
import type { Volume } from '@forge/kube/generated/types.ts';
import { always, listed, sorted, type PodCheck } from './pod-check.ts';

/** No hostPath volumes. */
export const hostPathVolumes: PodCheck = always(({ spec: { volumes = [] } }) => {
  const names = volumes.filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  return names.length === 0 ? undefined : { reason: 'hostPath volumes', detail: listed('volume', names) };
});

const allowedTypes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Only allowed volume types. */
export const restrictedVolumes: PodCheck = {
  ...always(({ spec: { volumes = [] } }) => {
    const found = volumes.filter((volume) => !typesOf(volume).every((type) => allowedTypes.includes(type)));
    if (found.length === 0) return undefined;
    const names = found.map(({ name }) => name);
    const uses = names.length === 1 ? 'uses' : 'use';
    const types = listed('restricted volume type', sorted(found.flatMap(typesOf)));
    return { reason: 'restricted volume types', detail: `${listed('volume', names)} ${uses} ${types}` };
  }),
  replaces: hostPathVolumes,
};

function typesOf(volume: Volume): string[] {
  return Object.keys(volume).filter((field) => field !== 'name');
}
