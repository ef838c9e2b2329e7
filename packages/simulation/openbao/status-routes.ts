// SPDX-License-Identifier: Apache-2.0
import { errors, json, type FakeAnswer } from './answers.ts';
import type { Network } from './fake-openbao.ts';
import { isOlder } from './raft.ts';
import { isInitialised, type Server } from './server.ts';

/** `sys/health`: the code tells the state; the query can choose other codes. */
export function health(server: Server, query: URLSearchParams, { clock }: Network): FakeAnswer {
  const codes = { active: 200, standby: query.get('standbyok') === 'true' ? 200 : 429, sealed: 503, uninit: 501 };
  for (const state of Object.keys(codes).map((name) => name as keyof typeof codes)) {
    const chosen = query.get(`${state}code`);
    if (chosen !== null && !/^\d+$/.test(chosen)) return errors(400);
    if (chosen !== null) codes[state] = Number(chosen);
  }
  const state = !isInitialised(server) ? 'uninit' : !server.isUnsealed ? 'sealed' : server.leads ? 'active' : 'standby';
  return json(codes[state], {
    initialized: isInitialised(server),
    sealed: !server.isUnsealed,
    standby: !server.leads,
    replication_performance_mode: server.isUnsealed ? 'primary' : 'unknown',
    replication_dr_mode: server.isUnsealed ? 'disabled' : 'unknown',
    server_time_utc: Math.floor(clock.now() / 1000),
    version: server.options.version,
    ...clusterOf(server),
  });
}

/** `sys/seal-status`, which works in every state. */
export function sealStatus(server: Server): FakeAnswer {
  const { shares, threshold } = server.options.disk.store?.copy.recovery ?? { shares: 0, threshold: 0 };
  return json(200, {
    type: server.options.sealType ?? 'static',
    initialized: isInitialised(server),
    sealed: !server.isUnsealed,
    t: threshold,
    n: shares,
    progress: 0,
    nonce: '',
    version: server.options.version,
    commit_date: '2026-01-01T00:00:00Z',
    migration: false,
    ...clusterOf(server),
    recovery_seal: true,
    recovery_seal_type: 'shamir',
    storage_type: 'raft',
  });
}

/** `sys/leader`: the leader as this server knows it, and its own indexes. */
export function leader(server: Server): FakeAnswer {
  const index = server.options.disk.store?.copy.index ?? 0;
  const { namedLeader, leads } = server;
  return json(200, {
    ha_enabled: true,
    // Absent when false, before 2.7.
    ...((leads || !isOlder(server.options.version, '2.7')) && { is_self: leads }),
    ...(leads && { active_time: new Date(server.activeSince).toISOString() }),
    ...(namedLeader && {
      leader_address: namedLeader.api,
      leader_cluster_address: `https://${namedLeader.cluster}`,
    }),
    raft_committed_index: index,
    raft_applied_index: index,
  });
}

function clusterOf(server: Server): object {
  const { clusterName, clusterId } = server.options.disk.store?.copy ?? {};
  return server.isUnsealed ? { cluster_name: clusterName, cluster_id: clusterId } : {};
}
