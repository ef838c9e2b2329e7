// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { OpenBaoError, refusal, unanswered } from './openbao-error.ts';

/** A server, and how it proves who it is. */
export interface OpenBaoServer {
  /** Without a path. */
  readonly url: string;
  /** PEM certificates of the authorities to trust. Default: the well-known ones. */
  readonly ca?: string;
  /** The name that its certificate must have. Default: the host of the URL. */
  readonly serverName?: string;
}

/** A client for a server that proves who it is in this way. */
export type OpenBaoTransport = (trust: Pick<OpenBaoServer, 'ca' | 'serverName'>) => HttpClient;

/** A request to a server. */
export interface OpenBaoRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Below /v1. */
  readonly path: string;
  readonly token?: SecretValue;
  /** A JSON value; its secrets are revealed on the wire only. */
  readonly body?: object;
  /** Values in the body that no text of the server may repeat. */
  readonly secrets?: readonly SecretValue[];
  /** Default: ten seconds. */
  readonly deadline?: Duration;
}

const defaultDeadline = seconds(10);

/** The client for a server. */
export const connectTo = (connect: OpenBaoTransport, { ca, serverName }: OpenBaoServer): HttpClient =>
  connect({ ...(ca !== undefined && { ca }), ...(serverName !== undefined && { serverName }) });

/** Every status code is an answer here; rejects with an OpenBaoError when there is none. */
export async function answerOf(
  connect: OpenBaoTransport,
  server: OpenBaoServer,
  request: OpenBaoRequest,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const asked = askedOf(server, request);
  try {
    const { status, body } = await connectTo(connect, server).send(wireRequest(server, request, signal));
    return { status, body: jsonIn(body) };
  } catch (error) {
    throw unanswered(asked, error);
  }
}

/** The body of a success; rejects with an OpenBaoError otherwise. */
export async function resultOf(
  connect: OpenBaoTransport,
  server: OpenBaoServer,
  request: OpenBaoRequest,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await answerOf(connect, server, request, signal);
  if (status === 204) return {};
  if (status !== 200) throw refusalOf(server, request, status, body);
  if (typeof body === 'object' && body !== null) return body as Readonly<Record<string, unknown>>;
  throw new OpenBaoError(askedOf(server, request), 'refused', 'the answer is no JSON object', { status });
}

/** The error of an answer that is no success. */
export function refusalOf(server: OpenBaoServer, request: OpenBaoRequest, status: number, body: unknown): OpenBaoError {
  const { token, secrets = [] } = request;
  return refusal(askedOf(server, request), status, body, token === undefined ? secrets : [...secrets, token]);
}

export const askedOf = ({ url }: OpenBaoServer, { method, path }: OpenBaoRequest): string =>
  `${method} ${url}/v1/${path}`;

/** The request as it is sent. */
export function wireRequest(server: OpenBaoServer, request: OpenBaoRequest, signal: AbortSignal): HttpRequest {
  const { method, path, token, body, deadline = defaultDeadline } = request;
  return {
    method,
    url: `${server.url}/v1/${path}`,
    headers: { 'x-vault-request': 'true', ...(token !== undefined && { 'x-vault-token': token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    deadline,
    signal,
  };
}

/** The JSON value of a body; undefined when it is none. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
