// SPDX-License-Identifier: Apache-2.0

/** The safety rules of the simulation, by what they say. */
export const ruleNames = {
  oneCluster: 'the data on the claims is that of one cluster',
  oneKey: 'one key unseals the data on all claims',
  initialisedOnce: 'no server is initialised again',
  noDowngrade: 'no server starts on data that a higher version has led',
  keyOfData: 'the unseal key that the operator stores is that of the claims',
  keysStay: 'the unseal key and the root token stay while there is data',
  dataStays: 'data is deleted with its cluster alone, and when the deletion policy says so',
  podsFirst: 'the pods end before their claims are deleted',
  secretsInSecrets: 'keys and root tokens are in their Secrets alone',
  onePodAtFirst: 'one pod runs until the cluster is initialised',
  podsStay: 'the pods of an initialised cluster are not taken away or restarted',
  certificatesFit: 'a certificate is stored with its key, and after its CA',
} as const;
