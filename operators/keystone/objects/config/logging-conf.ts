// SPDX-License-Identifier: Apache-2.0
import type { Ini } from '@forge/openstack/ini.ts';
import type { Keystone } from '../../api/keystone.ts';

/**
 * logging.conf of JSON logging. It names no logger but root, so that perLoggerLevels alone decides about the others, and
 * its handler filters nothing, so that spec.logging.level decides about root.
 */
export function loggingConf({ spec: { logging } }: Keystone): Ini {
  return {
    loggers: { keys: 'root' },
    handlers: { keys: 'stderr' },
    formatters: { keys: 'json' },
    logger_root: { level: logging.level, handlers: 'stderr' },
    handler_stderr: { class: 'StreamHandler', args: '(sys.stderr,)', level: 'NOTSET', formatter: 'json' },
    formatter_json: { class: 'oslo_log.formatters.JSONFormatter' },
  };
}
