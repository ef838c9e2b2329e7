// SPDX-License-Identifier: Apache-2.0

/** The exit codes of an operator's process. */
export const exitCodes = {
  stopped: {
    code: 0,
    description: 'stopped by SIGTERM or SIGINT; running reconciliations have finished and the Lease is released',
  },
  failed: { code: 1, description: 'could not start or cannot continue; see the last log line' },
  usage: { code: 2, description: 'invalid flag or environment variable' },
  deposed: {
    code: 3,
    description:
      'leadership lost: another process leads, or the Lease was not renewed in time; restart it to wait for leadership',
  },
  forced: { code: 130, description: 'a second signal arrived before shutdown had finished' },
} as const;
