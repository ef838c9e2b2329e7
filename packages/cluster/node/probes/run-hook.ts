// SPDX-License-Identifier: Apache-2.0
import type { LifecycleHandler } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { portOf, statusOf, type ProbeTarget } from './check-probe.ts';

interface HookTarget extends ProbeTarget {
  pod: Pod;
  clock: Clock;
}

/** Runs a lifecycle hook with a timeout in milliseconds; returns the kubelet's message when it fails. */
export async function runHook(
  hook: LifecycleHandler,
  target: HookTarget,
  timeout: number,
): Promise<string | undefined> {
  const { exec, httpGet } = hook;
  const { namespace, name, uid } = target.pod.metadata;
  const subject = `for Container "${target.container.name}" in Pod "${name}_${namespace}(${uid})" failed`;
  try {
    if (exec) return await runCommand(exec.command ?? [], target, timeout, subject);
    if (httpGet) {
      const port = portOf(target.container, httpGet.port);
      // Any response is a success: a hook is a notification.
      await statusOf(httpGet, httpGet.host ?? target.address, port, timeout);
      return undefined;
    }
    if (hook.sleep) {
      await sleep(target.clock, Math.min(timeout, hook.sleep.seconds * 1000));
      return undefined;
    }
    return `Cannot run handler: invalid handler: ${Object.keys(hook).join(', ')}`;
  } catch (error) {
    const kind = exec ? `Exec lifecycle hook (${exec.command?.join(' ')})` : `HTTP lifecycle hook (${httpGet?.path})`;
    return `${kind} ${subject} - error: ${(error as Error).message}`;
  }
}

async function runCommand(
  command: readonly string[],
  { running }: HookTarget,
  timeout: number,
  subject: string,
): Promise<string | undefined> {
  const { exitCode, output } = await running.exec(command, timeout);
  if (exitCode === 0) return undefined;
  const line = command.join(' ');
  const why = exitCode === undefined ? `timed out after ${timeout / 1000}s` : `exited with ${exitCode}`;
  return `Exec lifecycle hook ([${line}]) ${subject} - error: command '${line}' ${why}, message: ${JSON.stringify(output)}`;
}
