// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { internalUrl, namesOf } from '../../api/names.ts';
import { configMount, fernetKeysMount, jobTemplate } from '../pod.ts';
import { adminPasswordKey } from '../secret-keys.ts';
import { flushCache } from './flush-cache.ts';
import { keystoneJob, keystoneManage } from './job.ts';

/** The inputs of bootstrap besides the resource. */
interface BootstrapInputs {
  image: string;
  configMap: string;
  /** Keyed digest of the administrator's password: another password means another run. */
  adminPasswordDigest: string;
}

/** Creates the first administrator, project, roles and catalog entries; keyed by what it writes, not by image or config. */
export function bootstrapJob(keystone: Keystone, { image, configMap, adminPasswordDigest }: BootstrapInputs): Job {
  const { adminPasswordSecretRef } = keystone.spec.bootstrap;
  const bootstrap = bootstrapArguments(keystone);
  const template = jobTemplate(keystone, {
    component: 'bootstrap',
    image,
    command: [...keystoneManage, 'bootstrap', ...bootstrap],
    // By environment: arguments show in the process list.
    env: [
      {
        name: 'OS_BOOTSTRAP_PASSWORD',
        valueFrom: { secretKeyRef: { name: adminPasswordSecretRef.name, key: adminPasswordKey(keystone) } },
      },
      // A cache that was filled from an earlier database claims that regions and users exist, and bootstrap skips them.
      { name: 'OS_CACHE__ENABLED', value: 'false' },
    ],
    mounts: [configMount(configMap), fernetKeysMount(keystone)],
    initContainers: [flushCache(keystone, image)],
  });
  const does = [adminPasswordDigest, bootstrap, keystone.status?.syncedDatabase];
  const name = namesOf(keystone).bootstrap;
  return keystoneJob(keystone, name, { backoffLimit: 4, ttlSecondsAfterFinished: 300, template, does });
}

function bootstrapArguments(keystone: Keystone): string[] {
  const { adminUser, publicEndpoint, region } = keystone.spec.bootstrap;
  const internal = internalUrl(keystone);
  return [
    '--bootstrap-admin-url',
    internal,
    '--bootstrap-internal-url',
    internal,
    '--bootstrap-public-url',
    publicEndpoint ?? internal,
    '--bootstrap-region-id',
    region,
    ...(adminUser === 'admin' ? [] : ['--bootstrap-username', adminUser]),
  ];
}
