// SPDX-License-Identifier: Apache-2.0
import type { User } from '../messages/server-request.ts';
import type { Resource } from '../resources/resource.ts';

/** An authorized request for a served resource. */
export interface ResourceRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Empty for a collection. */
  readonly name: string;
  readonly subresource: string | undefined;
  /** The whole path, decoded. */
  readonly path: string;
  /** What follows the subresource: the path on a proxied Service. */
  readonly subpath: string;
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  /** The raw query string, in which parameters may repeat. */
  readonly search: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly user: User;
  readonly remoteAddress: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Adds a Warning header to the response. */
  readonly warn: (warning: string) => void;
}
