// SPDX-License-Identifier: Apache-2.0
import { renderIni } from '@forge/openstack/ini.ts';
import { renderPolicy, type PolicyRules } from '@forge/openstack/policy.ts';
import type { Keystone } from '../../api/keystone.ts';
import { apiPaste } from './api-paste.ts';
import { keystoneConf } from './keystone-conf.ts';
import { loggingConf } from './logging-conf.ts';
import { policyFile } from './policy-rules.ts';

/** The files of the configuration ConfigMap: name → text. Throws when what the user wrote cannot be rendered. */
export function configFiles(keystone: Keystone, policy: PolicyRules): Record<string, string> {
  const hasPolicy = Object.keys(policy).length > 0;
  return {
    'keystone.conf': renderIni(keystoneConf(keystone, { hasPolicy })),
    'api-paste.ini': renderIni(apiPaste(keystone)),
    ...(keystone.spec.logging.format === 'json' && { 'logging.conf': renderIni(loggingConf(keystone)) }),
    ...(hasPolicy && { [policyFile]: renderPolicy(policy) }),
  };
}
