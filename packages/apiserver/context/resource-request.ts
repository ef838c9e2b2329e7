// SPDX-License-Identifier: Apache-2.0
import type { User } from '../request/server-request.ts';
import type { Resource } from '../resources/resource.ts';

/** A request for a resource this server serves, by a caller who may make it. */
export interface ResourceRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Empty for a collection. */
  readonly name: string;
  readonly subresource: string | undefined;
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  /** The query as it was written, where words may repeat. */
  readonly search: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly user: User;
  readonly signal: AbortSignal | undefined;
  /** Tells the caller something beside the answer, be it a refusal. */
  readonly warn: (warning: string) => void;
}
