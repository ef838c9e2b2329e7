// SPDX-License-Identifier: Apache-2.0
import { dnsLabelProblem, labelValueProblem, qualifiedNameProblem, subdomainProblem } from '../../formats/names.ts';
import { ListValue } from '../values/list-value.ts';
import { parseTimestamp } from '../values/timestamp-text.ts';
import { listOf, opaque, optionalOf, string } from '../values/type.ts';
import { parseUrl } from '../values/url-text.ts';
import { Opaque, Optional, type Value, sizeOf } from '../values/value.ts';
import { define, defineMember, type Overload, product, traverse } from './overload.ts';

const type = opaque('kubernetes.NamedFormat');

type Problem = (text: string) => string | undefined;

class NamedFormat extends Opaque {
  readonly type = type;
  readonly name: string;
  readonly problem: Problem;
  /** The regular expression length used for the cost. */
  readonly length: number;
  constructor(name: string, length: number, problem: Problem) {
    super();
    this.name = name;
    this.length = length;
    this.problem = problem;
  }
  equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

function dns1035Problem(text: string): string | undefined {
  const rule = '[a-z]([-a-z0-9]*[a-z0-9])?';
  if (text.length > 63) return 'must be no more than 63 bytes';
  if (new RegExp(`^${rule}$`).test(text)) return undefined;
  return `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${rule}')`;
}

/** A name prefix may end with a dash. */
function prefixOf(problem: Problem): Problem {
  return (text) => problem(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function matching(pattern: RegExp, problem: string): Problem {
  return (text) => (pattern.test(text) ? undefined : problem);
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const formats: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: new NamedFormat('DNS1123Label', 30, dnsLabelProblem),
  dns1123Subdomain: new NamedFormat('DNS1123Subdomain', 60, subdomainProblem),
  dns1035Label: new NamedFormat('DNS1035Label', 30, dns1035Problem),
  qualifiedName: new NamedFormat('QualifiedName', 60, qualifiedNameProblem),
  dns1123LabelPrefix: new NamedFormat('DNS1123LabelPrefix', 30, prefixOf(dnsLabelProblem)),
  dns1123SubdomainPrefix: new NamedFormat('DNS1123SubdomainPrefix', 60, prefixOf(subdomainProblem)),
  dns1035LabelPrefix: new NamedFormat('DNS1035LabelPrefix', 30, prefixOf(dns1035Problem)),
  labelValue: new NamedFormat('LabelValue', 40, labelValueProblem),
  uri: new NamedFormat('URI', 1100, (text) => {
    const parsed = parseUrl(text);
    return typeof parsed === 'string' ? parsed : undefined;
  }),
  uuid: new NamedFormat('uuid', 80, matching(uuid, 'does not match the UUID format')),
  byte: new NamedFormat('byte', 90, matching(base64, 'invalid base64')),
  date: new NamedFormat('date', 130, (text) =>
    parseTimestamp(`${text}T00:00:00Z`) === undefined ? 'invalid date' : undefined,
  ),
  datetime: new NamedFormat('datetime', 130, (text) =>
    parseTimestamp(text) === undefined ? 'invalid datetime' : undefined,
  ),
};

function validate(format: NamedFormat, text: string): Value {
  const problem = format.problem(text);
  return problem === undefined ? Optional.none : Optional.of(ListValue.of([problem]));
}

/** Kubernetes' format library. */
export const namedFormats: readonly Overload[] = [
  ...Object.entries(formats).map(([name, format]) => define(`format.${name}`, [], type, () => format)),
  define('format.named', [string], optionalOf(type), (name: string) => {
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    return format === undefined ? Optional.none : Optional.of(format);
  }),
  defineMember('validate', [type, string], optionalOf(listOf(string)), validate, {
    actual: ([format, text]) =>
      Math.ceil((1 + sizeOf(text as string)) * 0.1) * Math.ceil((format as NamedFormat).length * 0.25),
    estimate: (_, { size }) => ({ cost: Math.ceil(product(traverse(size.max), 32)) }),
  }),
];
