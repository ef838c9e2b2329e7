// SPDX-License-Identifier: Apache-2.0
import { int32 } from '@forge/kube/schema/field.ts';
import { fieldRule } from '@forge/kube/schema/rules.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';

const { processes, threads, httpKeepAlive } = defaults.uwsgi;

export const keepAliveMessage = 'httpKeepAliveTimeout may only be set when httpKeepAlive is true';

export const uwsgi = Type.Object(
  {
    processes: int32('Worker processes of every API pod.', { default: processes, minimum: 1 }),
    threads: int32('Threads of every worker process.', { default: threads, minimum: 1 }),
    httpKeepAlive: Type.Boolean({ default: httpKeepAlive, description: 'Keeps connections open between requests.' }),
    harakiri: Type.Optional(
      int32(
        'Seconds after which a worker that still handles one request is killed; never when absent. Must be less than ' +
          'terminationGracePeriodSeconds minus preStopSleepSeconds.',
        { minimum: 1 },
      ),
    ),
    httpKeepAliveTimeout: Type.Optional(
      int32(
        'Idle seconds after which a connection that was kept open is closed. Best at most preStopSleepSeconds, so that ' +
          'clients see no reset when pods are replaced.',
        { minimum: 1 },
      ),
    ),
  },
  {
    description: 'Application server of the API pods, uWSGI; two processes with one thread each when absent.',
    ...fieldRule('.httpKeepAliveTimeout', '!has(self.httpKeepAliveTimeout) || self.httpKeepAlive', {
      message: keepAliveMessage,
    }),
  },
);
