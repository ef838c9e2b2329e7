// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '../../keystone.ts';
import { apiPort } from '../../names.ts';
import { configDir } from '../pod.ts';

const requestLog = '%(method) %(uri) => generated %(rsize) bytes in %(msecs) msecs (%(proto) %(status))';

/** The command of an API container. */
export function uwsgiCommand({ spec: { uwsgi } }: Keystone): string[] {
  const { processes, threads, httpKeepAlive, httpKeepAliveTimeout, harakiri } = uwsgi ?? {
    processes: 2,
    threads: 1,
    httpKeepAlive: true,
  };
  return [
    'uwsgi',
    '--http',
    `:${apiPort}`,
    ...(httpKeepAlive ? ['--http-keepalive'] : []),
    ...(httpKeepAlive && httpKeepAliveTimeout !== undefined
      ? ['--http-keepalive-timeout', String(httpKeepAliveTimeout)]
      : []),
    '--log-master',
    '--log-format',
    requestLog,
    '--wsgi-file',
    '/var/lib/openstack/bin/keystone-wsgi-public',
    '--master',
    '--lazy-apps',
    '--need-app',
    '--processes',
    String(processes),
    '--threads',
    String(threads),
    `--pyargv=--config-dir=${configDir}`,
    ...(harakiri !== undefined ? ['--harakiri', String(harakiri)] : []),
    // SIGTERM alone reloads uWSGI; with this it finishes the requests in flight and ends.
    '--hook-master-start',
    'unix_signal:15 gracefully_kill_them_all',
  ];
}
