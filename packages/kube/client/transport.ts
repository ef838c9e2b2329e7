// SPDX-License-Identifier: Apache-2.0

/** A request to an API server; the body is a JSON value, encoded only where bytes are needed. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  /** Names in lower case; a list is sent as one header after the other. */
  headers?: Record<string, string | readonly string[]>;
  body?: unknown;
  signal?: AbortSignal;
  /** Called when the line is open and nothing has been sent yet: the last moment to abort. */
  beforeSending?: () => void;
  /** Told where a list goes on when that is known before its items have come, to ask for the next ones in the meantime. */
  onContinue?: (token: string) => void;
  /** Of a list, managedFields may come empty where none of these managers takes part. */
  fieldManagers?: ReadonlySet<string>;
}

/** The server's answer; the body is the decoded JSON value, shared and not to be changed. */
export interface ApiResponse {
  status: number;
  body: unknown;
  /** Texts of Warning headers. */
  warnings?: readonly string[];
}

/** How a client reaches an API server: over HTTPS, or straight into an embedded one. */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Opens a watch. Rejects with an ApiError when the server refuses; ends when the connection does. */
  stream(request: ApiRequest): Promise<AsyncIterable<unknown>>;
}
