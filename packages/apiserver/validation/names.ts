// SPDX-License-Identifier: Apache-2.0

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;

/** What is wrong with a name that must be a DNS subdomain; undefined when nothing is. */
export function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 bytes';
  if (new RegExp(`^${subdomain}$`).test(name)) return undefined;
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;
}

/** What is wrong with a name that must be a DNS label; undefined when nothing is. */
export function dnsLabelProblem(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 bytes';
  if (new RegExp(`^${label}$`).test(name)) return undefined;
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
}

/** What is wrong with a name that stands in a path and nowhere else; undefined when nothing is. */
export function pathSegmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  return /[/%]/.test(name) ? "may not contain '/' or '%'" : undefined;
}

const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** What is wrong with the key of a label or annotation, or with a finalizer; undefined when nothing is. */
export function qualifiedNameProblem(name: string): string | undefined {
  const parts = name.split('/');
  const [prefix, part = ''] = parts.length === 1 ? [undefined, name] : parts;
  if (parts.length > 2) return qualifiedNameRule;
  if (prefix !== undefined && (prefix === '' || subdomainProblem(prefix) !== undefined)) {
    return prefix === '' ? 'prefix part must be non-empty' : `prefix part ${subdomainProblem(prefix)}`;
  }
  if (part === '') return 'name part must be non-empty';
  if (part.length > 63) return 'name part must be no more than 63 bytes';
  return new RegExp(`^${qualifiedPart}$`).test(part) ? undefined : `name part ${qualifiedNameRule}`;
}

const qualifiedNameRule = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedPart}')`;

/** What is wrong with the value of a label; undefined when nothing is. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 bytes';
  if (value === '' || new RegExp(`^${qualifiedPart}$`).test(value)) return undefined;
  return `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedPart})?')`;
}
