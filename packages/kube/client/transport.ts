// SPDX-License-Identifier: Apache-2.0

/** A request to an API server; the body is a JSON value, encoded only where bytes are needed. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  /** Names in lower case; a list is sent as several headers. */
  headers?: Record<string, string | readonly string[]>;
  body?: unknown;
  signal?: AbortSignal;
  /** Headers of the response that the caller wants, in lower case. Default: none. */
  wantedHeaders?: readonly string[];
  /** Called when the connection is open and nothing has been sent yet: the last moment to abort. */
  beforeSending?: () => void;
  /** Called with the continue token of a list as soon as it is known, to request the next page early. */
  onContinue?: (token: string) => void;
  /** Of a list: managedFields without any of these managers may be empty. */
  fieldManagers?: ReadonlySet<string>;
}

/** The server's response; the body is the decoded JSON value, shared and not to be modified. */
export interface ApiResponse {
  status: number;
  body: unknown;
  /** Texts of Warning headers. */
  warnings?: readonly string[];
  /** The wanted headers that the response has; an embedded server has none. */
  headers?: Readonly<Record<string, string>>;
}

/** The connection of a client to an API server: over HTTPS, or directly to an embedded one. */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Opens a watch. Rejects with an ApiError for error responses; ends with the connection. */
  stream(request: ApiRequest): Promise<AsyncIterable<unknown>>;
}
