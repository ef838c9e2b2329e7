// SPDX-License-Identifier: Apache-2.0
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { bits, element, integer, moment, octets, oid, sequence, set, text, yes } from './der.ts';
import { systemKeys, type Keys } from './keys.ts';
import { pem } from './pem.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** Time of issue, validity and key of a certificate. */
export interface Making {
  /** Milliseconds since the epoch. */
  now: number;
  validDays: number;
  /** How far its validity begins before now, in milliseconds, for clients whose clock is behind. Default: five minutes. */
  backdatedBy?: number;
  /** How its key is encoded: as `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1). Default: pkcs8. */
  keyEncoding?: 'pkcs8' | 'sec1';
  /** Default: the system's. */
  keys?: Keys;
}

/** A certificate with a new key, before it is signed. */
export interface Draft {
  making: Making;
  /** Distinguished name, as DER. */
  subject: Uint8Array;
  extensions: readonly Uint8Array[];
}

/** The issuer: its name as DER, and its key. */
export interface Issuer {
  name: Uint8Array;
  /** Its subject key identifier, repeated in the certificates it signs. */
  keyIdentifier: Uint8Array | undefined;
  privateKey: KeyObject;
  /** Its own end, in milliseconds since the epoch: no certificate outlives its issuer. */
  notAfter: number;
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const version3 = element(0xa0, integer(Buffer.from([2])));

/** How far certificates are backdated unless they say otherwise. */
export const backdated = 5 * 60_000;

/** Creates a P-256 key and a certificate for it. */
export function certificate(draft: Draft, issuer?: Issuer): KeyPair {
  const { now, validDays, backdatedBy = backdated, keyEncoding = 'pkcs8', keys = systemKeys } = draft.making;
  const privateKey = keys.make();
  const publicKey = createPublicKey(privateKey);
  const own = keyIdentifier(publicKey);
  const signer = issuer ?? { name: draft.subject, keyIdentifier: own, privateKey, notAfter: Infinity };
  const notAfter = Math.min(now + validDays * 86_400_000, signer.notAfter);
  const body = sequence(
    version3,
    integer(serialNumber(keys.serial())),
    ecdsaWithSha256,
    signer.name,
    sequence(moment(now - backdatedBy), moment(notAfter)),
    draft.subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(
      0xa3,
      sequence(
        ...draft.extensions,
        extension('2.5.29.14', octets(own)),
        ...(signer.keyIdentifier === undefined
          ? []
          : [extension('2.5.29.35', sequence(element(0x80, signer.keyIdentifier)))]),
      ),
    ),
  );
  const signature = keys.sign(body, signer.privateKey);
  return {
    cert: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(signature))),
    key: privateKey.export({ type: keyEncoding, format: 'pem' }) as string,
  };
}

/** An extension of a certificate. */
export function extension(id: string, content: Uint8Array, criticality?: 'critical'): Buffer {
  return sequence(oid(id), ...(criticality === undefined ? [] : [yes]), octets(content));
}

/** A distinguished name, as DER: organizations, then a common name. */
export function distinguishedName(commonName: string, organizations: readonly string[] = []): Buffer {
  return sequence(...organizations.map((each) => namePart('2.5.4.10', each)), namePart('2.5.4.3', commonName));
}

function namePart(id: string, value: string): Buffer {
  return set(sequence(oid(id), text(value)));
}

/** A serial number that is positive and of full length: the first bit is clear, the second is set. */
function serialNumber([first = 0, ...rest]: Uint8Array): Buffer {
  return Buffer.of((first & 0x3f) | 0x40, ...rest);
}

/** The key identifier: a digest of the public point, which ends its encoding. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}
