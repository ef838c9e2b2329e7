// SPDX-License-Identifier: Apache-2.0
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import { ApiError, type Status } from '@forge/kube/errors/api-error.ts';
import { setField } from '@forge/kube/objects/json.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { impersonationHeaders } from '../access/impersonation-headers.ts';
import type { Payload } from '../messages/payload.ts';
import type { Handle, ServerResponse, User } from '../messages/server-request.ts';

/** The cluster administrator. */
const administrator: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A transport to an API server in this process: responses are shared and frozen, nothing is encoded. */
export function inProcessTransport(server: { handle: Handle }, user = administrator): Transport {
  function send({
    method,
    path,
    query = {},
    headers = {},
    body,
    signal,
    beforeSending,
  }: ApiRequest): Promise<ServerResponse> {
    beforeSending?.();
    signal?.throwIfAborted();
    return server.handle({ method, path, query, headers: joined(headers), body: copied(body), user, signal });
  }

  return {
    async request(request) {
      const response = await send(request);
      const { status, warnings } = response;
      return { status, body: bodyOf(response), ...(warnings !== undefined && { warnings }) };
    },
    async stream(request) {
      const response = await send(request);
      if ('events' in response) return values(response.events);
      throw new ApiError(bodyOf(response) as Status);
    },
  };
}

/** Headers as HTTP delivers them: repeated ones are joined. */
function joined(headers: NonNullable<ApiRequest['headers']>): Record<string, string> {
  const lists = Object.entries(headers).map(
    ([name, value]) => [name, typeof value === 'string' ? [value] : value] as const,
  );
  const whole = lists.map(([name, list]) => [name, list.join(', ')]);
  return {
    ...(Object.fromEntries(whole) as Record<string, string>),
    ...impersonationHeaders(Object.fromEntries(lists)),
  };
}

function bodyOf(response: ServerResponse): unknown {
  if ('payload' in response) return response.payload.value;
  if ('text' in response) return response.status < 400 ? response.text : notServed(response.status, response.text);
  throw new Error('The response is a stream: use stream() instead of request()');
}

function notServed(code: number, message: string): Status {
  const reason = code === 404 ? 'NotFound' : 'InternalError';
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: message.trim(), reason, code };
}

async function* values(events: AsyncIterable<Payload>): AsyncGenerator {
  for await (const { value } of events) yield value;
}

/**
 * A copy of the body, as if it had been sent as JSON: the server freezes objects, and must not see undefined fields.
 */
function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copied(item) ?? null);
  const copy: Record<string, unknown> = {};
  for (const field in value) {
    const item = (value as JsonObject)[field];
    if (item !== undefined) setField(copy, field, copied(item));
  }
  return copy;
}
