// SPDX-License-Identifier: Apache-2.0
import type { DocumentedAdmission, Refusal } from '../operators/operators.ts';
import { markdownTable } from './markdown-table.ts';

/** At most this many examples of a rule. */
const shownExamples = 3;
/** A longer example is described, not shown. */
const maxExampleLength = 40;

/** The reference page of what is refused and warned of: the rules, each with its fields and examples from the tests. */
export function admissionPage(kind: string, { refused, warnings }: DocumentedAdmission): string {
  const rules = Map.groupBy(refused.map(ruleOf), ({ message }) => message);
  const rows = [...rules].map(([message, refusals]) => {
    const fields = distinct(refusals.map(({ field }) => `\`${field}\``)).join(', ');
    const examples = distinct(refusals.map(({ example }) => example)).slice(0, shownExamples);
    return [fields, message, examples.join(', ')];
  });
  return [
    `# Admission of a ${kind}`,
    'What is refused. The webhook words it as `{field}: Invalid value: {value}: {message}`, unless the message below begins ' +
      'with another error. The schema refuses it as well, webhook or not, unless noted. All errors are reported at once.',
    markdownTable(['field', 'message', 'refused, for example'], rows),
    '## Warnings',
    'What is allowed and warned of, by the webhook only.',
    warnings.map((warning) => `- \`${warning}\``).join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** The rule behind a refusal: its message with `{value}` in place of the example's value. */
function ruleOf({ name, webhook: [path, text], schema, withoutWebhook }: Refusal) {
  const parts = /^(\w[\w ]*): ("(?:[^"\\]|\\.)*"|[-\d.]+|\{.*?\}|\[.*?\])(?:: (.*))?$/s.exec(text) ?? [];
  const [, error = '', value = '', rest] = parts;
  const template = [`${error}: {value}`, ...(rest === undefined ? [] : [withoutValue(rest, value)])].join(': ');
  const consequence = withoutWebhook === undefined ? '' : `, without it ${withoutWebhook}`;
  const isShort = /^["\d-]/.test(value) && value.length <= maxExampleLength;
  const message = (error === '' ? text : template).replace('Invalid value: {value}: ', '');
  return {
    field: path.replaceAll(/\[\d+\]/g, '[*]'),
    message: `\`${message}\`${schema === undefined ? `; only by the webhook${consequence}` : ''}`,
    example: isShort ? `\`${value}\`` : name,
  };
}

/** A message that repeats a text value, with `{value}` in its place. */
function withoutValue(message: string, value: string): string {
  const text = value.startsWith('"') ? value.slice(1, -1) : '';
  const word = new RegExp(`(?<=^| )(${RegExp.escape(value)}|${RegExp.escape(text)})(?=[ :;]|$)`, 'g');
  return text === '' ? message : message.replaceAll(word, '{value}');
}

const distinct = (texts: readonly string[]) => [...new Set(texts)];
