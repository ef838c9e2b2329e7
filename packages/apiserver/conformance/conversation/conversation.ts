// SPDX-License-Identifier: Apache-2.0
import { jsonLines } from '@forge/kube/client/json-lines.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { decodeEnvelope, openEnvelope } from '@forge/kube/protobuf/envelope.ts';
import { parse } from 'yaml';
import type { Wire, WireAnswer, WireRequest } from '../wires/wire.ts';
import type { Exchange } from './exchange.ts';
import { hooks, type Hooks } from './hooks.ts';
import { policies, type Policies } from './policies.ts';
import { watchFrames } from './watch-frames.ts';
import { openWatch, type Watching } from './watching.ts';

type StringMap = Readonly<Record<string, string>>;

/**
 * The API that cases use. A path with a leading slash is absolute; any other is in the case's namespace: `configmaps/a`,
 * `apps/v1/deployments/web/status`. Strings and bytes are sent as is, other bodies as JSON. Every exchange is recorded,
 * errors too; methods return the decoded body.
 */
export interface Conversation {
  /** The case's namespace; also the prefix of the case's cluster-scoped names. */
  readonly namespace: string;
  get<T = KubeObject>(path: string, query?: StringMap, headers?: StringMap): Promise<T>;
  post<T = KubeObject>(path: string, body: unknown, query?: StringMap, headers?: StringMap): Promise<T>;
  put<T = KubeObject>(path: string, body: unknown, query?: StringMap, headers?: StringMap): Promise<T>;
  patch<T = KubeObject>(
    type: keyof typeof patchTypes,
    path: string,
    body: unknown,
    query?: StringMap,
    headers?: StringMap,
  ): Promise<T>;
  /** Server-side apply with this field manager; `force` goes into the query. */
  apply<T = KubeObject>(path: string, manager: string, body: unknown, query?: StringMap): Promise<T>;
  delete<T = KubeObject>(path: string, options?: unknown, query?: StringMap, headers?: StringMap): Promise<T>;
  /** Sends a request of any method. */
  call(method: WireRequest['method'], path: string, headers?: StringMap): Promise<void>;
  /** Reads a Table without objects; column descriptions are not recorded, since they differ. */
  table(path: string, query?: StringMap): Promise<void>;
  /** Opens a watch; its events are recorded at this point. */
  watch(path: string, query?: StringMap, headers?: StringMap): Promise<Watching>;
  /** Polls until the response matches, for asynchronous work of controllers; only the last response is recorded. */
  eventually<T = KubeObject>(
    path: string,
    wanted: (body: T, status: number) => boolean,
    query?: StringMap,
    headers?: StringMap,
  ): Promise<T>;
  /** Waits for the caches of a real server, where its decisions depend on them. */
  catchUp(): Promise<void>;
  /** Starts the server behind the case's Services. */
  startBackend(): Promise<void>;
  /** The webhooks of the case. */
  readonly hooks: Hooks;
  /** The admission policies of the case. */
  readonly policies: Policies;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};
const protobuf = 'application/vnd.kubernetes.protobuf';
const applyType = 'application/apply-patch+yaml';

/** A conversation in this namespace that records its exchanges. */
export function conversation(wire: Wire, namespace: string, exchanges: Exchange[], signal: AbortSignal): Conversation {
  async function ask(
    method: WireRequest['method'],
    path: string,
    body?: unknown,
    query: StringMap = {},
    headers?: StringMap,
  ) {
    const answer = await wire.send(request(method, path, body, query, headers));
    return { ...heading(method, path, query, answer), body: await readBody(answer) };
  }

  async function say(...question: Parameters<typeof ask>): Promise<unknown> {
    const exchange = await ask(...question);
    exchanges.push(exchange);
    return exchange.body;
  }

  function request(
    method: WireRequest['method'],
    path: string,
    body: unknown,
    query: StringMap,
    headers: StringMap = {},
  ): WireRequest {
    return {
      method,
      path: absolute(namespace, path),
      query,
      headers: {
        accept: 'application/json',
        'user-agent': 'contract/1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isEncoded(body) ? body : JSON.stringify(body) }),
      signal,
    };
  }

  function heading(verb: string, path: string, query: StringMap, answer: WireAnswer): Exchange {
    const { status, contentType, location, warnings } = answer;
    return {
      request: `${verb} ${absolute(namespace, path)}`,
      ...(Object.keys(query).length > 0 && { query }),
      status,
      ...(contentType !== 'application/json' && { contentType }),
      ...(location !== undefined && { location }),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  return {
    namespace,
    get: (path, query, headers) => say('GET', path, undefined, query, headers) as never,
    post: (path, body, query, headers) => say('POST', path, body, query, headers) as never,
    put: (path, body, query, headers) => say('PUT', path, body, query, headers) as never,
    patch: (type, path, body, query, headers) =>
      say('PATCH', path, body, query, { 'content-type': patchTypes[type], ...headers }) as never,
    apply: (path, fieldManager, body, query) =>
      say('PATCH', path, body, { fieldManager, ...query }, { 'content-type': applyType }) as never,
    delete: (path, options, query, headers) => say('DELETE', path, options, query, headers) as never,

    async call(method, path, headers) {
      await say(method, path, undefined, {}, headers);
    },

    async table(path, query) {
      const { body, ...exchange } = await ask('GET', path, undefined, { includeObject: 'None', ...query }, asTable);
      exchanges.push({ ...exchange, body: withoutDescriptions(body) });
    },

    async watch(path, query = {}, headers) {
      const answer = await wire.send(request('GET', path, undefined, { ...query, watch: 'true' }, headers));
      const exchange: Exchange = heading('watch', path, query, answer);
      exchanges.push(exchange);
      const events = answer.contentType.startsWith(protobuf) ? watchFrames(answer.body) : jsonLines(answer.body);
      if (answer.status === 200) return openWatch(wire, events, (exchange.events = []));
      exchange.body = await readBody(answer);
      return refusedWatch;
    },

    async eventually(path, wanted, query, headers) {
      let last: Awaited<ReturnType<typeof ask>>;
      await wire.until(async () => {
        last = await ask('GET', path, undefined, query, headers);
        return wanted(last.body as never, last.status);
      });
      exchanges.push({ ...last!, request: last!.request.replace('GET', 'eventually') });
      return last!.body as never;
    },

    catchUp: () => wire.catchUp(),

    async startBackend() {
      await wire.backend();
    },

    hooks: hooks(wire, namespace, ask, exchanges),
    policies: policies(wire, namespace, ask, exchanges),
  };
}

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

function withoutDescriptions(table: unknown): unknown {
  const { columnDefinitions, ...rest } = table as { columnDefinitions?: readonly object[] };
  if (columnDefinitions === undefined) return rest;
  return { ...rest, columnDefinitions: columnDefinitions.map((each) => ({ ...each, description: '' })) };
}

/** A watch that failed to start has no events. */
const refusedWatch: Watching = { take: async () => [], takeUntil: async () => [], rest: async () => [] };

function absolute(namespace: string, path: string): string {
  if (path.startsWith('/')) return path;
  const [, group, rest] = /^([a-z0-9.-]+\/v\d+(?:(?:alpha|beta)\d+)?)\/(.*)$/.exec(path) ?? [];
  return group === undefined
    ? `/api/v1/namespaces/${namespace}/${path}`
    : `/apis/${group}/namespaces/${namespace}/${rest}`;
}

function isEncoded(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

async function readBody({ body, contentType }: WireAnswer): Promise<unknown> {
  const bytes = Buffer.concat(await Array.fromAsync(body));
  if (/json/.test(contentType) && bytes.length > 0) return JSON.parse(bytes.toString()) as unknown;
  if (contentType.startsWith(protobuf)) return decodeEnvelope(openEnvelope(bytes));
  return contentType === 'application/yaml' ? (parse(bytes.toString()) as unknown) : bytes.toString();
}
