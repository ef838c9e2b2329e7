// SPDX-License-Identifier: Apache-2.0

/** The safety rules of the simulation, by what they say. */
export const ruleNames = {
  oneCluster: 'the data on the claims is that of one cluster',
  oneKey: 'one key unseals the data on all claims',
  initialisedOnce: 'no server is initialised again',
  noDowngrade: 'no server starts on data that a higher version has led',
  keyOfData: 'the unseal key that the operator stores is that of the claims',
  keysStay: 'the unseal key and the root token stay while there is data',
  dataStays:
    'data is deleted with its cluster, when the deletion policy says so, or when its server is no member any more',
  podsFirst: 'the pods end before their claims are deleted',
  secretsInSecrets: 'keys and root tokens are in their Secrets alone',
  onePodAtFirst: 'one pod runs until the cluster is initialised',
  podsStay: 'the template changes while no pod follows it, and pods follow one by one',
  othersStay: 'no pod is released unless all others are there, and enough of them vote without it',
  noPodGoesBack: 'no pod comes back with a lower version than ran on its claim',
  rootForStepDown: 'the root token is used to ask leaders to step down, and for nothing else',
  membersStay: 'no pod is taken away whose server is a member',
  removedStayOut: 'no pod starts with the data of a server that was removed',
  quorumStays: 'no server is removed or steps down unless a quorum is left',
  certificatesFit: 'a certificate is stored with its key, and after its CA',
} as const;
