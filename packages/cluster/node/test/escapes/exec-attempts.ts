// SPDX-License-Identifier: Apache-2.0
import { alone, reach, scripted, type Attempt } from './attempt.ts';
import { makeCalls } from './call-attempts.ts';
import { atRo, itsOwnProgram, kernelFiles, mounts, namespaces, readOnlyVolume } from './process-attempts.ts';

const waiting = () => ({
  ...alone('sleep 300', { securityContext: { runAsUser: 0 }, volumeMounts: [atRo] }),
  volumes: [readOnlyVolume],
});
const commandOf = (script: string) => scripted('exec', script).command ?? [];

const scripts: Readonly<Record<string, string>> = {
  "the kernel's files in /proc": kernelFiles,
  namespaces,
  'mounts and device files': mounts,
  'system calls': makeCalls,
  'paths of the host, and the folders of processes': [
    reach(''),
    ...['/proc/self', '/proc/1', '/proc/$$', '/proc/$PPID'].flatMap((of) => [reach(`${of}/root`), reach(`${of}/cwd`)]),
  ].join('\n'),
};

/** Attempts of commands that kubectl runs in a container, with pipes or at a terminal. */
export const execAttempts: readonly Attempt[] = [
  ...Object.entries(scripts).flatMap(([what, script]) => [
    { name: `${what}, by kubectl exec`, spec: waiting, exec: { command: commandOf(script) } },
    {
      name: `${what}, by kubectl exec at a terminal`,
      spec: waiting,
      exec: { command: commandOf(script), atTerminal: true },
    },
  ]),
  { name: 'the program that kubectl exec enters by', spec: waiting, exec: { command: itsOwnProgram } },
];
