// SPDX-License-Identifier: Apache-2.0

/** Cases in which the embedded server deliberately differs, with the reason. */
export const unsupported: Readonly<Record<string, string>> = {
  'the template of a job may not change': 'the message dumps the whole pod template as a Go struct',
  'pods are told as a Table': 'the descriptions of columns are not copied from Kubernetes',
  'a webhook that redirects elsewhere is asked there':
    'redirects to another host or port fail: a pod could make the server send requests to addresses that only its host can reach',
};
