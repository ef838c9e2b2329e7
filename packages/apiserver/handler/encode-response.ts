// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import {
  acceptedEncoding,
  allEncodings,
  type Encoding,
  mediaTypes,
  notAcceptable,
  textEncodings,
} from '../messages/negotiate.ts';
import { jsonPayload, type Payload } from '../messages/payload.ts';
import { isHeaderTooLong } from '../messages/request-limits.ts';
import type { ServerRequest, ServerResponse } from '../messages/server-request.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { EncodedEvents } from '../storage/encoded-events.ts';

/** Whether an Accept header names an encoding other than JSON; most do not. */
export function wantsEncoding(accept: string | undefined): accept is string {
  if (accept === undefined || isHeaderTooLong(accept)) return false;
  return accept.includes(mediaTypes.yaml) || accept.includes(mediaTypes.protobuf);
}

/** The response in the first supported encoding that the client accepts. */
export async function encodeResponse(
  server: { readonly resources: ResourceRegistry; readonly events: EncodedEvents },
  { headers }: ServerRequest,
  response: ServerResponse,
): Promise<ServerResponse> {
  const accept = headers['accept'] ?? '';
  if ('events' in response)
    return response.encoding === 'protobuf' ? protobufEvents(response, server.events) : response;
  if (!('payload' in response) || response.contentType !== undefined) return response;
  const value = response.payload.list?.head ?? response.payload.value;
  const head = (isObject(value) ? value : {}) as Head;
  const { encodings, form, isCustom = true } = await possibilities(server.resources, head);
  const encoding = acceptedEncoding(accept, form, encodings);
  if (encoding !== undefined) return encoded(response, head, encoding, isCustom || form !== undefined);
  // Errors are sent as JSON, whatever the client accepts.
  if (response.status >= 400) return response;
  const { status } = notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json', {});
  return encodeResponse(server, { headers } as ServerRequest, { status: 406, payload: jsonPayload(status) });
}

type PayloadResponse = Extract<ServerResponse, { payload: Payload }>;
type WatchResponse = Extract<ServerResponse, { events: AsyncIterable<Payload> }>;

/** A value with kind and apiVersion. */
type Head = JsonObject & { readonly kind?: string; readonly apiVersion?: string };

const forms = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'APIGroupDiscoveryList']);

/** The encodings that a value supports, and its representation. */
async function possibilities(
  resources: ResourceRegistry,
  { kind = '', apiVersion = '' }: Head,
): Promise<{ encodings: readonly Encoding[]; form: string | undefined; isCustom?: boolean }> {
  const form = forms.has(kind) ? kind : undefined;
  if (kind === '') return { encodings: ['json'], form };
  if (kind === 'APIGroupDiscoveryList') return { encodings: ['json', 'protobuf'], form };
  const { messageOf } = await import('@forge/kube/protobuf/messages.ts');
  const isCustom = resources.findKind(apiVersion, kind.replace(/List$/, ''))?.custom === true;
  const isMessage = !isCustom && messageOf(kind) !== undefined;
  return { encodings: isMessage ? allEncodings : textEncodings, form, isCustom };
}

async function encoded(
  response: PayloadResponse,
  head: Head,
  encoding: Encoding,
  repeatsKind: boolean,
): Promise<ServerResponse> {
  const parameters =
    head.kind === 'APIGroupDiscoveryList' ? ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' : '';
  const contentType = `${mediaTypes[encoding]}${parameters}`;
  if (encoding === 'json') return { ...response, contentType };
  const { encodeObject } = await import('../encoding/encode-object.ts');
  return { ...response, contentType, payload: await encodeObject(response.payload, encoding, repeatsKind) };
}

async function protobufEvents(response: WatchResponse, events: EncodedEvents): Promise<ServerResponse> {
  const { encodeWatchEvent } = await import('@forge/kube/protobuf/encode-envelope.ts');
  async function* frames(): AsyncGenerator<Payload> {
    for await (const event of response.events) {
      yield events.frameOf(event, () => {
        const { value } = event;
        return { value, bytes: encodeWatchEvent(value as { type: string; object: object }) };
      });
    }
  }
  return { ...response, events: frames(), contentType: `${mediaTypes.protobuf};stream=watch` };
}
