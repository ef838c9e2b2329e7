// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { alone, escaped, reach, type Attempt } from './attempt.ts';

/** A claim; with a volume name and a status, one with a forged status. */
export function claim(name: string, volumeName?: string, phase?: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Mi' } },
      ...(volumeName !== undefined && { volumeName }),
    },
    ...(phase !== undefined && { status: { phase } }),
  };
}

function mounting(claimName: string, script: string) {
  return {
    ...alone(script, { volumeMounts: [{ name: 'data', mountPath: '/w' }] }),
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  };
}

/** Claims that name a volume of another claim. */
export const claimAttempts: readonly Attempt[] = [
  {
    name: 'a pending claim whose volume name contains ..',
    claims: () => [claim('climbing', '../../../../../../../../../../../..')],
    spec: () => mounting('climbing', reach('/w')),
    ends: /is not bound/,
  },
  {
    name: 'a claim whose volume name contains .., with a forged status Bound',
    claims: () => [claim('climbing-bound', '../../../../../../../../../../../..', 'Bound')],
    spec: () => mounting('climbing-bound', reach('/w')),
    ends: /is not a valid folder name/,
  },
  {
    name: "a pending claim that names another namespace's volume",
    claims: ({ otherVolume }) => [claim('foreign', otherVolume)],
    spec: () => mounting('foreign', `cat /w/private && echo ${escaped}`),
    ends: /is not bound/,
  },
  {
    name: "a claim that names another namespace's volume, with a forged status Bound",
    claims: ({ otherVolume }) => [claim('foreign-bound', otherVolume, 'Bound')],
    spec: () => mounting('foreign-bound', `cat /w/private && echo ${escaped}`),
    ends: /is not bound|no relationship found between node/,
  },
];
