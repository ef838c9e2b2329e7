// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import { afterInit, alone, atV, escaped, reach, scripted, type Attempt } from './attempt.ts';
import { claim } from './claim-attempts.ts';

const leavesVolume = /leaves the volume/;

function subPath(path: string): Partial<Container> {
  return { volumeMounts: [{ ...atV, mountPath: '/w', subPath: path }] };
}

/** Paths chosen by a pod, which also prepares the links on them. */
export const pathAttempts: readonly Attempt[] = [
  {
    name: 'a subPath that is a link to the root folder',
    spec: () => afterInit('ln -s / /v/esc', reach('/w'), subPath('esc')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath through a link to the root folder',
    spec: ({ folder }) => afterInit('ln -s / /v/esc', 'cat /w/secret', subPath(`esc${folder}`)),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that is a link to a file of the host',
    spec: () => afterInit('ln -s $HOST/secret /v/esc', 'cat /w', subPath('esc')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that is a relative link to a parent folder',
    spec: () => afterInit('ln -s ../../../../../../../../../../.. /v/esc', reach('/w'), subPath('esc')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that is a link to another volume of the pod',
    spec: () => afterInit('ln -s .. /v/esc', 'ls /w/shared && echo ESCAPED', subPath('esc')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that is a chain of links',
    spec: () => afterInit('mkdir /v/a; ln -s ../b /v/a/c; ln -s a/../.. /v/b', reach('/w'), subPath('a/c')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath below a link to a folder that does not exist yet',
    spec: () => afterInit('ln -s $UNTOUCHED /v/esc', 'true', subPath('esc/made')),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that contains ..',
    spec: () => afterInit('true', reach('/w'), subPath('../../../../../../../../..')),
    ends: /must not contain '\.\.'/,
  },
  {
    name: 'a subPathExpr whose variable contains ..',
    spec: () =>
      afterInit('true', reach('/w'), {
        env: [{ name: 'UP', value: '../../../../../../../../..' }],
        volumeMounts: [{ ...atV, mountPath: '/w', subPathExpr: '$(UP)' }],
      }),
    ends: /must not contain '\.\.'/,
  },
  {
    name: 'a subPathExpr whose variable names a link',
    spec: () =>
      afterInit('ln -s / /v/esc', reach('/w'), {
        env: [{ name: 'LINK', value: 'esc' }],
        volumeMounts: [{ ...atV, mountPath: '/w', subPathExpr: '$(LINK)' }],
      }),
    ends: leavesVolume,
  },
  {
    name: 'a subPath of a claim that is a link to the root folder',
    claims: () => [claim('links')],
    spec: () => ({
      ...afterInit('ln -s / /v/esc', reach('/w'), subPath('esc')),
      volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'links' } }],
    }),
    ends: leavesVolume,
  },
  {
    name: 'a subPath that changes between the check and the mount',
    spec: () => ({
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [scripted('prepare', 'mkdir /v/x', { volumeMounts: [atV] })],
      containers: [
        scripted('change', exchange('/'), { volumeMounts: [atV] }),
        ...concurrentContainers((name) => scripted(name, reach('/w'), subPath('x'))),
      ],
    }),
    ends: /^swapped$/m,
  },
  {
    name: 'a mount point that changes between the check and the mount',
    spec: () => ({
      volumes: [
        { name: 'shared', emptyDir: {} },
        { name: 'other', emptyDir: {} },
      ],
      initContainers: [scripted('prepare', 'mkdir /v/x', { volumeMounts: [atV] })],
      containers: [
        scripted('change', exchange('/oldroot$UNTOUCHED'), { volumeMounts: [atV] }),
        ...concurrentContainers((name) =>
          scripted(name, 'true', { volumeMounts: [atV, { name: 'other', mountPath: `/v/x/${name}` }] }),
        ),
      ],
    }),
    ends: /^swapped$/m,
  },
  ...['', '/oldroot', '/proc/1/root'].map((prefix): Attempt => ({
    name: `a mount point behind a link to ${prefix}/… in another volume`,
    spec: () => ({
      ...afterInit(`ln -s ${prefix}$UNTOUCHED /v/esc`, 'ls /v/esc/made', {
        volumeMounts: [atV, { name: 'other', mountPath: '/v/esc/made' }],
      }),
      volumes: [
        { name: 'shared', emptyDir: {} },
        { name: 'other', emptyDir: {} },
      ],
    }),
    ends: /^attempted$/m,
  })),
  {
    name: 'a termination log behind a link in a volume',
    spec: () =>
      afterInit('ln -s /oldroot$UNTOUCHED /v/esc', 'echo x > /v/esc/made', {
        volumeMounts: [atV],
        terminationMessagePath: '/v/esc/made',
      }),
  },
  {
    name: 'a termination log that is a link to the secret',
    spec: () =>
      afterInit('ln -s $HOST/secret /v/esc', 'cat /v/esc', {
        volumeMounts: [atV],
        terminationMessagePath: '/v/esc',
      }),
  },
  {
    name: 'a working directory behind a link in a volume',
    spec: () =>
      afterInit('ln -s /oldroot$UNTOUCHED /v/esc', 'pwd', {
        volumeMounts: [atV],
        workingDir: '/v/esc/made',
      }),
  },
  {
    name: 'a working directory that is an open file of the runtime',
    spec: () => ({
      containers: openFiles((index) =>
        scripted(`fd${index}`, reach('../../../../../../..'), { workingDir: `/proc/self/fd/${index}` }),
      ),
    }),
    ends: /nsenter: .*\/fd/,
  },
  {
    name: 'a working directory behind a link to an open file of the runtime',
    spec: () => ({
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [
        scripted('prepare', 'for i in $(seq 3 12); do ln -s /proc/self/fd/$i /v/fd$i; done', { volumeMounts: [atV] }),
      ],
      containers: openFiles((index) => ({
        ...scripted(`fd${index}`, reach('../../../../../../..'), { volumeMounts: [atV] }),
        workingDir: `/v/fd${index}`,
      })),
    }),
    ends: /nsenter: .*\/fd/,
  },
  {
    name: 'a command behind an open file of the runtime',
    spec: () => ({
      containers: openFiles((index) => ({
        ...scripted(`fd${index}`, ''),
        command: [`/proc/self/fd/${index}/../bin/sh`, '-c', `echo ${escaped}`],
      })),
    }),
    ends: /execvp/,
  },
  {
    name: 'a volume over /proc',
    spec: () => afterInit('true', 'true', { volumeMounts: [{ ...atV, mountPath: '/proc/sys' }] }),
    ends: /cannot be mounted at \/proc/,
  },
  {
    name: 'a volume over the root folder',
    spec: () => afterInit('ln -s /oldroot /v/dev', 'true', { volumeMounts: [{ ...atV, mountPath: '/' }] }),
    ends: /cannot be mounted at \//,
  },
  {
    name: 'a folder of the host',
    spec: () => ({
      ...alone(reach('/w'), { volumeMounts: [{ name: 'host', mountPath: '/w' }] }),
      volumes: [{ name: 'host', hostPath: { path: '/' } }],
    }),
    ends: /does not support volumes of .*hostPath/,
  },
  {
    name: 'an item of a projected volume whose path contains ..',
    spec: () => ({
      ...alone('true', { volumeMounts: [{ name: 'fields', mountPath: '/w' }] }),
      volumes: [
        {
          name: 'fields',
          projected: { sources: [{ downwardAPI: { items: [{ path: '../../climbed', fieldRef: nameField }] } }] },
        },
      ],
    }),
    ends: /\.\./,
  },
  {
    name: 'an item of a downward API volume whose path contains ..',
    spec: () => ({
      ...alone('true', { volumeMounts: [{ name: 'fields', mountPath: '/w' }] }),
      volumes: [{ name: 'fields', downwardAPI: { items: [{ path: 'a/../../../climbed', fieldRef: nameField }] } }],
    }),
    ends: /\.\./,
  },
];

const nameField = { fieldPath: 'metadata.name' };

/** Alternates /v/x between a folder and a link, until the others have started. */
function exchange(target: string): string {
  return `for i in $(seq 400); do rm -rf /v/x; ln -s ${target} /v/x; rm /v/x; mkdir /v/x; done; echo swapped`;
}

/** A container for each possible descriptor of the runtime. */
function openFiles(container: (descriptor: number) => Container): Container[] {
  return Array.from({ length: 10 }, (_, index) => container(index + 3));
}

function concurrentContainers(container: (name: string) => Container): Container[] {
  return Array.from({ length: 12 }, (_, index) => container(`racer${index}`));
}
