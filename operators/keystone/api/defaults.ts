// SPDX-License-Identifier: Apache-2.0

/** The values of fields that are left out: for the schema, its rules, the webhook and the objects that are deployed. */
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
