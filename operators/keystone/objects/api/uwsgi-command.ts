// SPDX-License-Identifier: Apache-2.0
import { defaults } from '../../api/defaults.ts';
import type { Keystone } from '../../api/keystone.ts';
import { apiPort } from '../../api/names.ts';
import { configDir } from '../pod.ts';

const requestLog = '%(method) %(uri) => generated %(rsize) bytes in %(msecs) msecs (%(proto) %(status))';

/** Exists while a pod is being terminated. Under /dev/shm, since the root is read-only. */
const drainingFile = '/dev/shm/draining';

/**
 * The command that the kubelet runs before it sends SIGTERM: meanwhile, responses ask clients to close connections that were
 * kept open.
 */
export function preStopCommand({ spec: { preStopSleepSeconds = defaults.preStopSleepSeconds } }: Keystone): string[] {
  return ['/bin/sh', '-c', `touch ${drainingFile}; sleep ${preStopSleepSeconds}`];
}

/** The command of an API container. */
export function uwsgiCommand({ spec: { uwsgi } }: Keystone): string[] {
  const settings: NonNullable<typeof uwsgi> = uwsgi ?? defaults.uwsgi;
  const { processes, threads, httpKeepAlive, httpKeepAliveTimeout, harakiri } = settings;
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
    // After SIGTERM, uWSGI does not answer requests on connections that were kept open.
    '--route-if',
    `exists:${drainingFile} addheader:Connection: close`,
    // SIGTERM alone reloads uWSGI; with this it finishes the requests in flight and ends.
    '--hook-master-start',
    'unix_signal:15 gracefully_kill_them_all',
  ];
}
