// SPDX-License-Identifier: Apache-2.0

/** Rows in which the embedded server deliberately differs, with the reason. */
export const unsupported: Readonly<Record<string, string>> = {
  'the template of a job may not change': 'the message dumps the whole pod template as a Go struct',
  'pods are told as a Table': "the columns' descriptions are Kubernetes' own sentences, which nobody reads",
  'a webhook that redirects elsewhere is asked there':
    'redirects that leave the webhook fail: a pod could send the server to addresses that only its host can reach',
};
