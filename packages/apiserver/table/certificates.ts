// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, humanDuration, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const signingRequestColumns: readonly TableColumn<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  column('SignerName', ({ spec }) => (spec.signerName === '' ? '<none>' : spec.signerName)),
  column('Requestor', ({ spec }) => spec.username ?? ''),
  column('RequestedDuration', ({ spec }) =>
    spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
  ),
  column('Condition', ({ status }) => {
    const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) === true;
    const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
    const isIssued = (status?.certificate ?? '') !== '';
    return [verdict, ...(has('Failed') ? ['Failed'] : []), ...(isIssued ? ['Issued'] : [])].join(',');
  }),
];
