// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The protocol of kubectl: WebSocket, or SPDY as in older versions. */
export type Protocol = 'WebSocket' | 'SPDY';

/** The output of kubectl, and its exit code. */
export interface KubectlResult {
  code: number | null;
  out: string;
  err: string;
}

/** kubectl as the administrator of a cluster. */
export function kubectlFor(kubeconfig: string) {
  /** Starts a program, kubectl by default; the caller stops it. */
  function start(
    args: readonly string[],
    protocol: Protocol = 'WebSocket',
    program = 'kubectl',
  ): ChildProcessWithoutNullStreams {
    const byWebSocket = String(protocol === 'WebSocket');
    const env = {
      ...process.env,
      KUBECONFIG: kubeconfig,
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: byWebSocket,
      KUBECTL_PORT_FORWARD_WEBSOCKETS: byWebSocket,
    };
    return spawn(program, args, { env });
  }

  return { start, ended };
}

/** Runs it to completion. */
async function ended(child: ChildProcessWithoutNullStreams, input: string | Buffer = ''): Promise<KubectlResult> {
  child.stdin.end(input);
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, out, err };
}
