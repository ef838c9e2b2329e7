// SPDX-License-Identifier: Apache-2.0

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const isLabel = whole(label);
const isSubdomain = whole(subdomain);
const isLabel1035 = whole(label1035);
const isQualifiedPart = whole(qualifiedPart);
const isQualifiedName = whole(`(${subdomain}/)?${qualifiedPart}`);

/** What is wrong with a name that must be a DNS subdomain; undefined when nothing is. */
export function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 characters';
  if (isSubdomain.test(name)) return undefined;
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;
}

/** What is wrong with a DNS subdomain that begins with a wildcard; undefined when nothing is. */
export function wildcardProblem(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 characters';
  if (name.startsWith('*.') && isSubdomain.test(name.slice(2))) return undefined;
  return `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${subdomain}')`;
}

/** What is wrong with a name that must be a DNS label; undefined when nothing is. */
export function dnsLabelProblem(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 characters';
  if (isLabel.test(name)) return undefined;
  if (isSubdomain.test(name)) return 'must not contain dots';
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
}

/** What is wrong with a name that must be an RFC 1035 label, which starts with a letter. */
export function dns1035LabelProblem(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 characters';
  if (isLabel1035.test(name)) return undefined;
  return `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`;
}

/** What is wrong with a name that must be a valid path segment; undefined when nothing is. */
export function pathSegmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  const [found] = /[/%]/.exec(name) ?? [];
  return found === undefined ? undefined : `may not contain '${found}'`;
}

/** What is wrong with the key of a label or annotation, or with a finalizer; undefined when nothing is. */
export function qualifiedNameProblem(name: string): string | undefined {
  return qualifiedNameProblems(name)[0];
}

/** Everything wrong with the key of a label or annotation, or with a finalizer. */
export function qualifiedNameProblems(name: string): string[] {
  if (name.length <= 63 && isQualifiedName.test(name)) return [];
  const parts = name.split('/');
  const [prefix, part = ''] = parts.length === 1 ? [undefined, name] : parts;
  if (parts.length > 2) {
    return [
      `a valid label key ${qualifiedNameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefixProblem =
    prefix === undefined ? undefined : prefix === '' ? 'must be non-empty' : subdomainProblem(prefix);
  return [
    ...(prefixProblem === undefined ? [] : [`prefix part ${prefixProblem}`]),
    ...(part === '' ? ['name part must be non-empty'] : []),
    ...(part.length > 63 ? ['name part must be no more than 63 bytes'] : []),
    ...(isQualifiedPart.test(part) ? [] : [`name part ${qualifiedNameRule}`]),
  ];
}

/** The rule for the name part of a qualified name. */
export const qualifiedNameRule = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedPart}')`;

/** What is wrong with the value of a label; undefined when nothing is. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 bytes';
  if (value === '' || isQualifiedPart.test(value)) return undefined;
  return `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedPart})?')`;
}

/** Everything wrong with the name of a port; undefined when nothing is. */
export function portNameProblems(name: string): string[] | undefined {
  if (name.length <= 15 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && /[a-z]/.test(name)) return undefined;
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** What is wrong with a ConfigMap or Secret key, which becomes a file name; undefined when nothing is. */
export function fileKeyProblem(key: string): string | undefined {
  if (key.length > 253) return 'must be no more than 253 characters';
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    return "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  }
  if (key === '.' || key === '..') return `must not be '${key}'`;
  return key.startsWith('..') ? "must not start with '..'" : undefined;
}

function whole(pattern: string): RegExp {
  // Non-capturing groups are faster.
  return new RegExp(`^${pattern.replaceAll('(', '(?:')}$`);
}
