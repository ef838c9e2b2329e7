// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { CertificateSigningRequestCondition, CertificateSigningRequestSpec } from '@forge/kube/generated/types.ts';
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { qualifiedNameProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, each, fields, given, validation, type ChangeRule } from '../rule.ts';
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

/** A certificate request in PEM; its contents are checked by the signer. */
const request: Rule<string> = (encoded = '', at) => {
  const pem = Buffer.from(encoded, 'base64').toString();
  if (!pem.includes('-----BEGIN CERTIFICATE REQUEST-----')) {
    at.invalid(encoded, 'PEM block type must be CERTIFICATE REQUEST');
  }
};

const eachUsageOnce: Rule<readonly string[]> = (list = [], at) => {
  if (list.length === 0) at.required();
  for (const [index, usage] of list.entries()) {
    if (!usages.includes(usage)) at.inside(index, usage, () => at.unsupported(usage, usages));
  }
  for (const [index, usage] of list.entries()) {
    if (list.indexOf(usage) < index) at.inside(index, usage, () => at.duplicate(usage));
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

const lasting = ['Approved', 'Denied', 'Failed'];

const condition: Rule<CertificateSigningRequestCondition> = given(({ type, status }, at) => {
  if (type === '') at.required(undefined, 'type');
  const known = lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  at.inside('status', status, requiredOneOf(...known));
});

const conditions: Rule<readonly CertificateSigningRequestCondition[]> = all(each(condition), (list = [], at) => {
  const types = list.map(({ type }) => type);
  for (const [index, type] of types.entries()) {
    if (types.indexOf(type) < index) at.inside(index, type, () => at.duplicate(type, 'type'));
  }
  const [, second] = types.filter((type) => type === 'Approved' || type === 'Denied');
  if (types.includes('Approved') && types.includes('Denied')) {
    at.invalid(second, 'Approved and Denied conditions are mutually exclusive');
  }
});

function typesOf(status: CertificateSigningRequest['status']): string[] {
  return (status?.conditions ?? []).map(({ type }) => type);
}

/** Approval and denial conditions cannot be removed, and an issued certificate cannot change. */
const decided: ChangeRule<CertificateSigningRequest> = ({ status }, before, at) => {
  for (const type of lasting) {
    if (typesOf(before.status).includes(type) && !typesOf(status).includes(type)) {
      at.forbidden(`updates may not remove a condition of type "${type}"`, 'status.conditions');
    }
  }
  const certificate = status?.certificate ?? '';
  const issued = before.status?.certificate ?? '';
  if (issued !== '' && issued !== certificate) {
    at.forbidden('updates may not modify existing certificate content', 'status.certificate');
  }
};

/** Validates a CertificateSigningRequest; approval is a separate subresource. */
const validateRequest = validation<CertificateSigningRequest>(
  fields({ spec, status: fields({ conditions }) }),
  decided,
);

const undecided = validation<CertificateSigningRequest>(
  () => {},
  ({ status }, before, at) => {
    for (const type of ['Approved', 'Denied']) {
      if (typesOf(status).includes(type) && !typesOf(before.status).includes(type)) {
        at.forbidden(`updates may not add a condition of type "${type}"`, 'status.conditions');
      }
    }
  },
);

/** The rules by subresource. */
export function validateSigningRequest(
  object: CertificateSigningRequest,
  before: CertificateSigningRequest | undefined,
  subresource: string | undefined,
): FieldError[] {
  const errors = validateRequest(object, before);
  return subresource === 'approval' ? errors : [...errors, ...undecided(object, before)];
}
