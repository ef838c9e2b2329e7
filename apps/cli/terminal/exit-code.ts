// SPDX-License-Identifier: Apache-2.0

/** The exit codes of every command of forge. */
export const exitCodes = {
  done: {
    code: 0,
    description: 'success, or stopped by the user; of `status`: nothing failed, though something may wait',
  },
  failed: {
    code: 1,
    description:
      'failed; the message says why, and `logs/forge.log` in the data folder has the details; of `status`: no cluster runs, or something failed',
  },
  usage: { code: 2, description: 'invalid command line' },
  machine: {
    code: 3,
    description: 'the machine lacks a requirement; the message says which one, and how to provide it',
  },
  running: { code: 4, description: 'another forge process uses the same data folder' },
  interrupted: { code: 130, description: '`--check` was stopped before it finished, or a second signal arrived' },
} as const;
