// SPDX-License-Identifier: Apache-2.0

/** The safety rules of the simulation, by what they say. */
export const ruleNames = {
  noSecretOutside: 'no secret value is outside of Secrets',
  oneCredential: 'there are no two unrevoked application credentials, but while one is being revoked',
  noneLeft: 'no application credential is left by a deletion during which Keystone answered',
  createdOnce: 'the Keystone of a ControlPlane is created once',
  readyLogins: 'a ControlPlane is not Ready while the login in its clouds.yaml fails for longer than a recheck',
  keptWithoutStore: 'no application credential that works is deleted while the secret store is known to be down',
  noPasswordAgain: 'no clouds.yaml holds the password again after an application credential',
} as const;
