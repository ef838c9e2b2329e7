// SPDX-License-Identifier: Apache-2.0

/** What stands for fields that are left out: in the schema, in its rules, in the webhook and in what is deployed. */
export const defaults = {
  replicas: 3,
  maxActiveKeys: 3,
  adminUser: 'admin',
  region: 'RegionOne',
  terminationGracePeriodSeconds: 30,
  preStopSleepSeconds: 5,
  uwsgi: { processes: 2, threads: 1, httpKeepAlive: true },
  logging: { format: 'text', level: 'INFO', debug: false },
} as const;
