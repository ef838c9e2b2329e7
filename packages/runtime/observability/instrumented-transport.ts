// SPDX-License-Identifier: Apache-2.0
import type { Transport } from '@forge/kube/client/transport.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { Counter, Metrics } from './metrics.ts';

// Name and labels are those of controller-runtime, so that its dashboards work.
const requests: Counter<'code' | 'host' | 'method'> = {
  type: 'counter',
  name: 'rest_client_requests_total',
  help: 'Requests to the API server by status code; a watch is one request.',
  labels: ['code', 'host', 'method'],
};

/** A transport that counts the requests to this host. */
export function instrumentedTransport<T extends Transport>(transport: T, host: string, metrics: Metrics): T {
  async function counted<R>(method: string, request: Promise<R>, codeOf: (answer: R) => number): Promise<R> {
    let code = '<error>';
    try {
      const answer = await request;
      code = String(codeOf(answer));
      return answer;
    } catch (error) {
      if (error instanceof ApiError) code = String(error.code);
      throw error;
    } finally {
      metrics.count(requests, { code, host, method });
    }
  }

  return {
    ...transport,
    request: (request) => counted(request.method, transport.request(request), ({ status }) => status),
    stream: (request) => counted(request.method, transport.stream(request), () => 200),
  };
}
