// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, test } from 'node:test';
import { parseCertificateRequest } from './certificate-request.ts';
import { distinguishedName } from './certificate.ts';
import { bits, element, integer, oid, sequence } from './der.ts';
import { pem } from './pem.ts';

interface Signer {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const subject = distinguishedName('system:node:a', ['system:nodes', 'others']);

function request({ publicKey }: Pick<Signer, 'publicKey'>, { privateKey }: Signer, id: string, hash?: string): string {
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const info = sequence(integer(Buffer.of(0)), subject, key, element(0xa0));
  const signature = bits(sign(hash, info, privateKey));
  return pem('CERTIFICATE REQUEST', sequence(info, sequence(oid(id)), signature));
}

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = () => generateKeyPairSync('ed25519');

const signers = [
  { name: 'RSA', make: rsa, id: '1.2.840.113549.1.1.11', hash: 'sha256', failure: 'crypto/rsa: verification error' },
  { name: 'ECDSA', make: ec, id: '1.2.840.10045.4.3.3', hash: 'sha384', failure: 'x509: ECDSA verification failure' },
  { name: 'Ed25519', make: ed25519, id: '1.3.101.112', failure: 'x509: Ed25519 verification failure' },
];

describe('a certificate request', () => {
  for (const { name, make, id, hash, failure } of signers) {
    test(`has the subject and the signature of its ${name} key`, () => {
      const own = make();
      const parsed = parseCertificateRequest(request(own, own, id, hash));
      assert.equal(parsed.commonName, 'system:node:a');
      assert.deepEqual(parsed.organizations, ['system:nodes', 'others']);
      assert.equal(parsed.signatureProblem(), undefined);
      assert.equal(parseCertificateRequest(request(own, make(), id, hash)).signatureProblem(), failure);
    });
  }

  test('is not verified when its signature algorithm does not match its key', () => {
    const own = ec();
    const problem = 'x509: cannot verify signature: algorithm unimplemented';
    for (const id of ['1.3.101.112', '1.2.3.4']) {
      assert.equal(parseCertificateRequest(request(own, own, id, 'sha256')).signatureProblem(), problem);
    }
  });

  test('is rejected when it is malformed or too large', () => {
    const wrongLabel = { message: 'PEM block type must be CERTIFICATE REQUEST' };
    const own = ec();
    const whole = request(own, own, '1.2.840.10045.4.3.2', 'sha256');
    assert.throws(() => parseCertificateRequest(''), wrongLabel);
    assert.throws(() => parseCertificateRequest(whole.replaceAll('REQUEST', 'DEMAND')), wrongLabel);
    assert.throws(() => parseCertificateRequest(whole.split('-----END')[0] ?? ''), wrongLabel);
    assert.throws(() => parseCertificateRequest(whole + '\n'.repeat(2 ** 17)), /too large: limit is 65536 bytes/);
    const lengths = Buffer.from('30847fffffff0000', 'hex');
    for (const der of [Buffer.of(), Buffer.of(0x30), lengths, sequence(lengths), sequence(sequence(), sequence())]) {
      assert.throws(() => parseCertificateRequest(pem('CERTIFICATE REQUEST', der)), SyntaxError);
    }
  });
});
