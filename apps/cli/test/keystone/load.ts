// SPDX-License-Identifier: Apache-2.0
import { Agent, request, type IncomingMessage } from 'node:http';
import { passwordLogin } from '../../up/identity.ts';

/** The target and the rate of a load. */
export interface LoadOptions {
  /** URL of the identity service, ending in /v3. */
  url: string;
  /** Password of the administrator. */
  password: string;
  /** Requests a second, half of them logins, the other half validations. Default: 20. */
  perSecond?: number;
  /** A request that takes longer has failed. Default: 5 s. */
  maxDuration?: number;
}

/** A request of a load. */
export interface LoadedRequest {
  /** Milliseconds since the load began. */
  at: number;
  milliseconds: number;
  what: string;
}

/** The results of all requests. */
export interface LoadReport {
  requests: number;
  /** The duration of the load. */
  seconds: number;
  slowest: LoadedRequest;
  /**
   * Server errors, unexpected responses, reset connections, and requests that took too long; `what` has the details.
   */
  failures: LoadedRequest[];
}

/** Requests in progress; `stop` sends no more and resolves when all have ended. */
export interface Load {
  stop(): Promise<LoadReport>;
}

/**
 * Logs in and validates the token repeatedly, at a constant rate that does not depend on responses: alternately with
 * new connections for each request and with keep-alive connections.
 */
export function startLoad(options: LoadOptions): Load {
  const { perSecond = 20, maxDuration = 5000 } = options;
  const start = performance.now();
  const report: LoadReport = {
    requests: 0,
    seconds: 0,
    slowest: { at: 0, milliseconds: 0, what: 'none' },
    failures: [],
  };
  const kept = new Agent({ keepAlive: true });
  const fresh = new Agent({ keepAlive: false });
  const running = new Set<Promise<void>>();
  let pairs = 0;

  async function measured(connection: string, sent: Sent): Promise<Answer | undefined> {
    const began = performance.now();
    const agent = connection === 'kept' ? kept : fresh;
    const answer = await send(`${options.url}/auth/tokens`, { ...sent, agent, maxDuration }).catch(
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
    const milliseconds = Math.round(performance.now() - began);
    const outcome = typeof answer === 'string' ? answer : outcomeOf(sent, answer);
    const ended = { at: Math.round(began - start), milliseconds, what: `${sent.method} ${connection}: ${outcome}` };
    report.requests += 1;
    if (milliseconds > report.slowest.milliseconds) report.slowest = ended;
    if (typeof answer !== 'string' && outcome === String(sent.expected) && milliseconds <= maxDuration) return answer;
    report.failures.push(ended);
    return undefined;
  }

  async function pair(connection: 'fresh' | 'kept'): Promise<void> {
    const body = JSON.stringify(passwordLogin(options.password));
    const token = (await measured(connection, { method: 'POST', expected: 201, headers: {}, body }))?.token;
    if (token === undefined) return;
    const headers = { 'x-auth-token': token, 'x-subject-token': token };
    await measured(connection, { method: 'GET', expected: 200, headers });
  }

  /**
   * Sends all that are due, so that a late timer does not change the rate; after a long pause, at most those of a
   * second.
   */
  function sendDue(): void {
    const due = ((performance.now() - start) * perSecond) / 2000;
    for (pairs = Math.max(pairs, Math.floor(due - perSecond / 2)); pairs < due; pairs += 1) {
      const one = pair(pairs % 2 === 0 ? 'fresh' : 'kept').finally(() => running.delete(one));
      running.add(one);
    }
  }

  sendDue();
  const timer = setInterval(sendDue, 2000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      report.seconds = (performance.now() - start) / 1000;
      await Promise.all(running);
      kept.destroy();
      return report;
    },
  };
}

const line = ({ at, milliseconds, what }: LoadedRequest) => `${what} after ${milliseconds} ms, sent at ${at} ms`;

/** The report as text: the number of requests, the slowest one, and each failure with its time. */
export function reportText({ requests, slowest, failures }: LoadReport): string {
  const first = `${requests} requests, ${failures.length} failed; slowest: ${line(slowest)}`;
  return [first, ...failures.map((failure) => `  ${line(failure)}`)].join('\n');
}

interface Sent {
  method: 'GET' | 'POST';
  expected: number;
  headers: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  token: string | undefined;
}

/** The status of a response, with a note when a login has no token. */
function outcomeOf({ method, expected }: Sent, { status, token }: Answer): string {
  return method === 'POST' && status === expected && token === undefined ? `${status} without a token` : `${status}`;
}

/** Sends one request; rejects with the error of the connection, or when there is no response in twice `maxDuration`. */
function send(
  url: string,
  { method, headers, body, agent, maxDuration }: Sent & { agent: Agent; maxDuration: number },
) {
  return new Promise<Answer>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const signal = AbortSignal.timeout(2 * maxDuration);
    const sent = request(url, { method, agent, headers: { ...headers, ...length }, signal });
    sent.on('error', reject).on('response', (response: IncomingMessage) => {
      const token = response.headers['x-subject-token'];
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, token: typeof token === 'string' ? token : undefined });
      });
      response.resume();
    });
    sent.end(body);
  });
}
