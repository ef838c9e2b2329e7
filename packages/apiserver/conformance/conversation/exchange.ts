// SPDX-License-Identifier: Apache-2.0

/** A recorded request and its response. */
export interface Exchange {
  /** `PUT /api/v1/namespaces/row-12ab34/configmaps/a`; `watch` and `eventually` in place of GET. */
  request: string;
  query?: Readonly<Record<string, string>>;
  status: number;
  /** Omitted when it is `application/json`. */
  contentType?: string;
  /** Of a redirect. */
  location?: string;
  warnings?: readonly string[];
  /** The decoded JSON, or the text. */
  body?: unknown;
  /** The events of a watch. */
  events?: WatchEvent[];
}

/** One watch event. */
export interface WatchEvent {
  type: string;
  object: Readonly<Record<string, unknown>>;
}
