// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { Answer } from './exchange.ts';
import type { Servers } from './run-suite.ts';

/** What two servers must answer alike: the status, some headers, and the body without what differs from run to run. */
export interface Comparable {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const headers = ['content-type', 'content-disposition', 'cache-control', 'location'];

/** Fields whose values differ from run to run; their types are compared. */
const volatile = new Set([
  'accessor',
  'active_time',
  'build_date',
  'client_token',
  'cluster_id',
  'commit_date',
  'creation_time',
  'entity_id',
  'expire_time',
  'id',
  'issue_time',
  'jwt_validation_pubkeys',
  'last_contact',
  'last_index',
  'last_term',
  'lease_id',
  'modified',
  'raft_applied_index',
  'raft_committed_index',
  'recovery_keys',
  'recovery_keys_base64',
  // A standby shows them a moment after it has found its leader, or lost it.
  'replication_dr_mode',
  'replication_performance_mode',
  'request_id',
  'root_token',
  'server_time_utc',
  'stable_since',
  'ttl',
  'uuid',
  'version',
]);

/** An answer as it is compared; addresses are replaced by the names of their servers. */
export function comparable({ status, headers: all, body }: Answer, addresses: Servers['addresses']): Comparable {
  const replaced = [...addresses].flatMap(([name, { api, cluster }]) => [
    [api, `{${name}}`] as const,
    [cluster, `{${name} cluster}`] as const,
  ]);
  const textOf = (text: string) => replaced.reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
  const shownHeaders = headers.flatMap((name) => (all[name] === undefined ? [] : [[name, textOf(all[name])] as const]));
  return {
    status,
    ...(shownHeaders.length > 0 && { headers: Object.fromEntries(shownHeaders) }),
    ...(body !== undefined && { body: shapeOf(body, textOf) }),
  };
}

function shapeOf(value: unknown, textOf: (text: string) => string): unknown {
  if (value instanceof Uint8Array) return '<bytes>';
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return value.map((each) => shapeOf(each, textOf));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, each]) => [key, volatile.has(key) ? maskOf(each) : shapeOf(each, textOf)]),
  );
}

/** The type of a value that differs from run to run. */
function maskOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskOf);
  return value === null || value === '' ? value : `<${typeof value}>`;
}
