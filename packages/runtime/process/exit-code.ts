// SPDX-License-Identifier: Apache-2.0

/** How an operator's process can end, for those who restart it. */
export const exitCodes = {
  stopped: {
    code: 0,
    description: 'stopped by SIGTERM or SIGINT; what was under way is finished and the lease released',
  },
  failed: { code: 1, description: 'could not start, or must not go on; the last log line says why' },
  usage: { code: 2, description: 'a flag or a variable makes no sense' },
  deposed: {
    code: 3,
    description:
      'no longer leads: another process does, or the lease was not renewed in time; a new process waits its turn',
  },
  forced: { code: 130, description: 'a second signal came before everything was finished' },
} as const;
