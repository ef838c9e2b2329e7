// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { comparable, type Comparable } from './comparable.ts';
import type { Answer, Deed, Exchange, Memory, Suite } from './exchange.ts';

/** The servers of a suite, fake or real. */
export interface Servers {
  readonly addresses: ReadonlyMap<string, { readonly api: string; readonly cluster: string }>;
  readonly http: Pick<HttpClient, 'send'>;
  readonly perform: (deed: Deed) => Promise<void>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

const pollEvery = 250;
const pollFor = 40_000;

/** Runs a suite: the comparable answers by what they show. */
export async function runSuite({ script }: Suite, servers: Servers): Promise<Record<string, Comparable>> {
  const memory: Memory = new Map();
  const answers: Record<string, Comparable> = {};
  for (const each of script) {
    if ('does' in each) await servers.perform(each);
    else answers[each.shows] = comparable(await answerTo(each, memory, servers), servers.addresses);
  }
  return answers;
}

async function answerTo(exchange: Exchange, memory: Memory, servers: Servers): Promise<Answer> {
  const { until = () => true, remember = {} } = exchange;
  const end = servers.now() + pollFor;
  for (;;) {
    const answer = await answerOrNone(exchange, memory, servers);
    if (answer !== undefined && until(answer)) {
      for (const [name, part] of Object.entries(remember)) memory.set(name, part(answer.body));
      return answer;
    }
    if (exchange.until === undefined || servers.now() >= end) {
      throw new Error(`${exchange.shows}: the last answer was ${JSON.stringify(answer)}`);
    }
    await servers.sleep(pollEvery);
  }
}

/** The answer; undefined when there is none and the request is repeated. */
async function answerOrNone(
  exchange: Exchange,
  memory: Memory,
  { http, addresses }: Servers,
): Promise<Answer | undefined> {
  try {
    const { status, headers, body } = await http.send(requestOf(exchange, memory, addresses));
    return { status, headers: headers as Answer['headers'], body: parsed(body) };
  } catch (error) {
    if (error instanceof HttpError && exchange.until !== undefined) return undefined;
    throw error;
  }
}

function requestOf(
  { on, method, path, token, body }: Exchange,
  memory: Memory,
  addresses: Servers['addresses'],
): HttpRequest {
  const content = typeof body === 'function' ? body(memory) : body;
  return {
    method,
    url: `${addresses.get(on)?.api}/v1/${path}`,
    headers: token === undefined ? {} : { 'x-vault-token': String(memory.get(token) ?? token) },
    ...(content !== undefined && { body: content instanceof Uint8Array ? content : JSON.stringify(content) }),
    deadline: seconds(30),
    signal: new AbortController().signal,
  };
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return body;
  }
}
