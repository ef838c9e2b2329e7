// SPDX-License-Identifier: Apache-2.0

/** One question and its answer, as a recording keeps it. */
export interface Exchange {
  /** `PUT /api/v1/namespaces/row-12ab34/configmaps/a`; `watch` and `eventually` stand for their GETs. */
  request: string;
  query?: Readonly<Record<string, string>>;
  status: number;
  /** Left out when it is `application/json`. */
  contentType?: string;
  warnings?: readonly string[];
  /** The decoded JSON, or the text when the answer is none. */
  body?: unknown;
  /** What a watch has told. */
  events?: WatchEvent[];
}

/** One line of a watch. */
export interface WatchEvent {
  type: string;
  object: Readonly<Record<string, unknown>>;
}
