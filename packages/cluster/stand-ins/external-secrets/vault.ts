// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';

/** A session with a server of KV version 2, such as OpenBao; paths are those of its HTTP API, without `/v1/`. */
export interface VaultClient {
  /** Throws when the token is not valid. */
  lookupSelf(): Promise<void>;
  /** The `data` of the response; undefined when there is no content. */
  get(path: string): Promise<JsonObject | undefined>;
  put(path: string, body: JsonObject): Promise<void>;
  delete(path: string): Promise<void>;
  /** Revokes the token if it is from a login; errors are ignored, since the token expires. */
  close(): Promise<void>;
}

/** Connects to the servers of stores: the only external effect of this stand-in. */
export interface Vaults {
  /** Logs in with the store's settings; throws when that fails. */
  connect(store: ClusterSecretStore): Promise<VaultClient>;
}
