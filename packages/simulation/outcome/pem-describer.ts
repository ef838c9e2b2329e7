// SPDX-License-Identifier: Apache-2.0
import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import { keyIdentifier } from '@forge/pki/certificate.ts';
import { childrenOf } from '@forge/pki/der.ts';

/** A key or certificate of a run. */
interface Found {
  key: KeyObject;
  /** Undefined for a key. */
  certificate: X509Certificate | undefined;
}

/** Describes PEM independently of keys and times; undefined for other texts. */
export type DescribePem = (text: string) => unknown;

/** A describer of all PEM in these values, in which keys are numbered in order. */
export function pemDescriber(values: readonly unknown[]): DescribePem {
  const blocks = new Set(values.flatMap((value) => [...textsIn(value)]).flatMap(blocksOf));
  const known = new Map([...blocks].map((block) => [block, read(block)]));
  const certificates = [...known.values()].flatMap((found) => found?.certificate ?? []);
  const names = new Map<string, string>();
  for (const found of known.values()) {
    if (found === undefined || names.has(idOf(found.key))) continue;
    const { asymmetricKeyType, asymmetricKeyDetails } = found.key;
    names.set(idOf(found.key), `key ${names.size + 1}: ${asymmetricKeyType} ${inspect(asymmetricKeyDetails)}`);
  }
  const nameOf = (key: KeyObject) => names.get(idOf(key));

  /** The content of a certificate, without serial number and times; its issuer is verified. */
  function describeCertificate(certificate: X509Certificate): unknown {
    const [body = certificate.raw, algorithm] = childrenOf(certificate.raw);
    const [version, , inner, , , , , ...extensions] = childrenOf(body);
    const rest = [algorithm, version, inner, ...extensions].map((part) => Buffer.from(part ?? []).toString('hex'));
    return {
      subject: certificate.subject.replace(time, '(time)'),
      issuer: certificate.issuer.replace(time, '(time)'),
      issuedBy: certificates.filter((each) => isIssued(certificate, each)).map((each) => nameOf(each.publicKey)),
      lasts: certificate.validToDate.getTime() - certificate.validFromDate.getTime(),
      key: nameOf(certificate.publicKey),
      rest: rest.map((hex) => [...names].reduce((text, [id, name]) => text.replaceAll(id, `(${name})`), hex)),
    };
  }

  function describeBlock(block: string): unknown {
    const { certificate, key } = known.get(block) ?? {};
    if (certificate !== undefined) return describeCertificate(certificate);
    return key === undefined ? block : `${block.split('\n', 1)[0]} ${nameOf(key)}`;
  }

  return (text) => {
    const found = blocksOf(text);
    return found.length === 0 ? undefined : found.map(describeBlock);
  };
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const begin = '-----BEGIN ';
/** Its base64 form, as in Secrets. */
const encodedBegin = btoa(begin).slice(0, -2);

/** The blocks of a PEM text, plain or base64; none for other texts. */
function blocksOf(text: string): string[] {
  const plain = text.startsWith(encodedBegin) ? Buffer.from(text, 'base64').toString() : text;
  return plain.startsWith(begin) ? plain.split(/(?<=-----END [A-Z ]+-----\n)/) : [];
}

/** The key or certificate in a block; undefined when it cannot be parsed. */
function read(block: string): Found | undefined {
  try {
    const certificate = block.startsWith(`${begin}CERTIFICATE-----`) ? new X509Certificate(block) : undefined;
    return { certificate, key: certificate?.publicKey ?? createPublicKey(block) };
  } catch {
    return undefined;
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function idOf(key: KeyObject): string {
  return keyIdentifier(key).toString('hex');
}
