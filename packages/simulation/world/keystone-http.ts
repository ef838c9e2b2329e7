// SPDX-License-Identifier: Apache-2.0
import type { FakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { ProcessContext } from '../scenario/scenario.ts';

/** The HTTP client for Keystones of a process; outages of a plan are failed connections. */
export function keystoneHttp(host: ProcessContext, keystones: FakeKeystones): Pick<HttpClient, 'send'> {
  const http = keystones.reachedBy(host.clock);
  return {
    async send(request) {
      try {
        return await host.outside('Keystone', () => http.send(request));
      } catch (error) {
        if (error instanceof HttpError) throw error;
        const { hostname, port } = new URL(request.url);
        const failure = { kind: 'connect-failed', host: hostname, port: Number(port) } as const;
        throw new HttpError(request.method, request.url, failure, error);
      }
    },
  };
}
