// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { CertificateSigningRequestSpec, CertificateSigningRequestCondition } from '@forge/kube/generated/types.ts';
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { parseCertificateRequest } from '@forge/pki/certificate-request.ts';
import { childrenOf } from '@forge/pki/der.ts';
import { pemBlock } from '@forge/pki/pem.ts';
import { qualifiedNameProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { repeatedIndexes, fields, given, all, each, type ChangeRule, validation } from '../rule.ts';
import { requiredOneOf } from '../value-rules.ts';

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** A certificate request in PEM, signed with its own key; the signer checks what it requests. */
const request: Rule<string> = (encoded = '', at) => {
  const problem = requestProblem(Buffer.from(encoded, 'base64').toString());
  if (problem !== undefined) at.invalid(encoded, problem);
};

function requestProblem(pem: string): string | undefined {
  try {
    return parseCertificateRequest(pem).signatureProblem();
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

const eachUsageOnce: Rule<readonly string[]> = (list = [], at) => {
  if (list.length === 0) at.required();
  for (const [index, usage] of list.entries()) {
    if (!usages.includes(usage) && !at.isFull) at.inside(index, usage, () => at.unsupported(usage, usages));
  }
  for (const index of repeatedIndexes(list)) {
    if (!at.isFull) at.inside(index, list[index], (usage) => at.duplicate(usage));
  }
};

/** A signer name is a domain and a path. */
const signerName: Rule<string> = (name = '', at) => {
  const [domain = '', ...path] = name.split('/');
  if (name === '') at.required();
  else if (name === 'kubernetes.io/legacy-unknown') {
    at.invalid(name, 'the legacy signerName is not allowed via this API version');
  } else if (path.length !== 1)
    at.invalid(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  else {
    const problem = subdomainProblem(domain) ?? qualifiedNameProblem(path[0] ?? '');
    if (problem !== undefined) at.invalid(name, problem);
    if (!domain.includes('.')) at.invalid(domain, 'should be a domain with at least two segments separated by dots');
  }
};

const spec: Rule<CertificateSigningRequestSpec> = fields({
  request,
  usages: eachUsageOnce,
  signerName,
  expirationSeconds: given((seconds, at) => {
    if (seconds < 600) at.invalid(seconds, 'may not specify a duration less than 600 seconds (10 minutes)');
  }),
});

const decisions = ['Approved', 'Denied'];

const permanentTypes = [...decisions, 'Failed'];

const condition: Rule<CertificateSigningRequestCondition> = given(({ type, status }, at) => {
  if (type === '') at.required(undefined, 'type');
  const known = permanentTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  at.inside('status', status, requiredOneOf(...known));
});

const conditions: Rule<readonly CertificateSigningRequestCondition[]> = all(each(condition), (list = [], at) => {
  const types = list.map(({ type }) => type);
  for (const index of repeatedIndexes(types)) {
    if (!at.isFull) at.inside(index, types[index], (type) => at.duplicate(type, 'type'));
  }
  const [, second] = types.filter((type) => type === 'Approved' || type === 'Denied');
  if (types.includes('Approved') && types.includes('Denied')) {
    at.invalid(second, 'Approved and Denied conditions are mutually exclusive');
  }
});

function typesOf(status: CertificateSigningRequest['status']): string[] {
  return (status?.conditions ?? []).map(({ type }) => type);
}

/** Only approval can make decisions, which are final; a certificate is issued once. */
function decided(mayDecide: boolean): ChangeRule<CertificateSigningRequest> {
  return ({ status }, before, at) => {
    const [types, old] = [typesOf(status), typesOf(before.status)];
    for (const type of permanentTypes.filter((one) => old.includes(one) && !types.includes(one))) {
      at.forbidden(`updates may not remove a condition of type "${type}"`, 'status.conditions');
    }
    for (const type of decisions.filter((one) => !mayDecide && types.includes(one) && !old.includes(one))) {
      at.forbidden(`updates may not add a condition of type "${type}"`, 'status.conditions');
    }
    const issued = before.status?.certificate ?? '';
    if (issued !== '' && issued !== (status?.certificate ?? '')) {
      at.forbidden('updates may not modify existing certificate content', 'status.certificate');
    }
  };
}

/** An issued certificate is PEM, optionally with those of its issuers. */
const certificate: ChangeRule<CertificateSigningRequest> = ({ status }, before, at) => {
  const { certificate: encoded = '' } = status ?? {};
  if (encoded === '' || encoded === before.status?.certificate) return;
  const problem = certificateProblem(Buffer.from(encoded, 'base64').toString());
  if (problem !== undefined) at.invalid('<certificate data>', problem, 'status.certificate');
};

function certificateProblem(pem: string): string | undefined {
  let block = pemBlock(pem);
  if (block === undefined) return 'must contain at least one CERTIFICATE PEM block';
  for (; block !== undefined; block = pemBlock(block.rest)) {
    const { label, hasHeaders, der } = block;
    if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (!isCertificate(der)) return 'x509: malformed certificate';
  }
  return undefined;
}

/** A certificate is a sequence of body, algorithm and signature. */
function isCertificate(der: Uint8Array): boolean {
  try {
    return childrenOf(der).length === 3;
  } catch {
    return false;
  }
}

const rules = fields<CertificateSigningRequest>({ spec, status: fields({ conditions }) });

const validators = {
  approval: validation(rules, decided(true)),
  others: validation<CertificateSigningRequest>(rules, (object, before, at) => {
    certificate(object, before, at);
    decided(false)(object, before, at);
  }),
};

/** Validates a CertificateSigningRequest; approval is a separate subresource. */
export function validateSigningRequest(
  object: CertificateSigningRequest,
  before: CertificateSigningRequest | undefined,
  subresource: string | undefined,
): FieldError[] {
  return validators[subresource === 'approval' ? 'approval' : 'others'](object, before);
}
