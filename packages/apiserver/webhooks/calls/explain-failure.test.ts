// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainFailure } from './explain-failure.ts';

const call = { address: { host: '10.0.0.7', port: 8443 }, serverName: 'hook.default.svc' };

function failure(code: string, subjectaltname?: string): Error {
  return Object.assign(new Error('message of Node'), {
    code,
    ...(subjectaltname !== undefined && { cert: { subjectaltname } }),
  });
}

describe('a failed webhook call has the error message of Kubernetes', () => {
  test('when the connection is refused', () => {
    const text = explainFailure(failure('ECONNREFUSED'), call);
    assert.equal(text, 'dial tcp 10.0.0.7:8443: connect: connection refused');
  });

  test('when the certificate is for other names', () => {
    const text = explainFailure(failure('ERR_TLS_CERT_ALTNAME_INVALID', 'DNS:a, IP Address:10.0.0.7, DNS:b'), call);
    assert.match(text, /x509: certificate is valid for a, b, not hook\.default\.svc$/);
  });

  test('when the certificate has no names', () => {
    const other = failure('ERR_TLS_CERT_ALTNAME_INVALID', 'IP Address:10.0.0.7');
    assert.match(explainFailure(other, call), /not valid for any names, but wanted to match hook\.default\.svc$/);
    const address = { ...call, serverName: '10.0.0.8' };
    assert.match(explainFailure(other, address), /certificate is valid for 10\.0\.0\.7, not 10\.0\.0\.8$/);
    assert.match(
      explainFailure(failure('ERR_TLS_CERT_ALTNAME_INVALID', 'DNS:a'), address),
      /doesn't contain any IP SANs$/,
    );
  });

  test('or else that of Node', () => {
    assert.equal(explainFailure(failure('EPIPE'), call), 'message of Node');
  });
});
