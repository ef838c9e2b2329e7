// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { childPolling, refusedRequest } from './rechecks.ts';

/** What is reported about database and cache. */
export const infrastructureReady = conditionCases('InfrastructureReady', {
  databaseRefused: { ...refusedRequest, reason: 'MariaDBError', message: 'ensuring MariaDB: {error}' },
  cacheRefused: { ...refusedRequest, reason: 'MemcachedError', message: 'ensuring Memcached: {error}' },
  waitingForDatabase: {
    ...childPolling,
    suffix: 'optional',
    reason: 'WaitingForDatabase',
    message: 'MariaDB "{name}" is not ready',
  },
  waitingForCache: {
    ...childPolling,
    suffix: 'optional',
    reason: 'WaitingForCache',
    message: 'Memcached "{name}" is not ready',
  },
  ready: {
    status: 'True',
    reason: 'InfrastructureReady',
    message: 'All managed backing services are ensured and ready',
  },
});
