// SPDX-License-Identifier: Apache-2.0
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { refusal } from '@forge/testing/refusal.ts';

/** What the API server refuses the operator; nothing at first. */
export interface RefusedRequests {
  /** Requests to refuse: `PATCH /…/pushsecrets/…`. */
  pattern: RegExp | undefined;
  before: (request: ApiRequest) => Promise<void>;
}

/** Goes into the options of the operator. */
export function refusedRequests(): RefusedRequests {
  const refused: RefusedRequests = {
    pattern: undefined,
    async before({ method, path }) {
      if (refused.pattern?.test(`${method} ${path}`) === true) throw refusal(403, 'Forbidden', 'not today');
    },
  };
  return refused;
}
