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

/** What PEM says, in words that are the same whichever keys a run made and whenever; undefined for other texts. */
export type DescribePem = (text: string) => unknown;

/** The words for all PEM in these values, in which keys are numbered as they come. */
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

  /** All that a certificate says, apart from its serial number and time; who issued it is checked, not believed. */
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
/** How base64 of it begins, as in Secrets. */
const encodedBegin = btoa(begin).slice(0, -2);

/** A PEM text, encoded or not, cut after each of its blocks; nothing of a text that is none. */
function blocksOf(text: string): string[] {
  const plain = text.startsWith(encodedBegin) ? Buffer.from(text, 'base64').toString() : text;
  return plain.startsWith(begin) ? plain.split(/(?<=-----END [A-Z ]+-----\n)/) : [];
}

/** The key or certificate in a block; undefined when there is none that can be read. */
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
