// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';

/** A session with a server of KV version 2, such as OpenBao; paths are those of its HTTP API, without `/v1/`. */
export interface VaultClient {
  /** Whether the token is good. */
  lookupSelf(): Promise<void>;
  /** The `data` of the answer; undefined when nothing is there. */
  get(path: string): Promise<JsonObject | undefined>;
  put(path: string, body: JsonObject): Promise<void>;
  delete(path: string): Promise<void>;
  /** Revokes the token if a login issued it; its failure is of no consequence, since the token expires. */
  close(): Promise<void>;
}

/** The effect of this stand-in: reaches the servers that stores name. */
export interface Vaults {
  /** Logs in as the store says; throws when that fails. */
  connect(store: ClusterSecretStore): Promise<VaultClient>;
}
