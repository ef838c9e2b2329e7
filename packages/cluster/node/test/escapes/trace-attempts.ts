// SPDX-License-Identifier: Apache-2.0
import type { SystemCall } from '../../confinement/launcher.ts';
import { alone, escaped, scripted, type Attempt } from './attempt.ts';

const asRoot = { securityContext: { runAsUser: 0 } };
const rounds = 200;
const mostProcesses = 64;

/** PTRACE_SEIZE: traces a process, which goes on. */
const seize = (pid: number): SystemCall => ({
  number: { x64: 101, arm64: 117 },
  arguments: [0x4206, pid, 0, 0],
  mayFail: true,
});

/** Programs that trace what they can, and then execute their arguments. */
export const tracingCalls: Readonly<Record<string, readonly SystemCall[]>> = {
  'seize-all': Array.from({ length: rounds * mostProcesses }, (_, index) => seize(1 + (index % mostProcesses))),
};

/**
 * Shows what it traces: a process of its own container is fine, and RuntimeDefault allows it; but none that is about to
 * enter the container, and has privileges, no filter or a view of the host until then.
 */
const showTraced = `for p in /proc/[0-9]*; do
  grep -q "^TracerPid:.*[1-9]" $p/status || continue
  echo "traced $(cat $p/comm)"
  sed -n -e "/^Cap[IPEA].*:.*[1-9a-f]/s/^/${escaped} /p" -e "/^Seccomp:.*[01]$/s/^/${escaped} /p" $p/status
  tr "\\0" "\\n" < $p/environ | sed -n "/VICTIM/s/^/${escaped} /p"
  cat $p/root$HOST/secret $p/cwd$HOST/secret
done`;

/** Again and again, while commands enter the container. */
const trace = `for i in $(seq 30); do /trace/seize-all /bin/sh -c '${showTraced}'; done`;
const command = ['sh', '-c', 'sleep 0.05; false'];
const entering = { startupProbe: { exec: { command }, periodSeconds: 1, failureThreshold: 1000 } };

/** Attempts to trace processes. */
export const traceAttempts: readonly Attempt[] = [
  { name: 'processes, by ptrace', spec: () => alone(trace) },
  {
    name: 'processes, by ptrace, as root, while probes enter the container',
    spec: () => alone(`sleep 1000 & ${trace}`, { ...asRoot, ...entering }),
    ends: /^traced sleep[^]*attempted$/m,
  },
  {
    name: 'processes, by ptrace, as root, while an ephemeral container starts',
    spec: () => alone(trace, asRoot),
    ephemeral: { ...scripted('debug', trace, asRoot), targetContainerName: 'main' },
  },
];
