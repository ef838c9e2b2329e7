// SPDX-License-Identifier: Apache-2.0
import type { FakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { outsideHttp } from '../process/outside-http.ts';
import type { ProcessContext } from '../scenario/scenario.ts';

/** The HTTP client for Keystones of a process. */
export function keystoneHttp(host: ProcessContext, keystones: FakeKeystones): Pick<HttpClient, 'send'> {
  return outsideHttp(host, 'Keystone', keystones.reachedBy(host.clock), isRead);
}

/** A login counts as a read: a token that nobody received is of no use to anyone, and expires. */
function isRead({ method, url }: HttpRequest): boolean {
  return method === 'GET' || (method === 'POST' && url.endsWith('/auth/tokens'));
}
