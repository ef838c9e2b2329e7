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

/** The result of a probe; `message` explains a failure. */
export interface ProbeResult {
  ok: boolean;
  message: string;
}

/** Runs a probe once; a timeout is a failure. */
export async function checkProbe(probe: Probe, { address, container, running }: ProbeTarget): Promise<ProbeResult> {
  const timeout = (probe.timeoutSeconds ?? 1) * 1000;
  try {
    if (probe.exec) {
      const { exitCode, output } = await running.exec(probe.exec.command ?? [], timeout);
      if (exitCode === undefined) return { ok: false, message: `command timed out after ${timeout / 1000}s` };
      return { ok: exitCode === 0, message: `command exited with ${exitCode}: ${output}` };
    }
    if (probe.httpGet) {
      const host = probe.httpGet.host ?? address;
      const status = await statusOf(probe.httpGet, host, portOf(container, probe.httpGet.port), timeout);
      return { ok: status >= 200 && status < 400, message: `HTTP probe failed with statuscode: ${status}` };
    }
    if (probe.tcpSocket) {
      const { host = address, port } = probe.tcpSocket;
      return await checkTcp(host, portOf(container, port), timeout);
    }
    return { ok: false, message: `the node does not support probes with ${Object.keys(probe).join(', ')}` };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
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
  } finally {
    socket.destroy();
  }
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
