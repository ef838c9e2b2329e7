// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Container, HTTPGetAction, Probe } from '@forge/kube/generated/types.ts';
import type { RunningContainer } from '../containers/container-runtime.ts';

/** The target of a probe. */
export interface ProbeTarget {
  address: string;
  container: Container;
  running: Pick<RunningContainer, 'exec'>;
}

/** The result of a probe; `message` explains a failure; `errored` means that the probe could not be executed. */
export interface ProbeResult {
  ok: boolean;
  message: string;
  errored?: boolean;
}

/** Runs a probe once; a timeout is a failure. */
export async function checkProbe(probe: Probe, { address, container, running }: ProbeTarget): Promise<ProbeResult> {
  const timeout = (probe.timeoutSeconds ?? 1) * 1000;
  try {
    if (probe.exec) return await checkCommand(probe.exec.command ?? [], running, timeout);
    if (probe.httpGet) {
      const { host = address, port } = probe.httpGet;
      return await checkHttp(probe.httpGet, host, portOf(container, port), timeout);
    }
    if (probe.tcpSocket) {
      const { host = address, port } = probe.tcpSocket;
      return await checkTcp(host, portOf(container, port), timeout);
    }
    throw new Error(`the node does not support probes with ${Object.keys(probe).join(', ')}`);
  } catch (error) {
    return { ok: false, errored: true, message: (error as Error).message };
  }
}

/** The kubelet's limit for the output of a command. */
const maxOutput = 10 * 1024;

async function checkCommand(
  command: readonly string[],
  running: ProbeTarget['running'],
  timeout: number,
): Promise<ProbeResult> {
  const { exitCode, output } = await running.exec(command, timeout);
  if (exitCode !== undefined) return { ok: exitCode === 0, message: output.slice(0, maxOutput) };
  const line = JSON.stringify(command.join(' '));
  return { ok: false, message: `command timed out: ${line} timed out after ${timeout / 1000}s` };
}

async function checkHttp(action: HTTPGetAction, host: string, port: number, timeout: number): Promise<ProbeResult> {
  try {
    const status = await statusOf(action, host, port, timeout);
    return { ok: status >= 200 && status < 400, message: `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    const path = (action.path ?? '').replace(/^\/?/, '/');
    const url = `${(action.scheme ?? 'HTTP').toLowerCase()}://${joined(host, port)}${path}`;
    const slow = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    return { ok: false, message: `Get ${JSON.stringify(url)}: ${goText(error, host, port) ?? slow}` };
  }
}

/** A port by number, or by name in the container. */
export function portOf({ ports = [], name }: Container, port: number | string): number {
  const found =
    typeof port === 'number' ? port : (ports.find((one) => one.name === port)?.containerPort ?? Number(port));
  if (Number.isNaN(found)) throw new Error(`container ${name} has no port named ${port}`);
  return found;
}

async function checkTcp(host: string, port: number, timeout: number): Promise<ProbeResult> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeout) });
    return { ok: true, message: '' };
  } catch (error) {
    return { ok: false, message: goText(error, host, port) ?? `dial tcp ${joined(host, port)}: i/o timeout` };
  } finally {
    socket.destroy();
  }
}

/** Kernel errors in Go's wording. */
const goErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
};

/** A connection error in the kubelet's wording; undefined for a timeout. */
function goText(error: unknown, host: string, port: number): string | undefined {
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  if (code === 'ABORT_ERR' || name === 'TimeoutError') return undefined;
  const known = goErrors[code];
  if (known !== undefined) return `dial tcp ${joined(host, port)}: ${known}`;
  return message === 'socket hang up' ? 'EOF' : message;
}

function joined(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The status code of a GET request. */
export function statusOf(action: HTTPGetAction, host: string, port: number, timeout: number): Promise<number> {
  const headers = Object.fromEntries((action.httpHeaders ?? []).map(({ name, value }) => [name, value]));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { host, port, path: action.path ?? '/', headers, agent: false, signal: AbortSignal.timeout(timeout) };
  const probeRequest =
    action.scheme === 'HTTPS'
      ? // As in the kubelet: certificates are not verified.
        httpsRequest({ ...options, rejectUnauthorized: false })
      : httpRequest(options);
  probeRequest.on('response', (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  probeRequest.on('error', reject);
  probeRequest.end();
  return promise;
}
